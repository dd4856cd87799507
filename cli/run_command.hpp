#pragma once

#include "run_options.hpp"

namespace lockstep::cli {

/// `lockstep run`, `lockstep plan` and `lockstep validate`: checks, runs, reports, or writes what moved. The exit code
/// comes back. Throws MachineSpecError, InputError, OutputError and MemoryError for bad input; failures of the run are
/// reported.
int run_command(const RunArguments& arguments);

}  // namespace lockstep::cli
