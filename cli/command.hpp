#pragma once

#include <string>

namespace lockstep::cli {

/// The whole `lockstep` command: reads the arguments, does what they say and returns the exit code. Never throws.
int command(int argc, const char* const* argv);

/// The command's page for man, which has what `--help` says of it and of every subcommand.
std::string manual();

}  // namespace lockstep::cli
