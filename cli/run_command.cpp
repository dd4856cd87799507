#include "run_command.hpp"

#include <iostream>

#include "execution.hpp"
#include "failure.hpp"
#include "human_report.hpp"
#include "interrupt.hpp"
#include "lockstep/algorithms/move_log.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/printable.hpp"
#include "run_outputs.hpp"
#include "trace_outputs.hpp"

namespace lockstep::cli {
namespace {

void report_problems(const RunRecord& record) {
  for (const std::string& problem : record.problems) {
    print_failure(printable(record.plan.name) + " on " + printable(record.plan.machine.text) + ": " + problem);
  }
}

/// What the run moved, as a schedule.
const Schedule& schedule_of(const RunPlan& plan, MoveLog& log) {
  if (log.has_unlabelled)
    throw InputError(plan.name + " does not move whole blocks, of which alone a schedule can speak");
  if (log.has_parts) throw InputError(plan.name + " divides blocks, of whose parts a schedule cannot speak");
  log.schedule.nodes = static_cast<Rank>(plan.machine.processors);
  return log.schedule;
}

/// Whether people asked for that, or standard output has another report.
bool shows_nothing(const RunArguments& arguments, const TraceOutputs* trace) {
  return arguments.quiet || arguments.json == "-" || arguments.csv == "-" ||
         (trace != nullptr && trace->take_standard_output());
}

/// What people are shown of a run that came to its end.
std::string human_text(const RunArguments& arguments, const RunRecord& record, const TraceOutputs* trace) {
  if (shows_nothing(arguments, trace)) return {};
  const Style style = Style::of_output();
  std::string text = trace != nullptr ? trace->human_text({record, trace->trace()}) : human_report(record, style);
  if (arguments.cycles) text += cycle_table(record.outcome.report, style);
  return text;
}

/// Shows and writes what came of the run, unless it is to give a plan and has not.
void publish(const RunArguments& arguments, const RunRecord& record, MoveLog& log, TraceOutputs* trace,
             RunOutputs& outputs) {
  if (trace != nullptr) trace->prepare({record, trace->trace()});
  if (!arguments.plan) {
    outputs.publish(record, human_text(arguments, record, trace), {});
    if (trace != nullptr) trace->publish();
    return;
  }
  if (record.status != Status::verified) return;
  const Schedule& schedule = schedule_of(record.plan, log);
  outputs.publish(record, *arguments.plan == "-" ? "" : plan_line(printable(*arguments.plan), schedule, record),
                  schedule_text(schedule, record.plan.machine.text, record.plan.name));
}

Failure failure_of_run(const RunPlan& plan, const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const RunError& error) {
    return failure_of(plan, error);
  } catch (...) {
    return failure_of(exception);
  }
}

/// Writes what moved before the run failed.
void publish_failed(const RunArguments& arguments, RunRecord record, const Failure& failure, TraceOutputs& trace) {
  record.status = status_of(failure, true);
  const TracedRun run{record, trace.trace(), failure.text};
  // The user is told of the first thing that went wrong, which is this failure.
  try {
    trace.prepare(run);
    trace.publish();
    if (!shows_nothing(arguments, &trace)) write_output(trace.human_text(run));
  } catch (const std::exception&) {
  }
}

bool is_of_run(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const RunError& error) {
    return error.kind() != ErrorKind::interrupted;
  } catch (...) {
    return false;
  }
}

void show_deadlock(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const DeadlockError& deadlock) {
    std::cerr << deadlock.dot();
  } catch (...) {
  }
}

}  // namespace

int run_command(const RunArguments& arguments, const std::atomic<bool>& stop) {
  const RunRecord before = planned(plan_run(arguments));
  RunOutputs outputs(arguments);
  std::optional<TraceOutputs> trace;
  if (arguments.trace) trace.emplace(*arguments.trace, before);
  TraceOutputs* const traced = trace ? &*trace : nullptr;
  on_interrupt([&outputs, &before] {
    outputs.report_failure(before, {interrupt_code(), "interrupted", "interrupted"}, nullptr);
  });
  std::exception_ptr exception;
  try {
    RunRecord record = before;
    MoveLog log = arguments.plan ? log_for(*before.plan.method, before.plan.settings) : MoveLog{};
    MoveRecorder recorder(log);
    const auto settings_of = [&](std::uint64_t number) { return outputs.settings(before.plan.settings, number == 1); };
    RunObserver* observer = nullptr;
    if (arguments.plan) observer = &recorder;
    if (trace) observer = &trace->recorder();
    execute(arguments, record, settings_of, stop, observer);
    begin_outputs();
    publish(arguments, record, log, traced, outputs);
    report_problems(record);
    return exit_code_of(record);
  } catch (...) {
    exception = outputs.in_users_terms(std::current_exception());
  }
  begin_outputs();
  const Failure failure = failure_of_run(before.plan, exception);
  outputs.report_failure(before, failure, exception);
  if (trace && is_of_run(exception)) publish_failed(arguments, before, failure, *trace);
  print_failure(failure.text);
  show_deadlock(exception);
  return failure.code;
}

}  // namespace lockstep::cli
