#pragma once

#include <vector>

#include "lead.hpp"
#include "report/plot.hpp"
#include "sweep.hpp"

namespace lockstep::cli::compare {

/// All methods at one value of the one variation, not yet run. Throws what plan_trials() throws.
std::vector<run::Trial> trials_at(const SweepArguments& arguments, const std::string& value);

/// The leads along the one variation, those under rules that are asked for first; empty for values without an order,
/// in a grid, over seeds, and for speed-ups.
std::vector<Lead> leads_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                           const report::Quantity& criterion);

/// "sbt-pipelined is ahead of sbt from 37 words on": one line per change of the lead.
std::string changes_text(const SweepArguments& arguments, const std::vector<Lead>& leads);

/// Throws InputError for what cannot be drawn: three variations, or values without an order.
void refuse_undrawable(const SweepArguments& arguments);

/// Curves over the one variation, one per method, and marks where the lead changes.
report::Plot plot_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                     const report::Quantity& criterion, const std::vector<Lead>& leads);

/// The names of a plot's curves: the method's, in a group of equal rules if those of the trials differ.
class CurveNames {
 public:
  CurveNames(const SweepArguments& arguments, const std::vector<SweepTrial>& trials);

  /// "sbt", or "sbt (one port)" if rules differ.
  std::string of(const std::string& method, const RunRules& rules) const;
  /// "one port, full duplex"; empty if all rules are equal.
  std::string group_of(const RunRules& rules) const;
  /// The number of the rules among those of all trials, from 0.
  std::size_t number_of(const RunRules& rules) const;

 private:
  std::vector<RunRules> rules_;
};

/// The plot with a title that says what lines and points are, where there are predictions.
report::Plot described(report::Plot plot);

/// The best methods at every point of a grid, for the task that most methods do: a map for every set of rules.
std::vector<report::WinnerMap> maps_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                                       const report::Quantity& criterion);

}  // namespace lockstep::cli::compare
