#include "run_plan.hpp"

#include "lockstep/core/error.hpp"
#include "memory_need.hpp"
#include "setting_flags.hpp"

namespace lockstep::cli {

RunPlan plan_run(const RunArguments& arguments) {
  if (arguments.machine.empty() || arguments.algorithm.empty()) {
    const std::string missing = !arguments.machine.empty()     ? "--algorithm"
                                : !arguments.algorithm.empty() ? "--machine"
                                                               : "--machine and --algorithm";
    throw InputError("run needs " + missing + ", e.g. lockstep run --machine hypercube:4 --algorithm broadcast/sbt");
  }
  RunPlan plan;
  plan.machine = parse_machine(arguments.machine);
  plan.method = &find_method(arguments.algorithm, plan.machine.family);
  plan.settings = arguments.settings;
  refuse_foreign_settings(*plan.method, plan.settings);
  plan.model = model_of(arguments.model, plan.method->defaults);
  if (plan.machine.medium && plan.model.ports != PortModel::one) {
    throw InputError("--ports " + std::string(name(plan.model.ports)) + ": the processors of " + plan.machine.text +
                     " have no ports; they send and receive as under --ports one");
  }
  plan.method->resolve(plan.machine, plan.model, plan.settings);
  refuse_if_too_large(std::string(plan.method->name) + " on " + plan.machine.text,
                      run_memory(*plan.method, plan.machine, plan.model, plan.settings));
  return plan;
}

}  // namespace lockstep::cli
