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

/// What people are shown of a run that came to its end; nothing if they asked for that, or standard output has another
/// report.
std::string human_text(const RunArguments& arguments, const RunRecord& record) {
  if (arguments.quiet || arguments.json == "-" || arguments.csv == "-") return {};
  const Style style = Style::of_output();
  std::string text = human_report(record, style);
  if (arguments.cycles) text += cycle_table(record.outcome.report, style);
  return text;
}

/// Shows and writes what came of the run, unless it is to give a plan and has not.
void publish(const RunArguments& arguments, const RunRecord& record, MoveLog& log, RunOutputs& outputs) {
  if (!arguments.plan) return outputs.publish(record, human_text(arguments, record), {});
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
  on_interrupt([&outputs, &before] {
    outputs.report_failure(before, {interrupt_code(), "interrupted", "interrupted"}, nullptr);
  });
  std::exception_ptr exception;
  try {
    RunRecord record = before;
    MoveLog log = arguments.plan ? log_for(*before.plan.method, before.plan.settings) : MoveLog{};
    MoveRecorder recorder(log);
    const auto settings_of = [&](std::uint64_t number) { return outputs.settings(before.plan.settings, number == 1); };
    execute(arguments, record, settings_of, stop, arguments.plan ? &recorder : nullptr);
    begin_outputs();
    publish(arguments, record, log, outputs);
    report_problems(record);
    return exit_code_of(record);
  } catch (...) {
    exception = outputs.in_users_terms(std::current_exception());
  }
  begin_outputs();
  const Failure failure = failure_of_run(before.plan, exception);
  outputs.report_failure(before, failure, exception);
  print_failure(failure.text);
  show_deadlock(exception);
  return failure.code;
}

}  // namespace lockstep::cli
