#include "run_command.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <system_error>

#include "failure.hpp"
#include "human_report.hpp"
#include "interrupt.hpp"
#include "lockstep/algorithms/move_log.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/topologies.hpp"
#include "progress_bar.hpp"
#include "run_outputs.hpp"

namespace lockstep::cli {
namespace {

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// One run of the plan; `number` of how many, for the progress bar. An observer, if there is one, sees what moves.
Outcome run_once(const RunArguments& arguments, const RunRecord& record, const RunOutputs& outputs,
                 const Topology& topology, Executor& executor, const std::atomic<bool>& stop, std::uint64_t number,
                 RunObserver* observer) {
  const RunPlan& plan = record.plan;
  std::optional<ProgressBar> progress;
  RunOptions options{.name = printable(plan.name),
                     .max_cycles = arguments.max_cycles,
                     .record_cycles = arguments.cycles,
                     .stop = &stop};
  if (errors_on_terminal() && !arguments.quiet) {
    std::string label = printable(plan.machine.text) + " " + options.name;
    if (arguments.repeat > 1) {
      label += " run " + std::to_string(number) + " of " + std::to_string(arguments.repeat);
    }
    const auto& steps = record.prediction.steps;
    progress.emplace(label, steps ? std::optional(steps->value) : std::nullopt);
    options.on_barrier = [&progress](const Progress& now) { progress->show(now); };
  }
  const Settings settings = outputs.settings(plan.settings, number == 1);
  return plan.method->run({.machine = plan.machine,
                           .topology = topology,
                           .model = plan.model,
                           .settings = settings,
                           .executor = executor,
                           .options = options,
                           .channels = arguments.channels,
                           .observer = observer});
}

/// What is known before the run.
RunRecord planned(const RunPlan& plan) {
  return {.plan = plan,
          .facts = facts(plan.machine),
          .prediction = plan.method->predict(plan.machine, plan.model, plan.settings),
          .lower_bound = plan.method->lower_bound(plan.machine, plan.model, plan.settings),
          .outcome = {},
          .wall = {},
          .digest = {},
          .problems = {}};
}

/// Throws InputError if the host cannot start the threads.
std::unique_ptr<Executor> executor_for(const RunArguments& arguments) {
  try {
    return make_executor(arguments.executor, arguments.threads, arguments.schedule_seed.value_or(1));
  } catch (const std::system_error& error) {
    const std::string number = arguments.threads == 0 ? "one a core" : std::to_string(arguments.threads);
    throw InputError("cannot start the threads (" + error.code().message() + "); --threads is " + number +
                     ", try fewer");
  }
}

/// Runs as often as was asked for and completes the record; an observer is for a single run. All runs must come to the
/// same digest; std::logic_error if they do not.
void execute(const RunArguments& arguments, const RunOutputs& outputs, RunRecord& record, const std::atomic<bool>& stop,
             RunObserver* observer) {
  const auto executor = executor_for(arguments);
  const auto start = std::chrono::steady_clock::now();
  const Topology topology = build(record.plan.machine);
  const std::chrono::duration<double> building = std::chrono::steady_clock::now() - start;

  std::vector<double> seconds;
  for (std::uint64_t number = 1; number <= arguments.repeat; ++number) {
    Outcome outcome = run_once(arguments, record, outputs, topology, *executor, stop, number, observer);
    seconds.push_back(outcome.report.run_seconds);
    if (number == 1) {
      record.outcome = std::move(outcome);
      judge(record);
    } else if (const std::string digest = digest_of(outcome); digest != record.digest) {
      throw std::logic_error("run " + std::to_string(number) + " has the digest " + digest + ", the first " +
                             record.digest);
    }
    if (stop) throw RunError(ErrorKind::interrupted, record.outcome.report.cycles, no_rank, {}, "interrupted");
  }
  record.wall = {.setup_seconds = building.count() + record.outcome.report.setup_seconds,
                 .run_seconds = median(seconds),
                 .fastest_seconds = *std::min_element(seconds.begin(), seconds.end()),
                 .verify_seconds = record.outcome.verify_seconds,
                 .repeats = arguments.repeat,
                 .peak_rss_bytes = peak_rss_bytes(),
                 .threads = executor->workers(),
                 .executor = std::string(executor->name()),
                 .channels = record.outcome.report.channels};
}

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
    execute(arguments, outputs, record, stop, arguments.plan ? &recorder : nullptr);
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
