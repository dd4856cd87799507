#pragma once

#include <atomic>

#include "sweep_options.hpp"

namespace lockstep::cli::run {
class Together;
}

namespace lockstep::cli::compare {

/// Compares all methods of an operation at every point of a grid. Several processes share the runs, of which the first
/// writes down what came. Returns the exit code; throws what bad input and an output that cannot be written throw.
int sweep_command(const SweepArguments& arguments, const std::atomic<bool>& stop, run::Together* together = nullptr);

}  // namespace lockstep::cli::compare
