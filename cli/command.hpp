#pragma once

namespace lockstep::cli {

/// The whole `lockstep` command: reads the arguments, does what they say and returns the exit code. Never throws.
int command(int argc, const char* const* argv);

}  // namespace lockstep::cli
