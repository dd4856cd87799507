#pragma once

#include <string>

#include "lockstep/command/command.hpp"

namespace lockstep::cli {

/// The command's page for man, which has what `--help` says of it and of every subcommand.
std::string manual();

}  // namespace lockstep::cli
