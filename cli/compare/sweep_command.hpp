#pragma once

#include <atomic>

#include "sweep_options.hpp"

namespace lockstep::cli::run {
class ProcessGroup;
}

namespace lockstep::cli::compare {

/// `lockstep sweep`: compares all methods of an operation at every point of a grid. Several processes share the runs;
/// the first writes the results. Returns the exit code; throws the errors of bad input and of an output that cannot be
/// written.
int sweep_command(const SweepArguments& arguments, const std::atomic<bool>& stop, run::ProcessGroup* group = nullptr);

}  // namespace lockstep::cli::compare
