#pragma once

#include <atomic>

#include "compare_options.hpp"

namespace lockstep::cli::compare {

/// `lockstep compare`. Returns the exit code; throws the errors of bad input, of an output that cannot be written and
/// of an interrupt.
int compare_command(const CompareArguments& arguments, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::compare
