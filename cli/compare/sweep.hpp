#pragma once

#include <atomic>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/status_line.hpp"
#include "report/quantity.hpp"
#include "rules.hpp"
#include "sweep_options.hpp"

namespace lockstep::cli::compare {

/// A trial at a point of a sweep.
struct SweepTrial {
  std::vector<std::string> values;  ///< of the variations, in the order of the flags
  run::Trial trial;
  std::string task;                           ///< of equal ones under equal rules some are best; empty if it cannot run
  std::optional<report::Figure> predicted{};  ///< the method's prediction of the figure
  std::optional<report::Figure> figure{};     ///< by which it is ranked, once it is known
  std::optional<double> coverage{};           ///< of its run, once it is known
};

/// All trials of all points, in order, with the methods for each machine; none has run yet. Throws what plan_trials()
/// throws, with the point at which it happens, and InputError if a name is varied twice, is varied and given, or there
/// are too many points.
std::vector<SweepTrial> plan_sweep(const SweepArguments& arguments, const report::Quantity& criterion);

/// A hearer of planning that shows it on the line, unless quiet, and throws Interrupted once `stop` is set. Both must
/// outlive it.
std::function<void(std::string_view what, double part)> shown_planning(bool quiet, const std::atomic<bool>& stop,
                                                                       host::StatusLine& status);

/// The trial at that point, with its prediction of the criterion; one that is too large for the host has its plan.
SweepTrial sweep_trial(run::Trial trial, const std::vector<std::string>& values, const report::Quantity& criterion);

/// The files from which data, patterns and graphs are read, including varied ones.
std::vector<host::NamedFile> inputs_of(const SweepArguments& arguments);

/// The trials' arguments at one point.
run::TrialArguments at_point(const SweepArguments& arguments, const std::string& machine,
                             const std::vector<std::string>& values);

/// "adea", "two-phase on path:16", and with the port model if several were given.
std::string heading_of(const run::Trial& trial, const SweepArguments& arguments);

/// The guest of --embed on each machine that cannot hold it, with the reason: a line each.
std::vector<std::string> without_embedding(const std::vector<SweepTrial>& trials);

/// A number if the text is one in JSON's form, else the text.
nlohmann::ordered_json json_of_value(const std::string& text);

/// The trials under equal rules.
struct RuledTrials {
  RunRules rules;
  bool is_asked_for;  ///< these rules are
  std::vector<const SweepTrial*> trials{};
};

/// The trials by their rules, those that are asked for first; at least one set. A trial that cannot run is with others
/// of its method, else in the first.
std::vector<RuledTrials> by_rules(const SweepArguments& arguments, const std::vector<SweepTrial>& trials);

/// Text: a row per point, a column per method, a star at the best for each task; runs that failed have their coverage.
/// The rules of all are equal.
std::string sweep_table(const SweepArguments& arguments, const std::vector<const SweepTrial*>& trials,
                        const report::Quantity& criterion);

}  // namespace lockstep::cli::compare
