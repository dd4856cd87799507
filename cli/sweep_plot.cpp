#include "sweep_plot.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "comparison.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "number_text.hpp"

namespace lockstep::cli {
namespace {

/// Where the trial lies on the x axis, and what people call that place.
double x_of(const SweepArguments& arguments, const SweepTrial& trial) {
  if (!is_over_machines(arguments)) return *number_of(trial.values.front());
  return static_cast<double>(parse_machine(trial.trial.machine).processors);
}
const std::string& place_of(const SweepArguments& arguments, const SweepTrial& trial) {
  return is_over_machines(arguments) ? trial.trial.machine : trial.values.front();
}

std::string x_label(const SweepArguments& arguments) {
  if (is_over_machines(arguments)) return "processors";
  const std::string& name = arguments.variations.front().name;
  if (name == "matrix") return "elements of the matrix";
  if (name == "tau") return "tau (time a word)";
  if (name == "beta") return "beta (time a start-up)";
  if (name == "copy-cost") return "copy cost (time a word)";
  return name == "max-packet" ? "max-packet (words)" : name;
}

std::string y_label(const Quantity& criterion) {
  if (criterion.name == "run_s") return "wall-clock time (s)";
  if (criterion.is_count) return title_of(criterion) + (criterion.name == "longest_sum" ? " (words)" : "");
  return title_of(criterion) + " (in the unit of beta and tau)";
}

std::string varied_name(const SweepArguments& arguments) {
  return is_over_machines(arguments) ? "" : arguments.variations.front().name;
}

/// What is known exactly of the trial, predicted before run.
std::optional<Contender> contender_of(const SweepArguments& arguments, const SweepTrial& trial) {
  const bool is_predicted = trial.predicted && trial.predicted->exact;
  const std::optional<Figure>& figure = is_predicted ? trial.predicted : trial.figure;
  if (!trial.trial.record || !trial.figure || !figure->exact) return {};
  return Contender{.name = heading_of(trial.trial, arguments),
                   .task = task_of(*trial.trial.record, varied_name(arguments)),
                   .figure = figure->value,
                   .is_predicted = is_predicted};
}

/// In the order of the axis.
std::vector<RacePoint> race_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials) {
  std::map<double, RacePoint> points;
  for (const SweepTrial& trial : trials) {
    RacePoint& point = points[x_of(arguments, trial)];
    point.value = place_of(arguments, trial);
    if (const auto contender = contender_of(arguments, trial)) point.contenders.push_back(*contender);
  }
  std::vector<RacePoint> race;
  for (auto& [x, point] : points) race.push_back(std::move(point));
  return race;
}

bool is_varied(const SweepArguments& arguments, std::string_view name) {
  return std::ranges::any_of(arguments.variations, [&](const Variation& variation) { return variation.name == name; });
}

/// The sides of a grid: what is on each axis.
struct Sides {
  std::vector<std::string> names[2];
  std::string labels[2];
  std::size_t index_of(int side, const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(names[side], name) - names[side].begin());
  }
};

std::string side_of(const SweepArguments& arguments, const SweepTrial& trial, int side) {
  const bool by_machine = arguments.variations.size() == 1;
  if (side == 0) return trial.values[0];
  return by_machine ? trial.trial.machine : trial.values[1];
}

Sides sides_of(const SweepArguments& arguments) {
  const bool by_machine = arguments.variations.size() == 1;
  Sides sides;
  sides.names[0] = arguments.variations[0].values;
  sides.labels[0] = arguments.variations[0].name;
  sides.names[1] = by_machine ? arguments.trials.machines : arguments.variations[1].values;
  sides.labels[1] = by_machine ? "machine" : arguments.variations[1].name;
  return sides;
}

/// Calls visit for every two leads of which one follows the other.
template <class Visit>
void for_changes(const std::vector<Lead>& leads, const Visit& visit) {
  for (std::size_t index = 1; index < leads.size(); ++index) {
    if (leads[index - 1].task == leads[index].task) visit(leads[index - 1], leads[index]);
  }
}

