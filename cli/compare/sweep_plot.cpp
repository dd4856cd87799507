#include "sweep_plot.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "comparison.hpp"
#include "host/joined.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "plot_title.hpp"
#include "sweep_axis.hpp"

namespace lockstep::cli::compare {
namespace {

const std::string& value_of(const SweepArguments& arguments, const SweepTrial& trial) {
  return is_over_machines(arguments) ? trial.trial.machine : trial.values.front();
}

/// The trial's exact figure, predicted if possible, else measured.
std::optional<Contender> contender_of(const SweepArguments& arguments, const SweepTrial& trial) {
  const bool is_predicted = trial.predicted && trial.predicted->exact;
  const std::optional<report::Figure>& figure = is_predicted ? trial.predicted : trial.figure;
  if (!trial.trial.record || !trial.figure || !figure->exact) return {};
  return Contender{.name = heading_of(trial.trial, arguments),
                   .task = task_of(*trial.trial.record, varied_name(arguments)),
                   .figure = figure->value,
                   .is_predicted = is_predicted,
                   .rules = rules_of(trial.trial.record->plan)};
}

/// The points in the order of the axis.
std::vector<RacePoint> race_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials) {
  std::map<double, RacePoint> points;
  for (const SweepTrial& trial : trials) {
    RacePoint& point = points[place_of(arguments, value_of(arguments, trial))];
    point.value = value_of(arguments, trial);
    if (const auto contender = contender_of(arguments, trial)) point.contenders.push_back(*contender);
  }
  std::vector<RacePoint> race;
  for (auto& [x, point] : points) race.push_back(std::move(point));
  return race;
}

/// All exact predictions at a value; empty if nothing can run there.
std::vector<Contender> predicted_at(const SweepArguments& arguments, const std::string& value,
                                    const report::Quantity& criterion) {
  SweepArguments predicting = arguments;
  predicting.trials.predict = true;
  std::vector<Contender> contenders;
  try {
    for (run::Trial& trial : trials_at(predicting, value)) {
      if (!trial.record) continue;
      const std::optional<report::Figure> predicted = criterion.of(*trial.record);
      const SweepTrial at{
          .values = {value}, .trial = std::move(trial), .task = {}, .predicted = predicted, .figure = predicted};
      if (const auto contender = contender_of(arguments, at)) contenders.push_back(*contender);
    }
  } catch (const InputError&) {
  }
  return contenders;
}

/// Calls visit for every two consecutive leads of a race.
template <class Visit>
void for_changes(const std::vector<Lead>& leads, const Visit& visit) {
  for (std::size_t index = 1; index < leads.size(); ++index) {
    if (leads[index - 1].is_beside(leads[index])) visit(leads[index - 1], leads[index]);
  }
}

/// The trial's task without its size.
std::string kind_of(const SweepTrial& trial) {
  const Method& method = *trial.trial.record->plan.method;
  return std::string(method.operation) + (method.mapping.empty() ? "" : ", " + std::string(method.mapping));
}

/// The number of trials of every kind.
std::map<std::string, std::size_t> kinds_of(const std::vector<SweepTrial>& trials) {
  std::map<std::string, std::size_t> counts;
  for (const SweepTrial& trial : trials) {
    if (trial.trial.record) ++counts[kind_of(trial)];
  }
  return counts;
}

/// The curves of methods, those of equal rules together, else in the order of their first use.
class SweepCurves {
 public:
  explicit SweepCurves(CurveNames names) : names_(std::move(names)) {}

  report::PlotSeries& of(const std::string& method, const RunRules& rules) {
    std::vector<report::PlotSeries>& group = groups_[names_.number_of(rules)];
    const auto known = std::ranges::find(group, method, &report::PlotSeries::title);
    if (known != group.end()) return *known;
    return group.emplace_back(
        report::PlotSeries{.title = method, .line = {}, .points = {}, .group = names_.group_of(rules)});
  }
  std::vector<report::PlotSeries> take() {
    std::vector<report::PlotSeries> all;
    for (auto& [number, group] : groups_) {
      for (report::PlotSeries& one : group) {
        std::ranges::sort(one.line, {}, &report::PlotPoint::x);
        std::ranges::sort(one.points, {}, &report::PlotPoint::x);
        all.push_back(std::move(one));
      }
    }
    return all;
  }

 private:
  CurveNames names_;
  std::map<std::size_t, std::vector<report::PlotSeries>> groups_;  // by the number of the rules
};

/// The point of a trial that has a figure.
report::PlotPoint point_of(const SweepTrial& trial, double x, const report::Quantity& criterion) {
  report::PlotPoint point{x, static_cast<double>(trial.figure->value)};
  if (criterion.name == "run_s" && trial.trial.record) point.interval = trial.trial.record->wall.run.interval;
  return point;
}

/// One side of a grid.
struct GridSide {
  std::vector<std::string> values;
  std::string label;
  std::map<std::string, std::size_t> places{};

