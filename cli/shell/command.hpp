#pragma once

#include "flags/command_line.hpp"
#include "lockstep/command/command.hpp"

namespace lockstep::cli::shell {

/// The flags and arguments of the command and its subcommands, from which texts about them are made.
flags::ShownCommand shown_command();

}  // namespace lockstep::cli::shell
