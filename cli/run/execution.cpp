#include "execution.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <span>
#include <system_error>
#include <utility>

#include "host/host_facts.hpp"
#include "host/number_text.hpp"
#include "host/progress_bar.hpp"
#include "host/terminal.hpp"
#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/algorithms/carried_prediction.hpp"
#include "lockstep/algorithms/carrier.hpp"
#include "lockstep/algorithms/operation/operands.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/memory_limit.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/topologies.hpp"
#include "time_need.hpp"

namespace lockstep::cli::run {
namespace {

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// One run of the plan; the progress bar shows `number`. An observer, if given, sees what moves.
Outcome run_once(const RunArguments& arguments, RunRecord& record, const Settings& settings, const Topology& topology,
                 Executor& executor, const std::atomic<bool>& stop, std::uint64_t number, RunObserver* observer,
                 RunEnding& ending, std::span<const CostModel> other_costs) {
  const RunPlan& plan = record.plan;
  std::optional<host::ProgressBar> progress;
  RunOptions options{.name = printable(plan.name),
                     .max_cycles = arguments.max_cycles,
                     .record_cycles = arguments.cycles,
                     .stop = &stop,
                     .other_costs = {other_costs.begin(), other_costs.end()}};
  if (host::errors_on_terminal() && !arguments.quiet) {
    std::string label = printable(plan.machine.text) + " " + options.name;
    if (const std::uint64_t all = arguments.warmup + arguments.repeat; all > 1) {
      label += " run " + std::to_string(number) + " of " + std::to_string(all);
    }
    constexpr double worth_telling = 1;  // seconds
    const std::optional<double> estimated = record.wall.estimated_seconds;
    const bool is_long = estimated && *estimated >= worth_telling;
    if (is_long) label += ", about " + host::rough_duration(*estimated);
    const auto& steps = record.prediction.steps;
    progress.emplace(label, steps ? std::optional(steps->value) : std::nullopt);
    if (is_long) progress->announce();
    options.on_barrier = [&progress](const Progress& now) { progress->show(now); };
  }
  std::optional<Carrier> carrier;
  if (plan.embedding) {
    RunObserver* const of_hops = arguments.observes_guest ? nullptr : observer;
    carrier.emplace(*plan.embedding, plan.model, executor, options, arguments.channels, of_hops);
    if (of_hops != nullptr) observer = nullptr;
  }
  const Model model = plan.embedding ? known_to_guest(plan.model) : plan.model;
  const MemoryChecked checked;  // by plan_run(), from an estimate of what this method takes
  Outcome outcome = plan.method->run({.machine = plan.stage(),
                                      .topology = topology,
                                      .model = model,
                                      .settings = settings,
                                      .executor = executor,
                                      .options = options,
                                      .channels = arguments.channels,
                                      .observer = observer,
                                      .carrier = carrier ? &*carrier : nullptr,
                                      .faults = plan.faults.faults.empty() ? nullptr : &plan.faults.faults,
                                      .division = arguments.division,
                                      .ending = &ending});
  if (!carrier) return outcome;
  record.carried = carrier->counts();
  outcome.measures.insert(outcome.measures.end(), {{"guest_steps", record.carried->guest_steps},
                                                   {"congestion", record.carried->congestion},
                                                   {"dilation", record.carried->dilation}});
  return outcome;
}

/// None where processors stop: what they would need or hold then need not move.
LowerBound bound_of(const RunPlan& plan) {
  if (!plan.faults.faults.processors.empty()) return {};
  if (plan.embedding) return carried_lower_bound(*plan.embedding, *plan.method, plan.model, plan.settings);
  return lower_bound(*plan.method, plan.machine, plan.model, plan.settings);
}

}  // namespace

RunRecord planned(const RunPlan& plan) {
  RunRecord record = predicted(plan);
  record.lower_bound = bound_of(plan);
  return record;
}

RunRecord predicted(const RunPlan& plan) {
  return {.plan = plan,
          .facts = facts(plan.machine),
          .prediction = prediction_of(plan),
          .lower_bound = {},
          .outcome = {},
          .wall = {},
          .digest = {},
          .problems = {}};
}

namespace {

/// Throws InputError if the host cannot start the threads.
std::unique_ptr<Executor> executor_for(const RunArguments& arguments) {
  try {
    return make_executor(arguments.executor, arguments.threads, arguments.schedule_seed.value_or(1));
  } catch (const std::system_error& error) {
    const std::string number = arguments.threads == 0 ? "one per core" : std::to_string(arguments.threads);
    throw InputError("cannot start the threads (" + error.code().message() + "); --threads is " + number +
                     ", try fewer");
  }
}

/// An estimate of the time of one run. None for a guest, whose host moves more than is predicted.
std::optional<double> seconds_of_one(const RunRecord& record, unsigned threads) {
  const RunPlan& plan = record.plan;
  if (plan.embedding) return std::nullopt;
  return estimated_seconds(plan.machine, record.prediction, plan.estimated_bytes, threads);
}

/// Records a run that an error ended, if its counts are known, and throws the error.
[[noreturn]] void end_cut_off(RunEnding& ending, RunRecord& record) {
  record.outcome = {};
  record.outcome.report = std::move(ending.report);
  record.coverage = std::move(ending.coverage);
  record.is_cut_off = true;
  std::rethrow_exception(ending.error);
}

/// Whether any of the processes that run together was interrupted.
bool is_asked_to_stop(const Division* division, const std::atomic<bool>& stop) {
  if (division == nullptr) return stop;
  std::uint64_t stops = stop ? 1 : 0;
  division->processes.reduce({}, std::span(&stops, 1));
  return stops != 0;
}

}  // namespace

void refuse_missing_faults(const RunPlan& plan, const Topology& topology) {
  try {
    verify(plan.faults.faults, topology);
    verify(plan.faults.messages, topology);
  } catch (const std::invalid_argument& error) {
    throw InputError(std::string("faults: ") + error.what());
  }
}

void execute(const RunArguments& arguments, RunRecord& record,
             const std::function<Settings(std::uint64_t number)>& settings_of, const std::atomic<bool>& stop,
             RunObserver* observer, std::span<const CostModel> other_costs) {
  const auto executor = executor_for(arguments);
  const std::uint64_t runs = arguments.warmup + arguments.repeat;
  const std::optional<double> of_one = seconds_of_one(record, executor->workers());
  if (of_one) record.wall.estimated_seconds = *of_one * static_cast<double>(runs);
  host::host_facts();  // the load is that before the runs
  const auto start = std::chrono::steady_clock::now();
  const Topology topology = build(record.plan.stage());
  const std::chrono::duration<double> building = std::chrono::steady_clock::now() - start;
  refuse_missing_faults(record.plan, topology);
  const MessageFaults& message_faults = record.plan.faults.messages;
  std::vector<double> seconds;
  for (std::uint64_t number = 1; number <= runs; ++number) {
    std::optional<MessageFaultInjector> injector;
    std::optional<TransferTimes> times;
    SeveralObservers observers;
    if (observer != nullptr) observers.add(*observer);
    if (number == 1 && has_critical_path(record.plan)) observers.add(times.emplace(record.plan));
    if (!message_faults.empty()) observers.add(injector.emplace(message_faults));
    const Settings settings = settings_of(number);
    RunEnding ending;
    Outcome outcome;
    try {
      outcome = run_once(arguments, record, settings, topology, *executor, stop, number,
                         observers.empty() ? nullptr : &observers, ending, other_costs);
    } catch (...) {
      if (!ending.error) throw;
      ending.coverage.reset();  // what the processors hold cannot be judged
    }
    if (injector && number == 1) record.faulty = injector->counts();
    if (ending.error) end_cut_off(ending, record);
    if (number > arguments.warmup) seconds.push_back(outcome.report.run_seconds);
    if (number == 1) {
      record.outcome = std::move(outcome);
      if (const std::uint64_t words = operands::wrapped_words(settings, record.plan.method->operation); words != 0) {
        record.outcome.measures.push_back({"wrapped_words", words});
      }
      record.coverage = std::move(ending.coverage);
      judge(record);
      if (times) {
        record.critical_path = times->critical_path();
        record.is_critical_path_kept = times->is_complete();
      }
    } else if (const std::string digest = digest_of(outcome); digest != record.digest) {
      throw std::logic_error("run " + std::to_string(number) + " has the digest " + digest + ", the first " +
                             record.digest);
    }
    if (is_asked_to_stop(arguments.division, stop))
      throw RunError(ErrorKind::interrupted, record.outcome.report.cycles, no_rank, {}, "interrupted");
  }
  record.wall = {.setup_seconds = building.count() + record.outcome.report.setup_seconds,
                 .samples = seconds,
                 .run = host::spread_of(seconds),
                 .verify_seconds = record.outcome.verify_seconds,
                 .arithmetic_seconds = record.outcome.arithmetic_seconds,
                 .repeats = arguments.repeat,
                 .warmup = arguments.warmup,
                 .peak_rss_bytes = peak_rss_bytes(),
                 .estimated_bytes = record.plan.estimated_bytes,
                 .estimated_seconds = record.wall.estimated_seconds,
                 .threads = executor->workers(),
                 .executor = std::string(executor->name()),
                 .channels = record.outcome.report.channels};
}

}  // namespace lockstep::cli::run