  GridSide(std::vector<std::string> given, std::string name)
      : values(in_order(std::move(given))), label(std::move(name)) {
    for (std::size_t index = 0; index < values.size(); ++index) places.emplace(values[index], index);
  }
};

/// The map of trials under equal rules, of one kind of task; without a title.
report::WinnerMap map_of(const SweepArguments& arguments, const std::vector<const SweepTrial*>& trials,
                         const report::Quantity& criterion, const std::string& kind) {
  const bool by_machine = arguments.variations.size() == 1;
  const GridSide x(arguments.variations[0].values, axis_label(arguments, arguments.variations[0].name));
  const GridSide y =
      by_machine ? GridSide(arguments.trials.machines, "machine")
                 : GridSide(arguments.variations[1].values, axis_label(arguments, arguments.variations[1].name));
  report::WinnerMap map{.title = {},
                        .x_label = x.label,
                        .y_label = y.label,
                        .x_values = x.values,
                        .y_values = y.values,
                        .names = {},
                        .at = {}};
  map.at.assign(x.values.size(), std::vector<std::optional<std::size_t>>(y.values.size()));
  std::map<std::pair<std::size_t, std::size_t>, std::vector<const SweepTrial*>> best;
  for (const SweepTrial* const trial : trials) {
    if (!trial->trial.record || !trial->figure || !trial->figure->exact || kind_of(*trial) != kind) continue;
    const std::string& second = by_machine ? trial->trial.machine : trial->values[1];
    std::vector<const SweepTrial*>& known = best[{x.places.at(trial->values[0]), y.places.at(second)}];
    if (!known.empty() && criterion.is_better(*known.front()->figure, *trial->figure)) continue;
    if (!known.empty() && criterion.is_better(*trial->figure, *known.front()->figure)) known.clear();
    known.push_back(trial);
  }
  for (const auto& [place, equal] : best) {
    const std::string names = host::joined(
        equal, [&](const SweepTrial* trial) { return heading_of(trial->trial, arguments); }, " and ");
    const auto known = std::ranges::find(map.names, names);
    map.at[place.first][place.second] = static_cast<std::size_t>(known - map.names.begin());
    if (known == map.names.end()) map.names.push_back(names);
  }
  return map;
}

}  // namespace

CurveNames::CurveNames(const SweepArguments& arguments, const std::vector<SweepTrial>& trials) {
  for (const RuledTrials& set : by_rules(arguments, trials)) rules_.push_back(set.rules);
}

std::string CurveNames::of(const std::string& method, const RunRules& rules) const {
  return rules_.size() > 1 ? method + " (" + compare::text_of(rules) + ")" : method;
}

std::string CurveNames::group_of(const RunRules& rules) const { return rules_.size() > 1 ? whole_text_of(rules) : ""; }

std::size_t CurveNames::number_of(const RunRules& rules) const {
  return static_cast<std::size_t>(std::ranges::find(rules_, rules) - rules_.begin());
}

std::vector<run::Trial> trials_at(const SweepArguments& arguments, const std::string& value) {
  return run::plan_trials(is_over_machines(arguments)
                              ? at_point(arguments, value, {})
                              : at_point(arguments, arguments.trials.machines.front(), {value}));
}

std::vector<Lead> leads_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                           const report::Quantity& criterion) {
  if (varied_things(arguments) != 1 || !why_no_order(arguments).empty()) return {};
  if (criterion.is_more_better || varied_name(arguments).ends_with("seed")) return {};
  const std::vector<RacePoint> race = race_of(arguments, trials);
  const auto is_before = [&](double place) {
    return [&, place](const RacePoint& point) { return place_of(arguments, point.value) < place; };
  };
  std::vector<Lead> all = leads(race, between_values(arguments), [&](const std::string& value) {
    const auto before = std::ranges::count_if(race, is_before(place_of(arguments, value)));
    arguments.planning("changes of the lead", static_cast<double>(before) / static_cast<double>(race.size()));
    return predicted_at(arguments, value, criterion);
  });
  std::ranges::stable_sort(all, {}, [&](const Lead& lead) { return order_of(lead.rules, arguments.trials); });
  return all;
}