/// What a method does, whatever its size.
std::string kind_of(const SweepTrial& trial) {
  const Method& method = *trial.trial.record->plan.method;
  return std::string(method.operation) + (method.mapping.empty() ? "" : ", " + std::string(method.mapping));
}

/// The kind that most trials are of.
std::string commonest_kind(const std::vector<SweepTrial>& trials) {
  std::map<std::string, std::size_t> counts;
  for (const SweepTrial& trial : trials) {
    if (trial.trial.record) ++counts[kind_of(trial)];
  }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
  return most == counts.end() ? "" : most->first;
}

}  // namespace

bool is_over_machines(const SweepArguments& arguments) { return arguments.variations.empty(); }

std::optional<double> number_of(const std::string& value) {
  double product = 1;
  const char* at = value.data();
  const char* const last = at + value.size();
  for (;;) {
    double side = 0;
    const auto [end, error] = std::from_chars(at, last, side);
    if (error != std::errc()) return {};
    product *= side;
    if (end == last) return product;
    if (*end != 'x') return {};
    at = end + 1;
  }
}

Scale scale_of(const SweepArguments& arguments) {
  if (is_over_machines(arguments)) return Scale::names;
  const std::string& name = arguments.variations.front().name;
  if (name == "matrix") return Scale::names;
  return name == "beta" || name == "tau" || name == "copy-cost" ? Scale::numbers : Scale::whole_numbers;
}

std::vector<Trial> trials_at(const SweepArguments& arguments, const std::string& value) {
  return plan_trials(is_over_machines(arguments) ? at_point(arguments, value, {})
                                                 : at_point(arguments, arguments.trials.machines.front(), {value}));
}

std::string place_text(const SweepArguments& arguments, const std::string& value) {
  if (is_over_machines(arguments)) return printable(value);
  const std::string& name = arguments.variations.front().name;
  return name == "words" ? counted(std::stoull(value), "word") : name + " " + printable(value);
}

std::string subject_text(const SweepArguments& arguments, const std::vector<SweepTrial>& trials) {
  std::string text = arguments.trials.operation;
  if (arguments.trials.machines.size() == 1) text += " on " + arguments.trials.machines.front();
  const auto planned = std::ranges::find_if(trials, [](const SweepTrial& at) { return at.trial.record.has_value(); });
  if (planned == trials.end()) return text;
  const CostModel& cost = planned->trial.record->plan.model.cost;
  if (!is_varied(arguments, "beta")) text += ", beta " + short_number(cost.beta);
  if (!is_varied(arguments, "tau")) text += ", tau " + short_number(cost.tau);
  return text;
}

bool is_grid(const SweepArguments& arguments) {
  const std::size_t sides = arguments.variations.size() + (arguments.trials.machines.size() > 1 ? 1 : 0);
  return sides > 1;
}

void refuse_undrawable(const SweepArguments& arguments) {
  const std::size_t sides = arguments.variations.size() + (arguments.trials.machines.size() > 1 ? 1 : 0);
  if (sides > 2) throw InputError("--plot draws one thing that is varied, or two as a map; this sweep varies three");
  if (is_grid(arguments)) return;
  for (const Variation& variation : arguments.variations) {
    for (const std::string& value : variation.values) {
      if (number_of(value)) continue;
      throw InputError("--plot cannot draw over --vary " + variation.name + ": " + quoted(value) + " is no number");
    }
  }
}

std::vector<Lead> leads_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                           const Quantity& criterion) {
  if (is_grid(arguments)) return {};
  const bool has_order = is_over_machines(arguments) || std::ranges::all_of(trials, [](const SweepTrial& trial) {
                           return number_of(trial.values.front()).has_value();
                         });
  if (!has_order) return {};
  SweepArguments predicting = arguments;
  predicting.trials.predict = true;
  const auto predicted_at = [&](const std::string& value) {
    std::vector<Contender> contenders;
    try {
      for (Trial& trial : trials_at(predicting, value)) {
        if (!trial.record) continue;
        const std::optional<Figure> predicted = criterion.of(*trial.record);
        const SweepTrial at{
            .values = {value}, .trial = std::move(trial), .task = {}, .predicted = predicted, .figure = predicted};
        if (const auto contender = contender_of(arguments, at)) contenders.push_back(*contender);
      }
    } catch (const InputError&) {  // nothing can run there
    }
    return contenders;
  };
  return leads(race_of(arguments, trials), scale_of(arguments), predicted_at);
}

