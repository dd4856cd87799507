#include "judged_run.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>

#include "compare/comparison.hpp"
#include "flags/setting_flags.hpp"
#include "flags/value_option.hpp"
#include "host/child_process.hpp"
#include "host/interrupt.hpp"
#include "host/json_value.hpp"
#include "host/number_text.hpp"
#include "host/output_file.hpp"
#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/core/memory.hpp"
#include "lockstep/core/printable.hpp"
#include "provenance.hpp"
#include "run/execution.hpp"
#include "run/failure.hpp"

// Defined if the program or a library of it was built with AddressSanitizer.
extern "C" void __asan_init() __attribute__((weak));  // NOLINT: its name

namespace lockstep::cli::judge {
namespace {

using Json = nlohmann::ordered_json;
using Ending = JudgedRun::Ending;

constexpr std::string_view command_word = "judge-run";
constexpr std::array<std::string_view, 8> endings{"ended",         "failed", "refused", "out of time",
                                                  "out of memory", "killed", "crashed", "no result"};
/// The exit code of a process that has no memory for a result.
constexpr int no_memory = 75;
constexpr std::array<ExecutorKind, 3> executors{ExecutorKind::sequential, ExecutorKind::seeded, ExecutorKind::tbb};
constexpr unsigned threads = 4;
/// Larger traces are not examined.
constexpr std::uint64_t most_messages = 200'000;

Json json_of(const JudgedRun& run) {
  return {{"ending", endings[static_cast<std::size_t>(run.ending)]},
          {"kind", run.kind},
          {"text", run.text},
          {"wrong", run.wrong},
          {"unexplained", run.unexplained},
          {"differing", run.differing},
          {"digest", run.digest},
          {"steps", run.steps},
          {"time", run.time},
          {"ports", run.ports},
          {"duplex", run.duplex},
          {"multicast", run.multicast},
          {"combines", run.combines},
          {"rules", run.rules},
          {"task", run.task},
          {"parameters", run.parameters},
          {"bound", host::json_of(run.bound)},
          {"machine_bound", host::json_of(run.machine_bound)}};
}

std::optional<std::uint64_t> number_or_none(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional<std::uint64_t>(json);
}

/// Throws the library's error if the document is none.
JudgedRun run_of(const Json& json) {
  const auto ending = std::ranges::find(endings, json.at("ending").get<std::string>());
  return {.ending = ending == endings.end() ? Ending::no_result : static_cast<Ending>(ending - endings.begin()),
          .kind = json.at("kind"),
          .text = json.at("text"),
          .wrong = json.at("wrong"),
          .unexplained = json.at("unexplained"),
          .differing = json.at("differing"),
          .digest = json.at("digest"),
          .steps = json.at("steps"),
          .time = json.at("time"),
          .ports = json.at("ports"),
          .duplex = json.at("duplex"),
          .multicast = json.at("multicast"),
          .combines = json.at("combines"),
          .rules = json.at("rules"),
          .task = json.at("task"),
          .parameters = json.at("parameters"),
          .bound = number_or_none(json.at("bound")),
          .machine_bound = number_or_none(json.at("machine_bound"))};
}

/// The given parameters that the method takes; the others are for other judged methods.
Settings settings_for(const JudgeArguments& arguments, const Method& method) {
  Settings settings;
  for (const auto& [flag, text] : arguments.trials.settings) {
    if (flags::takes(method, flag->name)) flag->set(settings, text);
  }
  return settings;
}

std::string without_name(const std::string& name, const std::string& text) {
  return text.starts_with(name + ": ") ? text.substr(name.size() + 2) : text;
}

/// The steps that any method needs; empty if not known.
std::optional<std::uint64_t> machine_bound(const run::RunRecord& record) {
  const run::RunPlan& plan = record.plan;
  if (plan.embedding && plan.embedding->processors < plan.machine.processors) return {};
  Method method = *plan.method;
  method.proven = nullptr;
  if (method.operation == "sort") method.operation = "barrier";  // every place depends on the data of all
  if (method.operation == "transpose" && method.mapping == "one-dimensional") method.operation = "alltoall";
  Settings settings = plan.settings;
  if (plan.embedding && settings.root) settings.root = plan.embedding->place(static_cast<Rank>(*settings.root));
  return lower_bound(method, plan.machine, plan.model, settings).steps;
}

void fill_in(JudgedRun& run, const run::RunRecord& record, const run::Trace* trace) {
  run.ending = Ending::ended;
  run.wrong = record.outcome.wrong;
  run.digest = record.digest;
  run.steps = record.outcome.report.steps;
  run.time = record.outcome.report.time_synchronous;
  if (record.error == "prediction-differs") run.differing = record.problems;
  if (trace == nullptr) return;
  if (run.wrong.empty()) {
    run.unexplained = unexplained_data(record.plan, *trace);
  } else if (const std::string missing = missing_block(record.plan, *trace); !missing.empty()) {
    run.wrong += "; " + missing;
  }
}

/// Sets `planned` before the run begins.
void attempt(const JudgeArguments& arguments, const JudgedRunOrder& order, JudgedRun& run,
             std::optional<run::RunPlan>& planned, const std::atomic<bool>& stop) {
  run::RunArguments alone = arguments.trials.run;
  alone.machine = order.machine;
  alone.algorithm = order.method;
  alone.executor = order.executor;
  alone.quiet = true;
  if (order.executor == ExecutorKind::tbb) alone.threads = threads;
  if (order.executor == ExecutorKind::seeded) alone.schedule_seed = order.seed;
  alone.observes_guest = true;
  alone.settings = settings_for(arguments, find_method(order.method, run::stage_of(alone).family));
  run::RunRecord record = run::planned(run::plan_run(alone));
  const run::RunPlan& plan = planned.emplace(record.plan);
  const compare::RunRules rules = compare::rules_of(plan);
  run.ports = name(rules.ports);
  run.duplex = name(rules.duplex);
  run.multicast = rules.multicast;
  run.combines = rules.combines;
  run.rules = text_of(rules);
  run.task = compare::task_of(record);
  run.parameters = flags::setting_values(*plan.method, plan.settings);
  run.bound = record.lower_bound.steps;
  run.machine_bound = machine_bound(record);
  std::optional<run::TraceRecorder> recorder;
  if (order.executor == ExecutorKind::sequential)
    recorder.emplace(plan, run::TraceLimits{.max_events = most_messages, .ranks = {}});
  run::execute(
      alone, record, [&](std::uint64_t) { return plan.settings; }, stop, recorder ? &*recorder : nullptr);
  fill_in(run, record, recorder ? &recorder->trace() : nullptr);
}

JudgedRun run_here(const JudgeArguments& arguments, const JudgedRunOrder& order, const std::atomic<bool>& stop) {
  JudgedRun run;
  std::optional<run::RunPlan> plan;
  try {
    attempt(arguments, order, run, plan, stop);
  } catch (...) {
    const run::CommandFailure failure = run::failure_of(std::current_exception(), plan ? &*plan : nullptr);
    const bool has_failed = failure.of_run || failure.code == host::internal_error;
    run.ending = has_failed ? Ending::failed : Ending::refused;
    if (failure.kind == "memory") run.ending = Ending::out_of_memory;
    run.kind = failure.kind;
    run.text = failure.of_run ? without_name(printable(plan->name), failure.text) : failure.text;
  }
  return run;
}

/// Limits the memory that AddressSanitizer allows to processes started from now on.
void limit_memory_of_sanitizer(std::uint64_t bytes) {
  const char* const given = std::getenv("ASAN_OPTIONS");
  const std::string before = given == nullptr ? "" : given;
  const std::string megabytes = std::to_string(std::max<std::uint64_t>(1, bytes >> 20));
  const std::string limits = ":max_allocation_size_mb=" + megabytes + ":hard_rss_limit_mb=" + megabytes;
  if (!before.ends_with(limits)) setenv("ASAN_OPTIONS", (before + limits).c_str(), 1);
}

/// "AddressSanitizer: heap-buffer-overflow" from the first such line, or the undefined behaviour that was reported.
std::string sanitizer_text(const std::string& errors) {
  for (const char* const mark : {"AddressSanitizer: ", "runtime error: "}) {
    const std::size_t first = errors.find(mark);
    if (first == std::string::npos) continue;
    const std::string line = errors.substr(first, errors.find('\n', first) - first);
    return line.substr(0, std::min(line.find(" on address"), std::min(line.find(" on unknown"), line.find(" ("))));
  }
  return "";
}

/// The last non-empty line, as the end of a complaint; empty if there is none.
std::string last_words(const std::string& errors) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t end = errors.find_last_not_of(blanks);
  if (end == std::string::npos) return "";
  const std::size_t before = errors.rfind('\n', end);
  return "; its last line was: " + errors.substr(before + 1, end - before);
}

JudgedRun without_good_end(const JudgeArguments& arguments, const host::EndedProcess& process) {
  JudgedRun run;
  // A program may print the same text itself without being ended by a sanitizer.
  const bool has_ended_itself =
      process.ending == host::EndedProcess::Ending::signalled || process.ending == host::EndedProcess::Ending::returned;
  const std::string sanitizer = has_ended_itself ? sanitizer_text(process.errors) : "";
  if (!sanitizer.empty()) {
    const bool is_limit =
        sanitizer.find("allocation size") != std::string::npos || sanitizer.find("rss limit") != std::string::npos;
    run.ending = is_limit ? Ending::out_of_memory : Ending::crashed;
    run.text = sanitizer;
    return run;
  }
  switch (process.ending) {
    case host::EndedProcess::Ending::out_of_time:
      run.ending = Ending::out_of_time;
      run.text = "rank programs did not end within " + host::short_number(arguments.time_limit) + " s";
      break;
    case host::EndedProcess::Ending::signalled:
      run.ending = process.code == SIGKILL ? Ending::killed : Ending::crashed;
      run.text = run.ending == Ending::killed
                     ? "was killed, perhaps because the host's memory was used up"
                     : std::string("crashed: ") + strsignal(process.code) + last_words(process.errors);
      break;
    case host::EndedProcess::Ending::too_much_output:
      run.text = "wrote without end";
      break;
    case host::EndedProcess::Ending::not_started:
      run.text = std::string("could not be started: ") + std::strerror(process.code);
      break;
    case host::EndedProcess::Ending::returned:
      if (process.code == no_memory) run.ending = Ending::out_of_memory;
      run.text = "ended without a result (exit code " + std::to_string(process.code) +
                 "): a program must co_return, not end the process or close its files";
  }
  return run;
}

/// The result is the last line: programs may have written before.
std::optional<JudgedRun> result_in(const std::string& output) {
  if (!output.ends_with('\n')) return {};
  const std::string text = output.substr(0, output.size() - 1);
  try {
    return run_of(host::json_in(text.substr(text.rfind('\n') + 1)));
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

}  // namespace

JudgedRun run_apart(const JudgeArguments& arguments, const JudgedRunOrder& order, const std::atomic<bool>& stop) {
  std::vector<std::string> words{arguments.program, std::string(command_word),         order.machine,
                                 order.method,      std::string(name(order.executor)), std::to_string(order.seed)};
  words.insert(words.end(), arguments.words.begin(), arguments.words.end());
  host::ChildLimits limits{.seconds = arguments.time_limit, .memory_bytes = arguments.memory_limit};
  if (__asan_init != nullptr) {
    limits.memory_bytes.reset();  // AddressSanitizer's shadow would not fit
    limit_memory_of_sanitizer(arguments.memory_limit);
  }
  const host::EndedProcess process = host::run_process(words, "/proc/self/exe", limits, stop);
  const bool has_returned = process.ending == host::EndedProcess::Ending::returned;
  JudgedRun run =
      (has_returned ? result_in(process.output) : std::nullopt).value_or(without_good_end(arguments, process));
  if (run.ending == Ending::out_of_memory)
    run.text = "needs more than " + format_bytes(arguments.memory_limit) + " of memory";
  return run;
}

bool is_judged_run(int argc, const char* const* argv) { return argc > 5 && argv[1] == command_word; }

void make_judged_run(int argc, const char* const* argv, const std::atomic<bool>& stop) try {
  constexpr int far_from_others = 100;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Output of the program must not mix with the result, which alone is read.
  int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, far_from_others);
  if (output < 0) output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);  // where fewer files may be open
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  JudgeArguments arguments;
  flags::parse({argv + 6, argv + argc}, [&arguments](CLI::App& app) { add_judge_options(app, arguments); });
  const std::string_view executor_name = argv[4];
  JudgedRunOrder order{.machine = argv[2], .method = argv[3]};
  for (const ExecutorKind executor : executors) {
    if (name(executor) == executor_name) order.executor = executor;
  }
  order.seed = std::strtoull(argv[5], nullptr, 10);
  const JudgedRun run = run_here(arguments, order, stop);
  host::write_whole(output, "\n" + json_of(run).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  _exit(host::verified);  // skips the program's exit handlers
} catch (const std::bad_alloc&) {
  _exit(no_memory);
}

}  // namespace lockstep::cli::judge
