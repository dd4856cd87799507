#include "planned_runs.hpp"

#include <algorithm>

#include "execution.hpp"
#include "flags/setting_flags.hpp"
#include "host/joined.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/topologies.hpp"
#include "schedule_input.hpp"
#include "trace.hpp"

namespace lockstep::cli::run {
namespace {

PlannedRun plan_one(const RunArguments& arguments, std::uint64_t kept_bytes) {
  return {arguments, planned(plan_run(arguments, kept_bytes))};
}

/// The method whose parameters the run takes, also of a schedule from a file.
const Method& method_with_parameters(const RunArguments& arguments) {
  const std::optional<std::string> path = schedule_file(arguments);
  if (!path) return find_method(arguments.algorithm, stage_of(arguments).family);
  const bool has_all_ports = arguments.model.ports == PortModel::all;
  const ScheduleInput input = read_schedule_input(*path, arguments.settings.word_bytes, has_all_ports);
  // The parameters of a schedule in blocks do not depend on its operation.
  return input.schedule ? input.schedule->method() : written_schedule_method("alltoall");
}

/// Sets those of the command's parameters that the method takes; only the command's own run writes --output. The trace
/// of that run, `first`, is kept while others run.
PlannedRun plan_with_own_settings(RunArguments arguments, const PlannedRun* first) {
  const Method& method = method_with_parameters(arguments);
  arguments.settings = {};
  for (const auto& [flag, text] : arguments.trace->settings) {
    if (first != nullptr && flag->name == "output") continue;
    if (flags::takes(method, flag->name)) flag->set(arguments.settings, text);
  }
  const TraceLimits& limits = arguments.trace->limits;
  return plan_one(arguments, first == nullptr ? 0 : trace_bound(first->record.plan, limits).bytes());
}

void refuse_faults(const PlannedRun& run) {
  const RunPlan& plan = run.record.plan;
  if (!plan.faults.empty()) refuse_missing_faults(plan, build(plan.stage()));
}

/// Whether the embedded machine has the method; others may run on the machine itself.
bool is_of_guest(const RunArguments& arguments) {
  const MachineSpec stage = stage_of(arguments);
  return std::ranges::any_of(catalogue(), [&](const Method* method) {
    return is_called(*method, arguments.algorithm) && is_for(*method, stage.family);
  });
}

PlannedRun plan_against(RunArguments arguments, const Against& against, const PlannedRun& first) {
  arguments.algorithm = against.algorithm;
  if (against.machine) arguments.machine = *against.machine;
  if (against.ports) arguments.model.ports = against.ports;
  const std::string flag = "--against " + quoted(against.text) + ": ";
  try {
    if (method_on_machine(against.algorithm)) {
      arguments.embed = arguments.map = arguments.emulate = std::nullopt;
      arguments = with_named_guest(std::move(arguments));
    }
    if (!is_of_guest(arguments)) arguments.embed = arguments.map = arguments.emulate = std::nullopt;
    PlannedRun run = plan_with_own_settings(std::move(arguments), &first);
    refuse_faults(run);
    return run;
  } catch (const InputError& error) {
    throw InputError(flag + error.what());
  } catch (const MachineSpecError& error) {
    throw InputError(flag + error.what());
  }
}

void refuse_foreign(const TraceArguments& trace, const std::vector<PlannedRun>& runs) {
  for (const auto& given : trace.settings) {
    const SettingFlag& flag = *given.first;
    const auto is_taken = [&](const PlannedRun& run) {
      return !std::holds_alternative<std::monostate>(flag.value(run.arguments.settings));
    };
    if (std::ranges::any_of(runs, is_taken)) continue;
    throw InputError(flag.flag() + " is not a parameter of any of " +
                     host::joined(runs, [](const PlannedRun& run) { return run.record.plan.name; }));
  }
}

}  // namespace

std::vector<PlannedRun> plan_runs(const RunArguments& given) {
  const RunArguments arguments = with_named_guest(given);
  if (!arguments.trace || arguments.trace->against.empty()) return {plan_one(arguments, 0)};
  if (!arguments.trace->html) throw InputError("--against needs --html");
  refuse_if_missing(arguments);
  std::vector<PlannedRun> runs{plan_with_own_settings(arguments, nullptr)};
  refuse_faults(runs.front());
  for (const Against& against : arguments.trace->against) {
    runs.push_back(plan_against(arguments, against, runs.front()));
  }
  refuse_foreign(*arguments.trace, runs);
  return runs;
}

}  // namespace lockstep::cli::run