std::string changes_text(const SweepArguments& arguments, const std::vector<Lead>& leads) {
  std::string text;
  for_changes(leads, [&](const Lead& before, const Lead& lead) {
    text += lead.name + " is ahead of " + before.name + " from " + place_text(arguments, lead.from) + " on";
    text += (lead.is_exact ? "" : " (at " + printable(before.to) + " it was not)") + std::string("\n");
  });
  return text;
}

Plot plot_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials, const Quantity& criterion,
             const std::vector<Lead>& leads) {
  std::vector<double> xs;
  std::vector<double> ys;
  std::map<std::string, PlotSeries> series;
  std::vector<std::string> order;
  for (const SweepTrial& trial : trials) {
    const std::string heading = heading_of(trial.trial, arguments);
    if (std::ranges::find(order, heading) == order.end()) order.push_back(heading);
    PlotSeries& one = series[heading];
    one.title = heading;
    const double x = x_of(arguments, trial);
    const auto add = [&](const std::optional<Figure>& figure, std::vector<PlotPoint>& points) {
      if (!figure || !figure->exact) return;
      points.push_back({x, static_cast<double>(figure->value)});
      xs.push_back(x);
      ys.push_back(points.back().y);
    };
    if (!trial.figure) continue;  // it cannot run, whatever is predicted
    add(trial.predicted, one.line);
    if (!arguments.trials.predict) add(trial.figure, one.points);
  }
  Plot plot{.title = subject_text(arguments, trials) +
                     (arguments.trials.predict ? ", as predicted" : " (lines are predictions, points are runs)"),
            .x = axis_for(x_label(arguments), xs),
            .y = axis_for(y_label(criterion), ys),
            .series = {},
            .marks = {}};
  for (const std::string& heading : order) {
    PlotSeries& one = series[heading];
    std::ranges::sort(one.line, {}, &PlotPoint::x);
    std::ranges::sort(one.points, {}, &PlotPoint::x);
    plot.series.push_back(std::move(one));
  }
  for_changes(leads, [&](const Lead&, const Lead& lead) {
    const double x =
        is_over_machines(arguments) ? static_cast<double>(parse_machine(lead.from).processors) : *number_of(lead.from);
    plot.marks.push_back({x, lead.name + " from " + lead.from});
  });
  return plot;
}

WinnerMap map_of(const SweepArguments& arguments, const std::vector<SweepTrial>& trials, const Quantity& criterion) {
  const Sides sides = sides_of(arguments);
  const std::string kind = commonest_kind(trials);
  WinnerMap map{.title = "The best of " + kind + " by " + title_of(criterion) + ": " + subject_text(arguments, trials),
                .x_label = sides.labels[0],
                .y_label = sides.labels[1],
                .x_values = sides.names[0],
                .y_values = sides.names[1],
                .names = {},
                .at = {}};
  map.at.assign(sides.names[0].size(), std::vector<std::optional<std::size_t>>(sides.names[1].size()));
  std::map<std::pair<std::size_t, std::size_t>, const SweepTrial*> best;
  for (const SweepTrial& trial : trials) {
    if (!trial.trial.record || !trial.figure || !trial.figure->exact || kind_of(trial) != kind) continue;
    const std::pair place{sides.index_of(0, side_of(arguments, trial, 0)),
                          sides.index_of(1, side_of(arguments, trial, 1))};
    const SweepTrial*& known = best[place];
    if (known == nullptr || trial.figure->value < known->figure->value) known = &trial;
  }
  for (const auto& [place, trial] : best) {
    const std::string heading = heading_of(trial->trial, arguments);
    const auto known = std::ranges::find(map.names, heading);
    map.at[place.first][place.second] = static_cast<std::size_t>(known - map.names.begin());
    if (known == map.names.end()) map.names.push_back(heading);
  }
  return map;
}

}  // namespace lockstep::cli
