#include "sweep.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "comparison.hpp"
#include "flags/setting_flags.hpp"
#include "host/interrupt.hpp"
#include "host/json_value.hpp"
#include "host/number_text.hpp"
#include "host/table.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/printable.hpp"
#include "run/memory_need.hpp"
#include "run/method_choice.hpp"

namespace lockstep::cli::compare {
namespace {

constexpr std::size_t most_points = 1'000'000;

bool is_given(const SweepArguments& arguments, const std::string& name) {
  const auto& settings = arguments.trials.settings;
  if (flags::find_setting(name) == nullptr) return std::ranges::find(arguments.given, name) != arguments.given.end();
  return std::ranges::any_of(settings, [&](const auto& given) { return given.first->name == name; });
}

/// Checks the memory of the plan: all trials are planned before the first runs.
void refuse_if_too_many(const SweepArguments& arguments, std::size_t points) {
  constexpr std::size_t texts = 1024;  // about the size of a trial's names, formulas and reasons
  const std::size_t methods = run::methods_beside(arguments.trials).size() + arguments.trials.schedules.size();
  run::refuse_if_too_large("a sweep of " + host::counted(points, "point"),
                           points * methods * (sizeof(SweepTrial) + texts));
}

void refuse_grid(const SweepArguments& arguments) {
  std::set<std::string> names;
  run::refuse_twice("--machine", arguments.trials.machines);
  std::size_t points = arguments.trials.machines.size();
  for (const Variation& variation : arguments.variations) {
    if (!names.insert(variation.name).second) throw InputError("--vary " + variation.name + " is given twice");
    if (is_given(arguments, variation.name)) {
      throw InputError("--" + variation.name + " is varied and cannot also have one value");
    }
    run::refuse_twice("--vary " + variation.name, variation.values);
    if (variation.values.size() > most_points / std::max<std::size_t>(points, 1)) {
      throw InputError("this sweep has more than 1,000,000 points");
    }
    points *= variation.values.size();
  }
  refuse_if_too_many(arguments, points);
}

/// Calls visit for all combinations of the varied values, the last varying fastest.
template <class Visit>
void for_all_values(const SweepArguments& arguments, std::vector<std::string>& values, const Visit& visit) {
  if (values.size() == arguments.variations.size()) return visit(values);
  for (const std::string& value : arguments.variations[values.size()].values) {
    values.push_back(value);
    for_all_values(arguments, values, visit);
    values.pop_back();
  }
}

std::string point_text(const SweepArguments& arguments, const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t index = 0; index < values.size(); ++index) {
    text += (index == 0 ? "" : ", ") + arguments.variations[index].name + "=" + values[index];
  }
  return text;
}

/// "failed 62.5% ", with the coverage if it is known.
std::string failed_text(const SweepTrial& trial) {
  return "failed " + (trial.coverage ? host::percent(*trial.coverage) + " " : "");
}

/// The plan on a host with more memory; empty if the plan itself does not fit.
std::optional<run::RunPlan> plan_in_more_memory(const run::Trial& trial) {
  try {
    return run::plan_prediction(trial.arguments);
  } catch (const MemoryError&) {
    return {};
  }
}

}  // namespace

run::TrialArguments at_point(const SweepArguments& arguments, const std::string& machine,
                             const std::vector<std::string>& values) {
  run::TrialArguments trials = arguments.trials;
  trials.machines = {machine};
  for (std::size_t index = 0; index < values.size(); ++index) {
    set_varied(trials, arguments.variations[index].name, values[index]);
  }
  return trials;
}

std::string heading_of(const run::Trial& trial, const SweepArguments& arguments) {
  std::string text = trial.name();
  text.erase(0, text.find('/') + 1);
  const std::optional<PortModel> ports = trial.known_ports();
  if (arguments.trials.ports.size() > 1 && ports) text += " " + std::string(name(*ports));
  return text;
}

std::vector<host::NamedFile> inputs_of(const SweepArguments& arguments) {
  run::TrialArguments all = arguments.trials;
  for (const Variation& variation : arguments.variations) {
    const SettingFlag* const flag = flags::find_setting(variation.name);
    if (flag == nullptr) continue;
    for (const std::string& value : variation.values) all.settings.emplace_back(flag, value);
  }
  return inputs_of(all);
}

SweepTrial sweep_trial(run::Trial trial, const std::vector<std::string>& values, const report::Quantity& criterion) {
  SweepTrial made{.values = values, .trial = std::move(trial), .task = {}};
  if (made.trial.is_too_large) made.trial.plan = plan_in_more_memory(made.trial);
  if (!made.trial.record) return made;
  made.task = task_of(*made.trial.record);
  made.predicted = criterion.of(*made.trial.record);
  return made;
}

std::vector<SweepTrial> plan_sweep(const SweepArguments& arguments, const report::Quantity& criterion) {
  refuse_grid(arguments);
  std::vector<SweepTrial> all;
  auto points = static_cast<double>(arguments.trials.machines.size());
  for (const Variation& variation : arguments.variations) points *= static_cast<double>(variation.values.size());
  double planned = 0;
  for (const std::string& machine : arguments.trials.machines) {
    std::vector<std::string> start;
    for_all_values(arguments, start, [&](const std::vector<std::string>& values) {
      arguments.planning("predictions", planned++ / points);
      try {
        const run::TrialArguments point = at_point(arguments, machine, values);
        run::refuse_idle_faults(point);
        for (run::Trial& trial : run::plan_trials(point)) {
          if (!trial.is_for_machine()) continue;
          all.push_back(sweep_trial(std::move(trial), values, criterion));
        }
      } catch (const InputError& error) {
        if (values.empty()) throw;
        throw InputError("at " + point_text(arguments, values) + ": " + error.what());
      }
    });
  }
  return all;
}

