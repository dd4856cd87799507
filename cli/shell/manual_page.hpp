#pragma once

#include <string>

#include "flags/command_line.hpp"

namespace lockstep::cli::shell {

/// The manual page in the language of man: the help of the command and its subcommands, exit codes and environment.
std::string manual_page(const flags::ShownCommand& command);

}  // namespace lockstep::cli::shell
