#pragma once

#include <atomic>

#include "run_options.hpp"

namespace lockstep::cli {

/// `lockstep run`, `lockstep plan` and `lockstep validate`: checks, runs, reports, or writes what moved. The exit code
/// comes back. Throws MachineSpecError, InputError, OutputError and MemoryError for bad input, before anything is
/// written; failures of the run are reported. It ends once `stop` is set.
int run_command(const RunArguments& arguments, const std::atomic<bool>& stop);

}  // namespace lockstep::cli
