#pragma once

#include <atomic>

#include "run/run_options.hpp"

namespace lockstep::cli::run {
class Together;
}

namespace lockstep::cli::trace {

/// `lockstep run`, `lockstep plan` and `lockstep validate`: checks, runs, reports, or writes what moved. The exit code
/// comes back. Throws MachineSpecError, InputError, OutputError and MemoryError for bad input, before anything is
/// written; failures of the run are reported. It ends once `stop` is set.
int run_command(const run::RunArguments& arguments, const std::atomic<bool>& stop, run::Together* together = nullptr);
/// `lockstep run` in several processes, over which the processors are divided; the first one reports. Throws the same
/// in each of them, and InputError for what cannot be divided.
int run_together(const run::RunArguments& arguments, const std::atomic<bool>& stop, run::Together& together);

}  // namespace lockstep::cli::trace
