#include "page_output.hpp"

#include <nlohmann/json.hpp>

#include "lockstep/core/printable.hpp"
#include "report/json_report.hpp"
#include "run/execution.hpp"

namespace lockstep::cli::trace {
namespace {

/// "allgather/tea1 on hypercube:4 beside allgather/tea2 on hypercube:4 --ports one"
std::string title_of(std::span<const run::PlannedRun> runs) {
  std::string title;
  for (const run::PlannedRun& run : runs) {
    const run::RunPlan& plan = run.record.plan;
    const std::string rules = flags::changed_rules(plan.model, plan.method->defaults);
    title += (title.empty() ? "" : " beside ") + plan.name + " on " + plan.machine.text;
    if (!rules.empty()) title += " " + rules;
  }
  return title;
}

}  // namespace

PageOutput::PageOutput(std::span<const run::PlannedRun> runs)
    : path_(*runs.front().arguments.trace->html),
      with_cycles_(runs.front().arguments.cycles),
      others_(runs.begin() + 1, runs.end()),
      file_(path_),
      page_(title_of(runs)) {
  for (const run::PlannedRun& other : others_)
    run::refuse_ranks(other.arguments.trace->limits, other.record.plan.machine);
}

void PageOutput::add(const TracedRun& run, const nlohmann::ordered_json& report) {
  page_.add(run, report);
  messages_ += (messages_.empty() ? "" : ", ") + messages_line(run);
}

void PageOutput::add(const run::RunRecord& record, const run::Trace& trace) {
  add({record, trace}, report::json_report(record, with_cycles_));
}

void PageOutput::add(const run::RunRecord& record, const run::Trace& trace, const run::CommandFailure& failure) {
  run::RunRecord failed = record;
  failed.status = run::status_of(failure, true);
  failed.error = failure.kind;
  add({failed, trace, failure.text}, report::json_failure(failed, failure));
}

host::ExitCode PageOutput::run(const run::PlannedRun& planned, const std::atomic<bool>& stop) {
  run::RunRecord record = planned.record;
  const run::RunPlan& plan = record.plan;
  run::TraceRecorder recorder(plan, planned.arguments.trace->limits);
  try {
    run::execute(
        planned.arguments, record, [&plan](std::uint64_t) { return plan.settings; }, stop, &recorder);
    add(record, recorder.trace());
    run::print_problems(record);
    return run::exit_code_of(record);
  } catch (...) {
    const run::CommandFailure failure = run::failure_of(std::current_exception(), &plan);
    if (!failure.of_run || failure.is_interrupt()) throw;
    add(record, recorder.trace(), failure);
    run::print_line(failure.text);
    return failure.code;
  }
}

host::ExitCode PageOutput::run_others(const std::atomic<bool>& stop) {
  host::ExitCode first = host::verified;
  for (const run::PlannedRun& other : others_) {
    const host::ExitCode code = run(other, stop);
    if (first == host::verified) first = code;
  }
  return first;
}

std::string PageOutput::line() const { return printable(path_) + ": " + messages_ + "\n"; }

}  // namespace lockstep::cli::trace
