#include "chunk_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lockstep/algorithms/chunk_program.hpp"
#include "number_text.hpp"
#include "setting_flags.hpp"
#include "trial.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

const ChunkProgram& program_of(const RunPlan& plan) {
  return static_cast<const ChunkProgram&>(*plan.settings.written_schedule);
}

/// A method of the catalogue beside the schedule.
struct Beside {
  std::string method;
  std::uint64_t steps;
  double time;
};

/// All methods of the operation on the machine, for as many words.
TrialArguments others_of(const RunPlan& plan) {
  const CostModel& cost = plan.model.cost;
  TrialArguments arguments{.operation = std::string(plan.method->operation),
                           .machines = {plan.machine.text},
                           .ports = {plan.model.ports},
                           .settings = {},
                           .run = {},
                           .predict = true};
  arguments.run.model.duplex = plan.model.duplex;
  arguments.run.model.beta = cost.beta;
  arguments.run.model.tau = cost.tau;
  if (cost.max_packet_words != 0) arguments.run.model.max_packet_words = cost.max_packet_words;
  const auto words = std::ranges::find(setting_flags(), std::string_view("words"), &SettingFlag::name);
  arguments.settings.emplace_back(&*words, std::to_string(*plan.settings.words));
  return arguments;
}

/// The one that is predicted to take the least time, and of several the least steps.
std::optional<Beside> best_beside(const RunPlan& plan) {
  std::vector<Trial> trials;
  try {
    trials = plan_trials(others_of(plan));
  } catch (const InputError&) {
    return {};  // nothing of the catalogue runs here
  }
  std::optional<Beside> best;
  for (const Trial& trial : trials) {
    if (!trial.record) continue;
    const Prediction& prediction = trial.record->prediction;
    const auto time = synchronous_time(prediction, trial.record->plan.model.cost);
    if (!time || !time->exact || !prediction.steps) continue;
    const Beside other{trial.method, prediction.steps->value, time->value};
    if (!best || std::pair(other.time, other.steps) < std::pair(best->time, best->steps)) best = other;
  }
  return best;
}

std::vector<std::string> warnings_of(const RunRecord& record) {
  if (!record.has_ended()) return {};
  return lockstep::warnings_of(program_of(record.plan), record.outcome);
}

}  // namespace

bool is_of_chunks(const RunPlan& plan) {
  return plan.method != nullptr && plan.settings.written_schedule != nullptr &&
         plan.method == &chunk_program_method(plan.settings.written_schedule->task.operation);
}

std::vector<std::pair<std::string, std::string>> chunk_lines(const RunRecord& record) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (!is_of_chunks(record.plan)) return lines;
  const auto best = best_beside(record.plan);
  lines.emplace_back("catalogue", best ? best->method + ": " + counted(best->steps, "step") + ", synchronous " +
                                             short_number(best->time) + ", the least that is predicted"
                                       : "nothing is predicted for this machine and these rules");
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

Json json_schedule(const RunRecord& record) {
  if (!is_of_chunks(record.plan)) return {};
  const ChunkProgram& program = program_of(record.plan);
  const auto best = best_beside(record.plan);
  Json beside;
  if (best) beside = {{"algorithm", best->method}, {"steps", best->steps}, {"time", best->time}};
  return {{"name", program.name},         {"format", program.format},        {"chunks", program.chunks},
          {"steps", program.all_steps()}, {"warnings", warnings_of(record)}, {"best", beside}};
}

}  // namespace lockstep::cli
