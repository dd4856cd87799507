#pragma once

#include <vector>

#include "report/quantity.hpp"
#include "sweep.hpp"

// The methods of spanning machines that tables show beside a machine's own: at every point, for every task and set of
// rules, one of the best, if they are predicted to beat all of the machine's own methods. So tables stay short, and no
// machine does worse than what lies in it.
namespace lockstep::cli::compare {

/// Adds those that beat the machines' own methods by one of the quantities.
void add_guests(const run::TrialArguments& arguments, const std::vector<const report::Quantity*>& quantities,
                std::vector<run::Trial>& trials);

/// The same at the points of a sweep, by the criterion; the arguments get them too. Where a machine has many points,
/// only methods take part that are among the first and near to its own at some of them.
void add_guests(SweepArguments& arguments, const report::Quantity& criterion, std::vector<SweepTrial>& trials);

}  // namespace lockstep::cli::compare
