#include "schedule_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "flags/model_options.hpp"
#include "flags/setting_flags.hpp"
#include "host/number_text.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "run/trial.hpp"

namespace lockstep::cli::report {
namespace {

using Json = nlohmann::ordered_json;

/// The plan's schedule in another program's format; null for other runs.
std::optional<ForeignFormat> foreign_format(const run::RunPlan& plan) {
  const WrittenSchedule& schedule = plan.settings.written_schedule;
  return schedule ? schedule->foreign_format() : std::nullopt;
}

/// A method of the catalogue, to compare with the schedule.
struct Beside {
  std::string method;
  std::uint64_t steps;
  double time;
};

/// All methods of the operation on the machine, for equally many words, under the same rules and costs.
run::TrialArguments others_of(const run::RunPlan& plan) {
  run::TrialArguments arguments{.operation = std::string(plan.method->operation),
                                .machines = {plan.machine.text},
                                .ports = {plan.model.ports},
                                .settings = {},
                                .run = {},
                                .predict = true};
  arguments.run.model = flags::exactly(plan.model);
  arguments.settings.emplace_back(flags::find_setting("words"), std::to_string(*plan.settings.words));
  return arguments;
}

/// The one with the least predicted time and, among equals, the fewest steps.
std::optional<Beside> best_beside(const run::RunPlan& plan) {
  std::vector<run::Trial> trials;
  try {
    trials = run::plan_trials(others_of(plan));
  } catch (const InputError&) {
    return {};  // nothing of the catalogue runs here
  }
  std::optional<Beside> best;
  for (const run::Trial& trial : trials) {
    if (!trial.record) continue;
    const Prediction& prediction = trial.record->prediction;
    const auto time = synchronous_time(prediction, trial.record->plan.model.cost);
    if (!time || !time->exact || !prediction.steps) continue;
    const Beside other{trial.method, prediction.steps->value, time->value};
    if (!best || std::pair(other.time, other.steps) < std::pair(best->time, best->steps)) best = other;
  }
  return best;
}

std::vector<std::string> warnings_of(const run::RunRecord& record) {
  const WrittenSchedule& schedule = record.plan.settings.written_schedule;
  if (!schedule) return {};
  return schedule->report_lines(record.has_ended() ? &record.outcome : nullptr);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> schedule_lines(const run::RunRecord& record) {
  std::vector<std::pair<std::string, std::string>> lines;
  const auto format = foreign_format(record.plan);
  if (format && format->chunks) {
    const auto best = best_beside(record.plan);
    lines.emplace_back("catalogue", best ? best->method + ": " + host::counted(best->steps, "step") + ", synchronous " +
                                               host::short_number(best->time) + ", the least predicted"
                                         : "no prediction for this machine and these rules");
  }
  constexpr std::size_t most_shown = 5;
  const std::vector<std::string> warnings = warnings_of(record);
  for (std::size_t index = 0; index < std::min(warnings.size(), most_shown); ++index) {
    lines.emplace_back("warning", warnings[index]);
  }
  if (warnings.size() > most_shown) {
    lines.emplace_back("", "and " + std::to_string(warnings.size() - most_shown) + " more (--json has all)");
  }
  return lines;
}

Json json_schedule(const run::RunRecord& record) {
  const auto format = foreign_format(record.plan);
  if (!format) return {};
  Json beside;
  if (format->chunks) {  // a collective operation
    const auto best = best_beside(record.plan);
    if (best) beside = {{"algorithm", best->method}, {"steps", best->steps}, {"time", best->time}};
  }
  return {{"name", format->name ? Json(*format->name) : Json()},
          {"format", format->format},
          {"chunks", format->chunks ? Json(*format->chunks) : Json()},
          {"steps", format->steps},
          {"warnings", warnings_of(record)},
          {"best", beside}};
}

}  // namespace lockstep::cli::report
