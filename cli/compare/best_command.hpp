#pragma once

#include <atomic>

#include "best_options.hpp"

namespace lockstep::cli::compare {

/// `lockstep best`. Returns the exit code; throws the errors of bad input, of an output that cannot be written and of
/// an interrupt.
int best_command(const BestArguments& arguments, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::compare
