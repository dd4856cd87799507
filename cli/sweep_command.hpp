#pragma once

#include <atomic>

#include "sweep_options.hpp"

namespace lockstep::cli {

/// Compares all methods of an operation at every point of a grid. Returns the exit code; throws what bad input and an
/// output that cannot be written throw.
int sweep_command(const SweepArguments& arguments, const std::atomic<bool>& stop);

}  // namespace lockstep::cli