std::string changes_text(const SweepArguments& arguments, const std::vector<Lead>& leads) {
  std::set<std::string> tasks;
  for (const Lead& lead : leads) tasks.insert(lead.task);
  std::string text;
  for_changes(leads, [&](const Lead& before, const Lead& lead) {
    text += (tasks.size() > 1 ? lead.task + ": " : "") + lead.name + " is ahead of " + before.name + " from " +
            value_text(arguments, lead.from) + " on";
    text += (lead.is_exact ? "" : " (at " + printable(before.to) + " it was not)") + std::string("\n");
  });
  return text;
}

void refuse_undrawable(const SweepArguments& arguments) {
  if (varied_things(arguments) > 2) {
    throw InputError("--plot draws one variation, or two as a map; this sweep has " +
                     std::to_string(varied_things(arguments)));
  }
  if (varied_things(arguments) != 1) return;
  const std::string reason = why_no_order(arguments);
  if (!reason.empty()) throw InputError("--plot cannot draw over " + varied_name(arguments) + ": " + reason);
}

// Predictions where the lead changes are drawn as well, so that curves cross at the marks; only the values that were
// asked for choose the ticks.
report::Plot plot_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                     const report::Quantity& criterion, const std::vector<Lead>& leads) {
  std::vector<double> xs;
  std::vector<double> ys;
  const CurveNames names(arguments, trials);
  SweepCurves curves(names);
  const auto add = [&](std::vector<report::PlotPoint>& points, const report::PlotPoint& point) {
    points.push_back(point);
    ys.push_back(point.y);
  };
  std::set<std::string> drawn;
  for (const SweepTrial& trial : trials) {
    const std::string& value = value_of(arguments, trial);
    drawn.insert(value);
    const run::RunPlan* const plan = trial.trial.known_plan();
    if (!trial.figure || plan == nullptr) continue;  // it cannot run, even if it has a prediction
    report::PlotSeries& curve = curves.of(heading_of(trial.trial, arguments), rules_of(*plan));
    const double x = place_of(arguments, value);
    xs.push_back(x);
    if (trial.predicted && trial.predicted->exact) add(curve.line, {x, static_cast<double>(trial.predicted->value)});
    if (!arguments.trials.predict && trial.figure->exact) add(curve.points, point_of(trial, x, criterion));
  }
  for (const Lead& lead : leads) {
    for (const std::string& value : {lead.from, lead.to}) {
      if (!drawn.insert(value).second) continue;
      for (const Contender& one : predicted_at(arguments, value, criterion)) {
        add(curves.of(one.name, one.rules).line, {place_of(arguments, value), static_cast<double>(one.figure)});
      }
    }
  }
  report::Plot plot{
      .title = operation_text(arguments) + ": " + shown_by(criterion) + below_title(arguments, trials, criterion),
      .x = report::axis_for(is_over_machines(arguments) ? "processors" : axis_label(arguments, varied_name(arguments)),
                            xs),
      .y = report::axis_for(y_label(arguments, criterion), ys),
      .series = curves.take(),
      .marks = {}};
  for_changes(leads, [&](const Lead&, const Lead& lead) {
    plot.marks.push_back({place_of(arguments, lead.from), names.of(lead.name, lead.rules) + " from " + lead.from});
  });
  return plot;
}

report::Plot described(report::Plot plot) {
  const auto any = [&](std::vector<report::PlotPoint> report::PlotSeries::*drawn) {
    return std::ranges::any_of(plot.series, [&](const report::PlotSeries& series) { return !(series.*drawn).empty(); });
  };
  if (!any(&report::PlotSeries::points)) plot.title += "\nas predicted";
  if (any(&report::PlotSeries::points) && any(&report::PlotSeries::line))
    plot.title += "\nlines are predictions, points are runs";
  return plot;
}

std::vector<report::WinnerMap> maps_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                                       const report::Quantity& criterion) {
  const auto kinds = kinds_of(trials);
  const auto most = std::ranges::max_element(kinds, {}, [](const auto& kind) { return kind.second; });
  const std::string kind = most == kinds.end() ? "" : most->first;
  const std::vector<RuledTrials> sets = by_rules(arguments, trials);
  std::vector<report::WinnerMap> maps;
  for (const RuledTrials& set : sets) {
    report::WinnerMap map = map_of(arguments, set.trials, criterion, kind);
    if (maps.empty()) {
      map.title = "The best by " + shown_by(criterion) + ": " + operation_text(arguments) +
                  (kinds.size() > 1 ? ", only " + kind : "") + below_title(arguments, trials, criterion) +
                  (arguments.trials.predict ? "\nas predicted" : "");
    }
    if (sets.size() > 1) {
      map.title += (maps.empty() ? "\n" : "") + std::string(set.is_asked_for ? "" : "under other rules: ") +
                   whole_text_of(set.rules);
    }
    if (!map.names.empty()) maps.push_back(std::move(map));
  }
  return maps;
}

}  // namespace lockstep::cli::compare
