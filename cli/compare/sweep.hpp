#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/quantity.hpp"
#include "sweep_options.hpp"

namespace lockstep::cli::compare {

/// A trial at a point of a sweep.
struct SweepTrial {
  std::vector<std::string> values;  ///< of what is varied, in the order of the flags
  run::Trial trial;
  std::string task;                           ///< what it is ranked with: empty where it cannot run
  std::optional<run::RunPlan> plan{};         ///< where the record is gone, as it has failed or is too large
  std::optional<report::Figure> predicted{};  ///< the figure as the method predicts it
  std::optional<report::Figure> figure{};     ///< by which it is ranked, once it is known

  /// Null of one that cannot run.
  const run::RunPlan* known_plan() const { return trial.record ? &trial.record->plan : plan ? &*plan : nullptr; }
};

/// All trials of all points, in their order, of methods that are for their machines; nothing run yet. Throws what
/// plan_trials() throws, with the point at which it happens, and InputError if something is varied twice, is varied and
/// given, or there are too many points.
std::vector<SweepTrial> plan_sweep(const SweepArguments& arguments, const report::Quantity& criterion);

/// The files from which data, patterns and graphs are read, those that are varied too.
std::vector<host::NamedFile> inputs_of(const SweepArguments& arguments);

/// What is compared at one point.
run::TrialArguments at_point(const SweepArguments& arguments, const std::string& machine,
                             const std::vector<std::string>& values);

/// "adea", with its alternative, and with the port model where several were asked for.
std::string heading_of(const run::Trial& trial, const SweepArguments& arguments);

/// A number where the text is written as JSON writes it, else the text.
nlohmann::ordered_json json_of_value(const std::string& text);

/// For people: a line a point, a column a method, a star at the best of those that do the same.
std::string sweep_table(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                        const report::Quantity& criterion);

}  // namespace lockstep::cli::compare
