#pragma once

#include <vector>

#include "lead.hpp"
#include "report/plot.hpp"
#include "sweep.hpp"

namespace lockstep::cli::compare {

/// All methods at one value of the one variation, not yet run. Throws what plan_trials() throws.
std::vector<run::Trial> trials_at(const SweepArguments& arguments, const std::string& value);

/// The leads along the one variation; empty for values without an order, and in a grid.
std::vector<Lead> leads_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                           const report::Quantity& criterion);

/// "sbt-pipelined is ahead of sbt from 37 words on": one line per change of the lead.
std::string changes_text(const SweepArguments& arguments, const std::vector<Lead>& leads);

/// "allgather on hypercube:8, beta 100, tau 1".
std::string subject_text(const SweepArguments& arguments, const std::vector<SweepTrial>& trials);

/// Throws InputError for what cannot be drawn: three variations, or values without an order.
void refuse_undrawable(const SweepArguments& arguments);

/// Curves over the one variation, one per method, and marks where the lead changes.
report::Plot plot_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                     const report::Quantity& criterion, const std::vector<Lead>& leads);

/// The plot with a title that says what lines and points are.
report::Plot described(report::Plot plot);

/// The best method at every point of a grid, for the task that most methods do; of equal ones the first.
report::WinnerMap map_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                         const report::Quantity& criterion);

}  // namespace lockstep::cli::compare
