#include "page_output.hpp"

#include <nlohmann/json.hpp>

#include "lockstep/core/printable.hpp"
#include "report/json_report.hpp"
#include "run/execution.hpp"

namespace lockstep::cli {
namespace {

/// "allgather/tea1 on hypercube:4 beside allgather/tea2 on hypercube:4 --ports one"
std::string title_of(std::span<const PlannedRun> runs) {
  std::string title;
  for (const PlannedRun& run : runs) {
    const RunPlan& plan = run.record.plan;
    const std::string rules = changed_rules(plan.model, plan.method->defaults);
    title += (title.empty() ? "" : " beside ") + plan.name + " on " + plan.machine.text;
    if (!rules.empty()) title += " " + rules;
  }
  return title;
}

}  // namespace

PageOutput::PageOutput(std::span<const PlannedRun> runs)
    : path_(*runs.front().arguments.trace->html),
      with_cycles_(runs.front().arguments.cycles),
      others_(runs.begin() + 1, runs.end()),
      file_(path_),
      page_(title_of(runs)) {
  for (const PlannedRun& other : others_) refuse_ranks(other.arguments.trace->limits, other.record.plan.machine);
}

void PageOutput::add(const TracedRun& run, const nlohmann::ordered_json& report) {
  page_.add(run, report);
  messages_ += (messages_.empty() ? "" : ", ") + messages_line(run);
}

void PageOutput::add(const RunRecord& record, const Trace& trace) {
  add({record, trace}, json_report(record, with_cycles_));
}

void PageOutput::add(const RunRecord& record, const Trace& trace, const Failure& failure,
                     const std::exception_ptr& cause) {
  RunRecord failed = record;
  failed.status = status_of(failure, true);
  failed.error = failure.kind;
  add({failed, trace, failure.text}, json_failure(failed, failure, cause));
}

ExitCode PageOutput::run(const PlannedRun& planned, const std::atomic<bool>& stop) {
  RunRecord record = planned.record;
  const RunPlan& plan = record.plan;
  TraceRecorder recorder(plan, planned.arguments.trace->limits);
  try {
    execute(
        planned.arguments, record, [&plan](std::uint64_t) { return plan.settings; }, stop, &recorder);
    add(record, recorder.trace());
    print_problems(record);
    return exit_code_of(record);
  } catch (const RunError& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    const Failure failure = failure_of(plan, error);
    add(planned.record, recorder.trace(), failure, std::current_exception());
    print_failure(failure.text);
    return failure.code;
  }
}

ExitCode PageOutput::run_others(const std::atomic<bool>& stop) {
  ExitCode first = verified;
  for (const PlannedRun& other : others_) {
    const ExitCode code = run(other, stop);
    if (first == verified) first = code;
  }
  return first;
}

std::string PageOutput::line() const { return printable(path_) + ": " + messages_ + "\n"; }

}  // namespace lockstep::cli
