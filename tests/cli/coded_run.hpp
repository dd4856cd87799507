#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/machines/topologies.hpp"
#include "run_arguments.hpp"
#include "texts/pseudo_code.hpp"

namespace lockstep::cli {

using texts::pseudo_code_of;
using texts::PseudoCode;

/// A run with the pseudo code of its method.
struct CodedRun {
  run::RunPlan plan;
  run::Trace trace;
  std::optional<PseudoCode> code;
  bool ends_early = false;

  const std::string& line(const PseudoCode::Step& step) const { return code->lines.at(step.line); }
};

inline run::RunPlan planned_with(const std::string& flags) { return run::plan_run(run_arguments(flags)); }

/// Runs with those flags; a run that ends early has the moves up to its end.
inline CodedRun run_with(const std::string& flags, const run::TraceLimits& limits = {}) {
  CodedRun run{.plan = planned_with(flags), .trace = {}, .code = {}};
  run::TraceRecorder recorder(run.plan, limits);
  const Topology topology = build(run.plan.machine);
  const auto executor = make_executor(ExecutorKind::sequential);
  try {
    const Outcome outcome = run.plan.method->run({.machine = run.plan.machine,
                                                  .topology = topology,
                                                  .model = run.plan.model,
                                                  .settings = run.plan.settings,
                                                  .executor = *executor,
                                                  .options = {},
                                                  .observer = &recorder});
    EXPECT_EQ(outcome.wrong, "");
  } catch (const RunError&) {
    run.ends_early = true;
  }
  run.trace = recorder.trace();
  run.code = pseudo_code_of(run.plan, run.trace);
  return run;
}

inline std::string flags_for(const std::string& machine, const std::string& algorithm, const std::string& flags = "") {
  return "--machine " + machine + " --algorithm " + algorithm + " " + flags;
}

}  // namespace lockstep::cli
