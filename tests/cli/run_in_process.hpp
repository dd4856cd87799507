#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "../planted_fault.hpp"
#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/machines/topologies.hpp"
#include "report/json_report.hpp"
#include "run/run_plan.hpp"
#include "run/run_record.hpp"
#include "run_arguments.hpp"

namespace lockstep::cli {

/// The result of `run` with these flags, planned, run and checked as by the command, in this process and thread, with
/// the fault planted.
inline run::RunRecord run_in_process(const std::string& flags, const std::optional<Fault>& fault = {}) {
  run::RunRecord record{.plan = run::plan_run(run_arguments(flags)),
                        .facts = {},
                        .prediction = {},
                        .lower_bound = {},
                        .outcome = {},
                        .wall = {},
                        .digest = {},
                        .problems = {}};
  const run::RunPlan& plan = record.plan;
  record.facts = facts(plan.machine);
  record.prediction = plan.method->predict(plan.machine, plan.model, plan.settings);
  record.lower_bound = lower_bound(*plan.method, plan.machine, plan.model, plan.settings);
  const Topology topology = build(plan.machine);
  const auto executor = make_executor(ExecutorKind::sequential);
  record.outcome = plan.method->run({.machine = plan.machine,
                                     .topology = topology,
                                     .model = plan.model,
                                     .settings = plan.settings,
                                     .executor = *executor,
                                     .options = {},
                                     .observer = PlantedFault(fault).observer()});
  run::judge(record);
  return record;
}

}  // namespace lockstep::cli
