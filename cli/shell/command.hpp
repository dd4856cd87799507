#pragma once

#include "lockstep/command/command.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::shell {

/// The flags and arguments of the command and its subcommands, from which texts about them are made.
const CLI::App& options();

}  // namespace lockstep::cli::shell
