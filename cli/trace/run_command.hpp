#pragma once

#include <atomic>

#include "run/run_options.hpp"

namespace lockstep::cli::run {
class ProcessGroup;
}

namespace lockstep::cli::trace {

/// `lockstep run`, `plan`, `validate` and `trace`: checks, runs, reports, or writes what moved; returns the exit code.
/// Throws MachineSpecError, InputError, OutputError and MemoryError for bad input, before anything is written; failures
/// of the run are reported. Setting `stop` interrupts it.
int run_command(const run::RunArguments& arguments, const std::atomic<bool>& stop);
/// `lockstep run` with the processors divided over several processes; the first one reports. Throws the same in each of
/// them, and InputError for a run that cannot be divided.
int run_in_group(const run::RunArguments& arguments, const std::atomic<bool>& stop, run::ProcessGroup& group);

}  // namespace lockstep::cli::trace
