#pragma once

#include <atomic>

#include "best_options.hpp"

namespace lockstep::cli::compare {

/// Shows which method is best where. Returns the exit code; throws what bad input, an output that cannot be written and
/// an interrupt throw.
int best_command(const BestArguments& arguments, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::compare
