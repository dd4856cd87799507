#include "plot_title.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "host/host_facts.hpp"
#include "host/number_text.hpp"
#include "sweep_axis.hpp"

namespace lockstep::cli::compare {
namespace {

bool is_wall_clock(const report::Quantity& criterion) { return criterion.name == "run_s"; }

/// Whether it is measured: wall-clock, or a speed-up or an efficiency made of it.
bool is_measured(const report::Quantity& criterion) { return is_wall_clock(criterion) || criterion.is_more_better; }

/// The first trial that can run; null if there is none.
const run::RunRecord* first_record(const std::vector<SweepTrial>& trials) {
  const auto planned = std::ranges::find_if(trials, [](const SweepTrial& at) { return at.trial.record.has_value(); });
  return planned == trials.end() ? nullptr : &*planned->trial.record;
}

/// What is the same at all points, a text each: parameters, rules if all have the same, and costs where they matter.
std::vector<std::string> constants(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                                   const report::Quantity& criterion) {
  std::vector<std::string> texts;
  const run::RunRecord* const record = first_record(trials);
  if (record == nullptr) return texts;
  const Settings& settings = record->plan.settings;
  if (settings.words && !is_varied(arguments, "words")) texts.push_back(host::counted(*settings.words, "word"));
  for (const auto& [flag, value] : arguments.trials.settings) {
    if (flag->name != "words") texts.push_back(std::string(flag->name) + " " + value);
  }
  const std::vector<RuledTrials> sets = by_rules(arguments, trials);
  if (sets.size() == 1) texts.push_back(whole_text_of(sets.front().rules));
  if (is_measured(criterion)) return texts;
  const flags::ModelArguments& model = arguments.trials.run.model;
  if (model.preset != nullptr) texts.push_back("preset " + std::string(model.preset->name));
  if (is_varied(arguments, "preset")) return texts;
  const CostModel cost = run::given_model(record->plan).cost;
  if (!is_varied(arguments, "beta")) texts.push_back("beta " + host::short_number(cost.beta));
  if (!is_varied(arguments, "tau")) texts.push_back("tau " + host::short_number(cost.tau));
  return texts;
}

/// How wall-clock was measured, and where: lines of a title.
std::string measured_text(const SweepArguments& arguments, const std::vector<SweepTrial>& trials) {
  std::string text;
  const auto measured = std::ranges::find_if(
      trials, [](const SweepTrial& at) { return at.trial.record && at.trial.record->has_ended(); });
  if (measured != trials.end()) {
    const run::WallClock& wall = measured->trial.record->wall;
    if (!is_varied(arguments, "threads")) text += "\n" + host::counted(wall.threads, "thread") + " of " + wall.executor;
  }
  const host::HostFacts& facts = host::host_facts();
  text += text.empty() ? "\non " : " on ";
  text +=
      (facts.processor.empty() ? "a host" : facts.processor) + " with " + host::counted(facts.cores, "hardware thread");
  const bool has_intervals = std::ranges::any_of(
      trials, [](const SweepTrial& at) { return at.trial.record && at.trial.record->wall.run.interval.has_value(); });
  const std::uint64_t repeats = arguments.trials.run.repeat;
  text += repeats == 1 ? "\none run each" : "\nmedians of " + host::grouped(repeats) + " runs";
  return text + (has_intervals ? "; bars are their 95 % intervals" : "");
}

}  // namespace

std::string shown_by(const report::Quantity& criterion) {
  if (is_wall_clock(criterion)) return "wall-clock time";
  return criterion.name == "words" ? "moved words" : report::title_of(criterion);
}

std::string y_label(const SweepArguments& arguments, const report::Quantity& criterion) {
  const std::string shown = shown_by(criterion);
  if (is_wall_clock(criterion)) return shown + " (s)";
  if (criterion.is_more_better) return shown;
  if (criterion.is_count) {
    return shown + (criterion.name == "longest_sum" || criterion.name == "busiest_link_words" ? " (words)" : "");
  }
  const std::string unit = unit_of_time(arguments).value_or("in the unit of beta and tau");
  const std::string_view factor = criterion.name.starts_with("time_times_") ? criterion.heading.substr(4) : "";
  return shown + " (" + unit + std::string(factor) + ")";
}

std::string operation_text(const SweepArguments& arguments) {
  const std::vector<std::string>& machines = arguments.trials.machines;
  return arguments.trials.operation + " on " + machines.front() + (machines.size() > 1 ? " to " + machines.back() : "");
}

std::string below_title(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                        const report::Quantity& criterion) {
  constexpr std::size_t longest = 75;
  std::string text;
  std::string line;
  for (const std::string& one : constants(arguments, trials, criterion)) {
    if (!line.empty() && line.size() + one.size() > longest) text += "\n" + std::exchange(line, "");
    line += (line.empty() ? "" : ", ") + one;
  }
  if (!line.empty()) text += "\n" + line;
  return is_measured(criterion) ? text + measured_text(arguments, trials) : text;
}

std::string subject_text(const SweepArguments& arguments, const std::vector<SweepTrial>& trials) {
  std::string text = arguments.trials.operation;
  if (arguments.trials.machines.size() == 1) text += " on " + arguments.trials.machines.front();
  const run::RunRecord* const record = first_record(trials);
  if (record == nullptr || is_varied(arguments, "preset")) return text;
  const CostModel cost = run::given_model(record->plan).cost;
  if (!is_varied(arguments, "beta")) text += ", beta " + host::short_number(cost.beta);
  if (!is_varied(arguments, "tau")) text += ", tau " + host::short_number(cost.tau);
  return text;
}

}  // namespace lockstep::cli::compare
