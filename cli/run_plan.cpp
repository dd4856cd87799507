#include "run_plan.hpp"

#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/error.hpp"
#include "memory_need.hpp"
#include "setting_flags.hpp"

namespace lockstep::cli {

namespace {

void refuse_if_missing(const RunArguments& arguments) {
  if (arguments.schedule) {
    if (!arguments.machine.empty() && !arguments.schedule->empty()) return;
    throw InputError(
        "validate needs a schedule and --machine, e.g. lockstep validate schedule.json --machine mesh:4x4");
  }
  if (!arguments.machine.empty() && !arguments.algorithm.empty()) return;
  const std::string missing = !arguments.machine.empty()     ? "--algorithm"
                              : !arguments.algorithm.empty() ? "--machine"
                                                             : "--machine and --algorithm";
  throw InputError(
      arguments.plan ? "plan needs " + missing + ", e.g. lockstep plan --machine path:3 --algorithm alltoall/factor"
                     : "run needs " + missing + ", e.g. lockstep run --machine hypercube:4 --algorithm broadcast/sbt");
}

/// The method to run; of `validate` the schedule that was named, which is read.
const Method& method_of(const RunArguments& arguments, const MachineSpec& machine, Settings& settings) {
  if (!arguments.schedule) return find_method(arguments.algorithm, machine.family);
  if (machine.medium) throw InputError("the processors of " + machine.text + " have no links for a schedule to use");
  settings.written_schedule = std::make_shared<const WrittenSchedule>(
      read_schedule(*arguments.schedule, static_cast<Rank>(machine.processors)));
  return written_schedule_method();
}

/// A schedule is one of a total exchange over links.
void refuse_if_without_schedule(const RunPlan& plan) {
  if (!is_total_exchange(*plan.method)) {
    throw InputError("plan writes schedules of total exchanges, which are the methods alltoall/..; " +
                     std::string(plan.method->name) + " is none");
  }
  if (plan.machine.medium) {
    throw InputError("plan writes what moves over links, of which " + plan.machine.text + " has none");
  }
}

}  // namespace

bool is_total_exchange(const Method& method) { return method.operation == "alltoall"; }

RunPlan plan_run(const RunArguments& arguments) {
  refuse_if_missing(arguments);
  RunPlan plan;
  plan.machine = parse_machine(arguments.machine);
  plan.settings = arguments.settings;
  plan.method = &method_of(arguments, plan.machine, plan.settings);
  plan.name = arguments.schedule.value_or(std::string(plan.method->name));
  if (arguments.plan) refuse_if_without_schedule(plan);
  refuse_foreign_settings(*plan.method, plan.settings);
  plan.model = model_of(arguments.model, plan.method->defaults);
  if (plan.machine.medium && plan.model.ports != PortModel::one) {
    throw InputError("--ports " + std::string(name(plan.model.ports)) + ": the processors of " + plan.machine.text +
                     " have no ports; they send and receive as under --ports one");
  }
  plan.method->resolve(plan.machine, plan.model, plan.settings);
  refuse_if_too_large(plan.name + " on " + plan.machine.text,
                      run_memory(*plan.method, plan.machine, plan.model, plan.settings));
  return plan;
}

}  // namespace lockstep::cli