std::function<void(std::string_view what, double part)> shown_planning(bool quiet, const std::atomic<bool>& stop,
                                                                       host::StatusLine& status) {
  return [quiet, &stop, &status](std::string_view what, double part) {
    if (stop) throw host::Interrupted();
    if (!quiet && status.is_due()) status.show(host::progress_bar(part) + std::string(what));
  };
}

std::vector<std::string> without_embedding(const std::vector<SweepTrial>& trials) {
  std::vector<std::string> lines;
  for (const SweepTrial& one : trials) {
    const run::Trial& trial = one.trial;
    if (trial.guest.empty() || trial.arguments.embedding) continue;
    const std::string line = "Left out: " + printable(trial.guest + " on " + trial.machine) + ": " + trial.reason + ".";
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  }
  return lines;
}

nlohmann::ordered_json json_of_value(const std::string& text) {
  const auto number = host::json_in(text);
  return number.is_number() && number.dump() == text ? number : nlohmann::ordered_json(text);
}

std::vector<RuledTrials> by_rules(const SweepArguments& arguments, const std::vector<SweepTrial>& trials) {
  std::map<std::pair<bool, RunRules>, RuledTrials> sets;
  std::map<std::string, RuledTrials*> set_of_method;
  const auto set_of = [&](const RunRules& rules, bool is_asked_for) -> RuledTrials& {
    const std::pair order(!is_asked_for, rules);
    return sets.try_emplace(order, RuledTrials{.rules = rules, .is_asked_for = is_asked_for}).first->second;
  };
  const auto set_of_run = [&](const run::Trial& trial) -> RuledTrials& {
    const RunRules rules = rules_of(*trial.known_plan());
    return set_of(rules, are_asked_for(rules, trial.arguments.model));  // the rules may be varied
  };
  for (const SweepTrial& trial : trials) {
    if (trial.trial.known_plan() == nullptr) continue;
    set_of_method.emplace(heading_of(trial.trial, arguments), &set_of_run(trial.trial));
  }
  if (sets.empty()) set_of({}, are_asked_for({}, arguments.trials));
  for (const SweepTrial& trial : trials) {
    const bool is_known = trial.trial.known_plan() != nullptr;
    const auto same = is_known ? set_of_method.end() : set_of_method.find(heading_of(trial.trial, arguments));
    RuledTrials& set = is_known                      ? set_of_run(trial.trial)
                       : same != set_of_method.end() ? *same->second
                                                     : sets.begin()->second;
    set.trials.push_back(&trial);
  }
  std::vector<RuledTrials> all;
  for (auto& [order, set] : sets) all.push_back(std::move(set));
  return all;
}

std::string sweep_table(const SweepArguments& arguments, const std::vector<const SweepTrial*>& trials,
                        const report::Quantity& criterion) {
  std::vector<host::Column> columns{{"machine", true, {}}};
  for (const Variation& variation : arguments.variations) columns.push_back({variation.name, false, {}});
  const std::size_t fixed = columns.size();
  for (const SweepTrial* const trial : trials) {
    const std::string heading = heading_of(trial->trial, arguments);
    const auto known = std::find_if(columns.begin() + static_cast<std::ptrdiff_t>(fixed), columns.end(),
                                    [&](const host::Column& column) { return column.heading == heading; });
    if (known == columns.end()) columns.push_back({heading, false, {}});
  }
  for (auto begin = trials.begin(); begin != trials.end();) {
    const SweepTrial& first = **begin;
    const auto end = std::find_if(begin, trials.end(), [&](const SweepTrial* trial) {
      return trial->values != first.values || trial->trial.machine != first.trial.machine;
    });
    for (host::Column& column : columns) column.cells.emplace_back();
    columns.front().cells.back() = printable(first.trial.machine);
    for (std::size_t index = 1; index < fixed; ++index) columns[index].cells.back() = first.values[index - 1];
    for (auto at = begin; at != end; ++at) {
      const SweepTrial* const trial = *at;
      const auto column =
          std::find_if(columns.begin() + static_cast<std::ptrdiff_t>(fixed), columns.end(),
                       [&](const host::Column& one) { return one.heading == heading_of(trial->trial, arguments); });
      if (trial->trial.has_failed) column->cells.back() = failed_text(*trial);
      if (!trial->figure) continue;
      const bool is_best = trial->figure->exact && std::none_of(begin, end, [&](const SweepTrial* other) {
                             return other->task == trial->task && other->figure && other->figure->exact &&
                                    criterion.is_better(*other->figure, *trial->figure);
                           });
      column->cells.back() = report::short_text(criterion, *trial->figure) + (is_best ? "*" : " ");
    }
    begin = end;
  }
  if (arguments.trials.machines.size() == 1) columns.erase(columns.begin());
  return host::plain_table(columns);
}

}  // namespace lockstep::cli::compare
