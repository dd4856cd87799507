#pragma once

#include "lockstep/command/command.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::shell {

/// What the command and its subcommands take, for texts about them.
const CLI::App& options();

}  // namespace lockstep::cli::shell
