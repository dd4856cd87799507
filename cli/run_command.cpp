#include "run_command.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <iostream>

#include "csv_report.hpp"
#include "exit_code.hpp"
#include "human_report.hpp"
#include "interrupt.hpp"
#include "json_report.hpp"
#include "lockstep/machines/topologies.hpp"
#include "output_file.hpp"
#include "progress_bar.hpp"

namespace lockstep::cli {
namespace {

/// Where the results of a run go.
struct Outputs {
  std::optional<OutputFile> json;
  std::optional<CsvReport> csv;
  bool human = true;

  explicit Outputs(const RunArguments& arguments) {
    if (arguments.json && arguments.json == arguments.csv) {
      throw InputError("--json and --csv cannot both go to '" + *arguments.json + "'");
    }
    if (arguments.json) json.emplace(*arguments.json, OutputFile::Use::replace);
    if (arguments.csv) csv.emplace(*arguments.csv);
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

/// One run of the plan; `number` of how many, for the progress bar.
Outcome run_once(const RunArguments& arguments, const RunRecord& record, const Topology& topology, Executor& executor,
                 const std::atomic<bool>& stop, std::uint64_t number) {
  const RunPlan& plan = record.plan;
  std::optional<ProgressBar> progress;
  RunOptions options{.name = std::string(plan.method->name),
                     .max_cycles = arguments.max_cycles,
                     .record_cycles = arguments.cycles,
                     .stop = &stop};
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
                           .fault = {}});
}

/// Runs as often as was asked for. All runs must come to the same digest; std::logic_error if they do not.
RunRecord execute(const RunArguments& arguments, const RunPlan& plan, const std::atomic<bool>& stop) {
  RunRecord record{.plan = plan,
                   .facts = facts(plan.machine),
                   .prediction = plan.method->predict(plan.machine, plan.model, plan.settings),
                   .lower_bound = plan.method->lower_bound(plan.machine, plan.model, plan.settings),
                   .outcome = {},
                   .wall = {},
                   .digest = {},
                   .problems = {}};
  const auto start = std::chrono::steady_clock::now();
  const Topology topology = build(plan.machine);
  const std::chrono::duration<double> building = std::chrono::steady_clock::now() - start;
  const auto executor = make_executor(arguments.executor, arguments.threads, arguments.schedule_seed);

  std::vector<double> seconds;
  for (std::uint64_t number = 1; number <= arguments.repeat; ++number) {
    Outcome outcome = run_once(arguments, record, topology, *executor, stop, number);
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
  return record;
}

/// What the user should read about a run that failed, and the exit code.
int report_failure(const RunPlan& plan, const RunError& error, const Outputs& outputs) {
  if (outputs.json) outputs.json->write(json_text(json_failure(plan, error)));
  const std::string name(plan.method->name);
  std::string text = error.what();
  int code = error.kind() == ErrorKind::interrupted ? interrupted : run_failed;
  const std::string changed = changed_rules(plan.model, plan.method->defaults);
  if (error.is_violation() && !changed.empty()) {
    if (text.starts_with(name + ": ")) text.erase(0, name.size() + 2);
    text = name + " is not legal under " + changed + ": " + text;
    code = bad_input;
  }
  std::cerr << "lockstep: " << text << "\n";
  if (const auto* deadlock = dynamic_cast<const DeadlockError*>(&error)) std::cerr << deadlock->dot();
  return code;
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
  for (const std::string& problem : record.problems) {
    std::cerr << "lockstep: " << record.plan.method->name << " on " << record.plan.machine.text << ": " << problem
              << "\n";
  }
  return record.problems.empty() ? verified : run_failed;
}

}  // namespace

int run_command(const RunArguments& arguments) {
  const RunPlan plan = plan_run(arguments);
  const Outputs outputs(arguments);
  const std::atomic<bool>& stop = catch_interrupts();
  std::optional<RunRecord> record;
  try {
    record = execute(arguments, plan, stop);
  } catch (const RunError& error) {
    return report_failure(plan, error, outputs);
  }
  return report_success(arguments, *record, outputs);
}

}  // namespace lockstep::cli
