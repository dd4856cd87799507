#include "command.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "argument_order.hpp"
#include "completion.hpp"
#include "flags/command_line.hpp"
#include "host/exit_code.hpp"
#include "host/interrupt.hpp"
#include "host/number_text.hpp"
#include "host/output_file.hpp"
#include "host/version.hpp"
#include "judge/judged_run.hpp"
#include "refusal_report.hpp"
#include "run/failure.hpp"
#include "run/process_group.hpp"
#include "subcommands.hpp"

namespace lockstep::cli::shell {
namespace {

constexpr const char* description =
    "Lockstep emulates message-passing machines (hypercubes, tori, ...): every processor is a task, and all tasks\n"
    "run concurrently, cycle by cycle. It runs collective algorithms on them, enforces the machine's rules,\n"
    "counts steps and messages, and checks the data against an independent oracle.";

constexpr const char* examples = R"(Examples:
  lockstep run --machine hypercube:4 --algorithm broadcast/sbt
  lockstep info torus:4x5
  lockstep list algorithms)";

/// The command line, and the arguments that it fills.
struct Commands {
  flags::CommandLine line{"lockstep", description, "lockstep " + std::string(host::version), examples};
  Arguments arguments;

  Commands() {
    for (const Subcommand& each : subcommands()) {
      line.add_subcommand(std::string(each.name), std::string(each.summary),
                          [&](CLI::App& app) { each.add(app, arguments); });
    }
  }

  int read_and_run(int argc, const char* const* argv, const Additions& additions, const std::atomic<bool>& stop,
                   run::ProcessGroup* group) {
    if (const auto words = words_to_complete(argc, argv)) {
      host::write_output(completions(line.shown(), *words));
      return host::verified;
    }
    if (judge::is_judged_run(argc, argv)) judge::make_judged_run(argc, argv, stop);
    const flags::CommandLine::Call call = line.read(argc, argv);
    const Subcommand* subcommand = call.text.empty() ? find_subcommand(call.subcommand) : nullptr;
    const bool is_divided =
        group != nullptr && subcommand != nullptr && subcommand->divides != nullptr && subcommand->divides(arguments);
    if (group != nullptr && !is_divided && !group->is_first()) return host::verified;
    if (subcommand != nullptr) {
      const std::span words(argv, static_cast<std::size_t>(argc));
      return subcommand->run(arguments, {words, additions, stop, is_divided ? group : nullptr});
    }
    host::write_output(call.text);
    return host::verified;
  }
};

/// A standard file that is closed stays unusable: no file that is opened later gets its number.
void occupy_closed_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(file, F_GETFD) >= 0) continue;
    [[maybe_unused]] const int opened = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace

flags::ShownCommand shown_command() {
  static const Commands commands;
  return commands.line.shown();
}

namespace {

/// How long an interrupted command may take to end. mpirun, if interrupted itself, ends all processes after a second.
/// If only a silenced one is, the first should hear of it from the run, and say so.
std::chrono::milliseconds patience(const run::ProcessGroup* group, bool is_under_mpirun) {
  if (group != nullptr && !group->is_first()) return std::chrono::seconds(5);
  return std::chrono::milliseconds(is_under_mpirun ? 500 : 1000);
}

int guarded_command(int argc, const char* const* argv, const Additions& additions, StartedProcesses* processes) {
  // Under mpirun standard output is a terminal even where mpirun's own output is none.
  if (processes != nullptr) setenv("NO_COLOR", "1", 0);
  std::optional<run::ProcessGroup> group;
  if (processes != nullptr && processes->count() > 1) {
    std::string what = "lockstep " + std::string(host::version);
    for (int argument = 1; argument < argc; ++argument) what += std::string(" ") + argv[argument];
    group.emplace(*processes, std::move(what));
  }
  const std::atomic<bool>& stop = host::catch_interrupts(patience(group ? &*group : nullptr, processes != nullptr));
  const auto first = static_cast<std::size_t>(std::min(argc, 1));
  std::span arguments(argv, static_cast<std::size_t>(argc));
  if (group && !group->is_first()) arguments = arguments.first(first);  // only the first writes reports
  const RefusalReport report(arguments.subspan(first));
  host::on_interrupt([&report] { report.write(run::interruption()); });
  int code = host::verified;
  std::string wrong;
  try {
    for (const MachineFamily& family : additions.families) add_machine_family(family);
    for (const Method& method : additions.methods) add_method(method);
    std::vector<const char*> words(argv, argv + first);
    std::ranges::copy(argument_before_json({argv + first, argv + argc}), std::back_inserter(words));
    code = Commands().read_and_run(static_cast<int>(words.size()), words.data(), additions, stop,
                                   group ? &*group : nullptr);
  } catch (...) {
    host::begin_outputs();
    const run::CommandFailure failure = run::failure_of(std::current_exception());
    report.write(failure);
    code = run::print_last(failure.text, failure.code);
    wrong = failure.text;
  }
  host::begin_outputs();  // from here on an interrupt does not end the command a second time
  return group ? group->end(code, wrong) : code;
}

std::terminate_handler terminate_otherwise = std::abort;

/// Ends the program with one line if memory runs out where no exception may leave, as in some destructors of JSON, or
/// if oneTBB's threads cannot start each other.
[[noreturn]] void on_terminate() {
  try {
    if (const std::exception_ptr exception = std::current_exception()) std::rethrow_exception(exception);
  } catch (const std::bad_alloc&) {
    host::end_without_resources(host::memory_ran_out);
  } catch (const std::exception& exception) {
    if (run::lacks_threads(exception)) host::end_without_resources(run::no_threads);
    terminate_otherwise();  // prints the exception
  } catch (...) {
    terminate_otherwise();
  }
  std::abort();
}

}  // namespace
}  // namespace lockstep::cli::shell

namespace lockstep {

int command(int argc, const char* const* argv, const Additions& additions) {
  return command(argc, argv, additions, nullptr);
}

int command(int argc, const char* const* argv, const Additions& additions, StartedProcesses* processes) {
  using namespace cli;
  using namespace cli::shell;
  std::signal(SIGPIPE, SIG_IGN);  // the write fails when the reader has gone
  std::signal(SIGXFSZ, SIG_IGN);  // or the file has reached its size limit
  if (const std::terminate_handler before = std::set_terminate(on_terminate); before != on_terminate) {
    terminate_otherwise = before;
  }
  occupy_closed_files();
  try {
    return guarded_command(argc, argv, additions, processes);
  } catch (const std::bad_alloc&) {  // there was no memory even for the error's text
    host::say_plainly(host::memory_ran_out);
    if (processes != nullptr && processes->count() > 1) processes->end_all(host::bad_input);  // they wait for this one
    return host::bad_input;
  }
}

}  // namespace lockstep
