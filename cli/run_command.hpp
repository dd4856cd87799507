#pragma once

#include "run_options.hpp"

namespace lockstep::cli {

/// `lockstep run`: checks, runs, reports. The exit code comes back.
/// Throws MachineSpecError, InputError, OutputError and MemoryError for bad input; failures of the run are reported.
int run_command(const RunArguments& arguments);

}  // namespace lockstep::cli
