#include "schedule_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "flags/setting_flags.hpp"
#include "host/number_text.hpp"
#include "lockstep/algorithms/chunk_program.hpp"
#include "lockstep/algorithms/replay.hpp"
#include "run/trial.hpp"

namespace lockstep::cli::report {
namespace {

using Json = nlohmann::ordered_json;

/// The program in the format of another program that is carried out, in chunks; null if it is none.
const ChunkProgram* chunks_of(const run::RunPlan& plan) {
  const Schedule* const schedule = plan.settings.written_schedule.get();
  if (schedule == nullptr || plan.method == &replay_method()) return nullptr;
  const bool is_program = plan.method == &chunk_program_method(schedule->task.operation);
  return is_program ? static_cast<const ChunkProgram*>(schedule) : nullptr;
}

/// The messages of another program that are sent again; null if there are none.
const ReplayProgram* replay_of(const run::RunPlan& plan) {
  if (plan.method != &replay_method()) return nullptr;
  return static_cast<const ReplayProgram*>(plan.settings.written_schedule.get());
}

/// A method of the catalogue beside the schedule.
struct Beside {
  std::string method;
  std::uint64_t steps;
  double time;
};

/// All methods of the operation on the machine, for as many words.
run::TrialArguments others_of(const run::RunPlan& plan) {
  const CostModel& cost = plan.model.cost;
  run::TrialArguments arguments{.operation = std::string(plan.method->operation),
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
  if (const ReplayProgram* const replay = replay_of(record.plan)) return replay->warnings;
  const ChunkProgram* const chunks = chunks_of(record.plan);
  if (chunks == nullptr || !record.has_ended()) return {};
  return lockstep::warnings_of(*chunks, record.outcome);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> schedule_lines(const run::RunRecord& record) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (chunks_of(record.plan) != nullptr) {
    const auto best = best_beside(record.plan);
    lines.emplace_back("catalogue", best ? best->method + ": " + host::counted(best->steps, "step") + ", synchronous " +
                                               host::short_number(best->time) + ", the least that is predicted"
                                         : "nothing is predicted for this machine and these rules");
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
  const std::vector<std::string> warnings = warnings_of(record);
  if (const ReplayProgram* const replay = replay_of(record.plan)) {
    return {{"name", nullptr},      {"format", replay->format},
            {"chunks", nullptr},    {"steps", replay->all_operations()},
            {"warnings", warnings}, {"best", nullptr}};
  }
  const ChunkProgram* const chunks = chunks_of(record.plan);
  if (chunks == nullptr) return {};
  const auto best = best_beside(record.plan);
  Json beside;
  if (best) beside = {{"algorithm", best->method}, {"steps", best->steps}, {"time", best->time}};
  return {{"name", chunks->name},         {"format", chunks->format}, {"chunks", chunks->chunks},
          {"steps", chunks->all_steps()}, {"warnings", warnings},     {"best", beside}};
}

}  // namespace lockstep::cli::report
