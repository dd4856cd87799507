#pragma once

#include <string>
#include <vector>

#include "sweep.hpp"

namespace lockstep::cli::compare {

/// Whether the seed of faults is varied: the runs are samples.
bool is_over_fault_seeds(const SweepArguments& arguments);

/// Text: a row per method and point of what else is varied. It has the number of runs, the share that delivered, which
/// is that of verified runs, the least, the quartiles and the median of the coverage of all runs, and the median of the
/// criterion of those that delivered.
std::string outcomes_table(const SweepArguments& arguments, const std::vector<const SweepTrial*>& trials,
                           const report::Quantity& criterion);

}  // namespace lockstep::cli::compare
