#include "shared_run.hpp"

#include <algorithm>
#include <vector>

#include "critical_path.hpp"
#include "execution.hpp"
#include "flags/fault_options.hpp"
#include "lockstep/algorithms/method.hpp"

namespace lockstep::cli::run {
namespace {

bool may_share(const Trial& trial) {
  const RunPlan& plan = trial.record->plan;
  const Method* const method = plan.method;
  const auto has = [method](const std::vector<const Method*>& methods) {
    return std::ranges::find(methods, method) != methods.end();
  };
  if (!has(catalogue()) || has(added_methods()) || method->reads_costs) return false;
  const CostModel& cost = plan.model.cost;
  if (cost.switching != Switching::store_and_forward || cost.startup != StartupPer::hop) return false;
  if (plan.machine.medium || plan.embedding || is_k_ports(plan.model.ports)) return false;
  if (!plan.faults.messages.empty() || has_critical_path(plan)) return false;
  const RunArguments& arguments = trial.arguments;
  return arguments.repeat == 1 && arguments.warmup == 0 && arguments.division == nullptr && !arguments.trace;
}

std::string text_of(const SettingFlag::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  if (const auto* given = std::get_if<bool>(&value)) return *given ? "on" : "off";
  return "";
}

/// Runs all in one; the first has its result, and those of the others are its `report`'s other_times. Returns false if
/// that ends in an error.
bool run_first(std::span<Trial* const> trials, const std::atomic<bool>& stop, RunRecord& first) {
  std::vector<CostModel> others;
  for (const Trial* const trial : trials.subspan(1)) others.push_back(trial->record->plan.model.cost);
  try {
    execute(
        trials.front()->arguments, first, [&](std::uint64_t) { return first.plan.settings; }, stop, nullptr, others);
    return true;
  } catch (...) {
    return false;  // each alone has its own error, or none: see ArrivalsForgotten
  }
}

/// Gives a record the results of the run of another, with these times.
void take_over(const RunRecord& from, const ModelledTimes& times, RunRecord& record) {
  record.outcome = from.outcome;
  Report& report = record.outcome.report;
  report.time_synchronous = times.synchronous;
  report.time_asynchronous = times.asynchronous;
  report.time_arithmetic = times.arithmetic;
  report.other_times.clear();
  record.wall = from.wall;
  record.coverage = from.coverage;
  judge(record);
}

}  // namespace

std::string shared_run_key(const Trial& trial) {
  if (!trial.record || !may_share(trial)) return {};
  const RunPlan& plan = trial.record->plan;
  const RunArguments& arguments = trial.arguments;
  std::vector<std::string> parts{plan.machine.text,
                                 plan.name,
                                 std::string(name(plan.model.ports)),
                                 std::string(name(plan.model.duplex)),
                                 std::to_string(plan.model.multicast),
                                 std::to_string(plan.model.cost.max_packet_words),
                                 flags::flags_of(plan.faults),
                                 std::string(name(arguments.executor)),
                                 std::to_string(arguments.threads),
                                 std::to_string(arguments.schedule_seed.value_or(0)),
                                 arguments.channels ? std::string(name(*arguments.channels)) : "",
                                 std::to_string(arguments.max_cycles)};
  for (const SettingFlag& flag : setting_flags()) parts.push_back(text_of(flag.value(plan.settings)));
  std::string key;
  for (const std::string& part : parts) key.append(part).push_back('\0');
  return key;
}

void run_trials(std::span<Trial* const> trials, const std::atomic<bool>& stop) {
  if (trials.empty()) return;
  RunRecord first = *trials.front()->record;
  if (trials.size() == 1 || !run_first(trials, stop, first)) {
    for (Trial* const trial : trials) run_trial(*trial, stop);
    return;
  }
  const std::vector<ModelledTimes> times = std::move(first.outcome.report.other_times);
  first.outcome.report.other_times.clear();
  for (std::size_t number = 0; number < trials.size(); ++number) {
    Trial& trial = *trials[number];
    if (number == 0) {
      trial.record = first;
    } else if (times.empty()) {
      run_trial(trial, stop);
      continue;
    } else {
      take_over(first, times[number - 1], *trial.record);
    }
    note_problems(trial);
  }
}

}  // namespace lockstep::cli::run
