#include "run_command.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "csv_report.hpp"
#include "failure.hpp"
#include "human_report.hpp"
#include "interrupt.hpp"
#include "json_report.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/machines/topologies.hpp"
#include "output_file.hpp"
#include "progress_bar.hpp"

namespace lockstep::cli {
namespace {

void refuse_to_overwrite(const std::string& schedule, const std::optional<std::string>& report) {
  std::error_code ignored;
  if (report && std::filesystem::equivalent(schedule, *report, ignored)) {
    throw InputError("the report cannot go to '" + *report + "', which is the schedule");
  }
}

/// Where the results of a run go.
struct Outputs {
  std::optional<OutputFile> json;
  std::optional<CsvReport> csv;
  std::optional<OutputFile> plan;
  bool human = true;

  explicit Outputs(const RunArguments& arguments) {
    if (arguments.schedule) {
      refuse_to_overwrite(*arguments.schedule, arguments.json);
      refuse_to_overwrite(*arguments.schedule, arguments.csv);
    }
    if (arguments.json) json.emplace(*arguments.json, OutputFile::Use::replace);
    if (arguments.csv) csv.emplace(*arguments.csv);
    if (json && csv && json->is_same_as(csv->file())) {
      throw InputError("--json and --csv cannot both go to '" + *arguments.json + "'");
    }
    if (arguments.plan) plan.emplace(*arguments.plan, OutputFile::Use::replace);
    human = !arguments.quiet && arguments.json != "-" && arguments.csv != "-";
  }
};

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

/// One run of the plan; `number` of how many, for the progress bar. With a log, it takes down what moves.
Outcome run_once(const RunArguments& arguments, const RunRecord& record, const Topology& topology, Executor& executor,
                 const std::atomic<bool>& stop, std::uint64_t number, MoveLog* log) {
  const RunPlan& plan = record.plan;
  std::optional<ProgressBar> progress;
  RunOptions options{
      .name = plan.name, .max_cycles = arguments.max_cycles, .record_cycles = arguments.cycles, .stop = &stop};
  if (errors_on_terminal() && !arguments.quiet) {
    std::string label = plan.machine.text + " " + options.name;
    if (arguments.repeat > 1) {
      label += " run " + std::to_string(number) + " of " + std::to_string(arguments.repeat);
    }
    const auto& steps = record.prediction.steps;
    progress.emplace(label, steps ? std::optional(steps->value) : std::nullopt);
    options.on_barrier = [&progress](const Progress& now) { progress->show(now); };
  }
  return plan.method->run({.machine = plan.machine,
                           .topology = topology,
                           .model = plan.model,
                           .settings = plan.settings,
                           .executor = executor,
                           .options = options,
                           .fault = {},
                           .log = log});
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

/// Runs as often as was asked for and completes the record; a log is for a single run. All runs must come to the same
/// digest; std::logic_error if they do not.
void execute(const RunArguments& arguments, RunRecord& record, const std::atomic<bool>& stop, MoveLog* log) {
  const auto executor = executor_for(arguments);
  const auto start = std::chrono::steady_clock::now();
  const Topology topology = build(record.plan.machine, *executor);
  const std::chrono::duration<double> building = std::chrono::steady_clock::now() - start;

  std::vector<double> seconds;
  for (std::uint64_t number = 1; number <= arguments.repeat; ++number) {
    Outcome outcome = run_once(arguments, record, topology, *executor, stop, number, log);
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
                 .executor = std::string(executor->name())};
}

/// What the user should read about a run that failed, and the exit code.
int report_failure(const RunRecord& record, const RunError& error, const Outputs& outputs) {
  if (outputs.json) outputs.json->write(json_text(json_failure(record, error)));
  const Failure failure = failure_of(record.plan, error);
  std::cerr << "lockstep: " << failure.text << "\n";
  if (const auto* deadlock = dynamic_cast<const DeadlockError*>(&error)) std::cerr << deadlock->dot();
  return failure.code;
}

void report_problems(const RunRecord& record) {
  for (const std::string& problem : record.problems) {
    std::cerr << "lockstep: " << record.plan.name << " on " << record.plan.machine.text << ": " << problem << "\n";
  }
}

/// Writes what the run moved as a schedule, unless it was no total exchange.
int report_plan(const RunArguments& arguments, const RunRecord& record, MoveLog& log, const Outputs& outputs) {
  const RunPlan& plan = record.plan;
  report_problems(record);
  if (!record.problems.empty()) return exit_code_of(record);
  if (log.has_unlabelled)
    throw std::logic_error(plan.name + " sends messages that say nothing of origin or destination");
  if (log.has_parts) throw InputError(plan.name + " divides blocks, of whose parts a schedule cannot speak");
  log.schedule.nodes = static_cast<Rank>(plan.machine.processors);
  outputs.plan->write(schedule_text(log.schedule, plan.machine.text, plan.name));
  if (*arguments.plan != "-") write_output(plan_line(*arguments.plan, log.schedule, record));
  return verified;
}

int report_success(const RunArguments& arguments, const RunRecord& record, const Outputs& outputs) {
  if (outputs.json) outputs.json->write(json_text(json_report(record, arguments.cycles)));
  if (outputs.csv) outputs.csv->append(record);
  if (outputs.human) {
    const Style style = Style::of_output();
    std::string text = human_report(record, style);
    if (arguments.cycles) text += cycle_table(record.outcome.report, style);
    write_output(text);
  }
  report_problems(record);
  return exit_code_of(record);
}

}  // namespace

int run_command(const RunArguments& arguments) {
  const RunPlan plan = plan_run(arguments);
  const Outputs outputs(arguments);
  const std::atomic<bool>& stop = catch_interrupts();
  RunRecord record = planned(plan);
  MoveLog log;
  try {
    execute(arguments, record, stop, arguments.plan ? &log : nullptr);
  } catch (const RunError& error) {
    begin_outputs();
    return report_failure(record, error, outputs);
  }
  begin_outputs();
  if (arguments.plan) return report_plan(arguments, record, log, outputs);
  return report_success(arguments, record, outputs);
}

}  // namespace lockstep::cli
