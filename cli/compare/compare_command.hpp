#pragma once

#include <atomic>

#include "compare_options.hpp"

namespace lockstep::cli::compare {

/// Runs or predicts all methods of an operation and shows them side by side. Returns the exit code; throws what bad
/// input, an output that cannot be written and an interrupt throw.
int compare_command(const CompareArguments& arguments, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::compare
