#include "command.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <span>

#include "compare/best_command.hpp"
#include "compare/compare_command.hpp"
#include "compare/sweep_command.hpp"
#include "completion.hpp"
#include "flags/value_option.hpp"
#include "host/exit_code.hpp"
#include "host/interrupt.hpp"
#include "host/number_text.hpp"
#include "host/output_file.hpp"
#include "host/version.hpp"
#include "judge/judge_command.hpp"
#include "judge/judge_options.hpp"
#include "learn/demo_command.hpp"
#include "learn/errata_command.hpp"
#include "learn/explain_command.hpp"
#include "learn/list_command.hpp"
#include "learn/new_command.hpp"
#include "machine/info_command.hpp"
#include "refusal_report.hpp"
#include "reproduce/reproduce_command.hpp"
#include "run/failure.hpp"
#include "run/together.hpp"
#include "search/search_command.hpp"
#include "trace/run_command.hpp"

namespace lockstep::cli::shell {
namespace {

constexpr const char* description =
    "Lockstep emulates message-passing machines (hypercubes, tori, ...): every processor is a task of its own, all "
    "run\n"
    "at once, one machine cycle after another. It runs collective algorithms on them, enforces the machine's rules,\n"
    "counts steps and messages, and checks the data against an independent oracle.";

constexpr const char* json_description = "write JSON, to FILE or (-, or no FILE) to standard output";

constexpr const char* examples = R"(Examples:
  lockstep run --machine hypercube:4 --algorithm broadcast/sbt
  lockstep info torus:4x5
  lockstep list algorithms)";

constexpr const char* list_examples = R"(Examples:
  lockstep list algorithms broadcast
  lockstep list --machine rh:3,2
  lockstep list --operation scan --json)";

constexpr const char* explain_examples = R"(Examples:
  lockstep explain broadcast/sbt
  lockstep explain allgather/daisy-chain --machine torus:4x4
  lockstep explain deadlock
  lockstep explain torus --json)";

constexpr const char* demo_examples =
    R"(Keys: Enter goes on, b back, q quits; arrows and Page Down scroll what is longer than the screen.

Examples:
  lockstep demo
  lockstep demo broadcast-hypercube
  lockstep demo deadlock --auto 3
  lockstep demo pipelining --speaker)";

constexpr const char* new_examples =
    R"(The directory NAME has a program to fill in, a CMake project that builds and judges it, and a README that says how.

Examples:
  lockstep new mine --operation allgather
  lockstep new round --operation broadcast --machine ring)";

constexpr const char* completion_examples =
    R"(Each shell reads it when it starts, or from where `cmake --install` puts it:
  source <(lockstep completion bash)      in ~/.bashrc
  source <(lockstep completion zsh)       in ~/.zshrc, after compinit
  lockstep completion fish | source       in ~/.config/fish/config.fish)";

/// The subcommands with what each was asked for.
struct Commands {
  CLI::App app{description, "lockstep"};
  run::RunArguments run_arguments;
  run::RunArguments plan_arguments;
  run::RunArguments validate_arguments;
  run::RunArguments trace_arguments;
  compare::CompareArguments compare_arguments;
  compare::SweepArguments sweep_arguments;
  compare::BestArguments best_arguments;
  search::SearchArguments search_arguments;
  reproduce::ReproduceArguments reproduce_arguments;
  judge::JudgeArguments judge_arguments;
  learn::ListArguments list_arguments;
  machine::InfoArguments info_arguments;
  learn::ErrataArguments errata_arguments;
  learn::ExplainArguments explain_arguments;
  learn::DemoArguments demo_arguments;
  learn::NewArguments new_arguments;
  std::string shell;
  CLI::App* run = app.add_subcommand("run", "Run an algorithm on a machine, check its data and count what it does");
  CLI::App* plan = app.add_subcommand("plan", "Write the schedule of a total exchange to a file");
  CLI::App* validate = app.add_subcommand("validate", "Check, carry out and count a schedule of one's own");
  CLI::App* trace = app.add_subcommand("trace", "Run an algorithm and show or write every message that moves");
  CLI::App* compare =
      app.add_subcommand("compare", "Show all methods of an operation side by side, on one machine or several");
  CLI::App* sweep =
      app.add_subcommand("sweep", "Compare so for many sizes, costs or machines, a line for each in a file");
  CLI::App* best = app.add_subcommand("best", "Say which method wins from which size or cost on");
  CLI::App* search = app.add_subcommand("search", "Search for a schedule of a collective on any machine with links");
  CLI::App* reproduce =
      app.add_subcommand("reproduce", "Show what the papers print beside what the machine counts, table by table");
  CLI::App* judge =
      app.add_subcommand("judge", "Judge a method: its data, its rules, its steps; and give points for it");
  CLI::App* list =
      app.add_subcommand("list", "List the machines, the algorithms with their parameters, and the cost presets");
  CLI::App* info = app.add_subcommand("info", "Show what is known of a machine, and which algorithms run on it");
  CLI::App* errata =
      app.add_subcommand("errata", "Show what the papers have wrong, what holds, and commands that show it");
  CLI::App* explain = app.add_subcommand(
      "explain", "Explain a method, an operation, a machine, a term, a parameter or a kind of error");
  CLI::App* demo = app.add_subcommand("demo", "Walk through a run cycle by cycle, with what moves and why");
  CLI::App* new_project = app.add_subcommand("new", "Write a small project for a program of one's own");
  CLI::App* completion = app.add_subcommand("completion", "Write a script with which a shell completes this command");

  Commands() {
    app.set_version_flag("--version", "lockstep " + std::string(host::version), "show the version and exit");
    app.footer(examples);
    app.require_subcommand(0, 1);
    run::add_run_options(*run, run_arguments);
    run::add_plan_options(*plan, plan_arguments);
    run::add_validate_options(*validate, validate_arguments);
    run::add_trace_options(*trace, trace_arguments);
    compare::add_compare_options(*compare, compare_arguments);
    compare::add_sweep_options(*sweep, sweep_arguments);
    compare::add_best_options(*best, best_arguments);
    search::add_search_options(*search, search_arguments);
    reproduce::add_reproduce_options(*reproduce, reproduce_arguments);
    judge::add_judge_options(*judge, judge_arguments);

    flags::add_value_option(*list, "what", "machines|algorithms|presets", "which list to show; all if not given",
                            [this](const std::string& text) { list_arguments.what = text; });
    flags::add_value_option(
        *list, "name", "NAME",
        "only what has that name: a family of machines; an algorithm, or all of an operation; a preset",
        [this](const std::string& text) { list_arguments.name = text; });
    flags::add_value_option(*list, "--operation", "NAME", "only algorithms of that operation, e.g. scan",
                            [this](const std::string& text) { list_arguments.operation = text; });
    flags::add_value_option(*list, "--machine", "SPEC", "only algorithms that run on that machine",
                            [this](const std::string& text) { list_arguments.machine = text; });
    flags::add_json_option(*list, json_description, [this](const std::string& text) { list_arguments.json = text; });
    list->footer(list_examples);

    flags::add_value_option(*info, "machine", "MACHINE", "the machine, e.g. torus:4x5; see `lockstep list machines`",
                            [this](const std::string& text) { info_arguments.machine = text; });
    flags::add_value_option(*info, "--embed", "SPEC",
                            "how that machine (or binary-tree) is embedded in the machine, and what that costs",
                            [this](const std::string& text) { info_arguments.embed = text; });
    flags::add_json_option(*info, json_description, [this](const std::string& text) { take_info_json(text); });
    info->add_flag("--status", info_arguments.status,
                   "show the status of every processor, the sum of its distances to all, instead");
    const auto add_graph_option = [this](const char* flag, const char* form, std::optional<std::string>& path) {
      flags::add_value_option(*info, flag, "FILE|-", std::string("write the machine as a graph with places: ") + form,
                              [&path](const std::string& text) { path = text; });
    };
    add_graph_option("--graph-json", "NetworkX node-link JSON", info_arguments.node_link);
    add_graph_option("--graphml", "GraphML", info_arguments.graphml);
    add_graph_option("--dot", "DOT, for neato", info_arguments.dot);
    flags::add_value_option(
        *info, "--processes", "P",
        "what P processes (mpirun -n P lockstep run ..) would each hold of it, what is cut between them, "
        "and how long a run would take: 1 to 65536",
        [this](const std::string& text) {
          info_arguments.processes = static_cast<unsigned>(parse_whole_number("--processes", text, 1, 65536));
        });
    run::add_partition_option(*info, "how they would divide it: block (default), gray or metis",
                              [this](PartitionKind partition) { info_arguments.partition = partition; });
    flags::add_value_option(*info, "--algorithm", "NAME", "predict a run of that method on them, with its defaults",
                            [this](const std::string& text) { info_arguments.algorithm = text; });
    flags::add_value_option(
        *info, "--message-time", "SECONDS",
        "what a message of that run costs one thread, as `lockstep run --threads 1` reports it of a "
        "smaller machine, e.g. 60e-9 (default: what one costs in a regular exchange, measured now)",
        [this](const std::string& text) {
          info_arguments.message_time = host::parse_seconds("--message-time", text, 1);
        });
    run::add_setting_options(
        *info, [](std::string_view name) { return name == "words"; },
        [this](const SettingFlag& flag, const std::string& text) { flag.set(info_arguments.settings, text); });
    info->footer(
        "Examples:\n  lockstep info rh:2,1\n  lockstep info 'product:ring:5*complete:4' --json\n"
        "  lockstep info mesh:3x2 --status\n  lockstep info hypercube:5 --embed torus:4x8\n"
        "  lockstep info torus:4096x4096 --processes 4 --algorithm broadcast/axis");

    flags::add_value_option(*errata, "name", "PAPER", "a paper, such as johnsson-ho, or one erratum, such as J23",
                            [this](const std::string& text) { errata_arguments.name = text; });
    flags::add_value_option(*errata, "--markdown", "FILE", "write Markdown, to FILE or (-) to standard output",
                            [this](const std::string& text) { errata_arguments.markdown = text; });
    flags::add_json_option(*errata, json_description,
                           [this](const std::string& text) { errata_arguments.json = text; });
    errata->footer("Examples:\n  lockstep errata johnsson-ho\n  lockstep errata J23 --json");

    flags::add_value_option(
        *explain, "name", "NAME",
        "what to explain, such as broadcast/sbt, TEA1, scan, torus, 'port model' or deadlock; all names if "
        "not given",
        [this](const std::string& text) { explain_arguments.name = text; });
    flags::add_value_option(*explain, "--machine", "SPEC",
                            "of methods of that name only the one that runs on that machine",
                            [this](const std::string& text) { explain_arguments.machine = text; });
    flags::add_json_option(*explain, json_description,
                           [this](const std::string& text) { explain_arguments.json = text; });
    explain->footer(explain_examples);

    flags::add_value_option(*demo, "name", "NAME", "which demonstration; all are listed if not given",
                            [this](const std::string& text) { demo_arguments.name = text; });
    flags::add_value_option(
        *demo, "--auto", "SECONDS", "go on by itself after so many seconds",
        [this](const std::string& text) { demo_arguments.seconds = host::parse_seconds("--auto", text, 3600); });
    flags::add_value_option(*demo, "--html", "FILE|-",
                            "write a page for browsers with the runs and what is said of them",
                            [this](const std::string& text) { demo_arguments.html = text; });
    demo->add_flag("--speaker", demo_arguments.speaker, "print the notes for a lecturer instead");
    demo->footer(demo_examples);
    flags::add_value_option(*new_project, "name", "NAME", "of the directory, the program and its method OPERATION/NAME",
                            [this](const std::string& text) { new_arguments.name = text; });
    flags::add_value_option(
        *new_project, "--operation", "NAME", "what the program is to do, e.g. allgather",
        [this](const std::string& text) { new_arguments.operation = &learn::project_operation(text); });
    flags::add_value_option(*new_project, "--machine", "FAMILY",
                            "the machines on which it is to run (default hypercube)",
                            [this](const std::string& text) { new_arguments.family = learn::project_family(text); });
    new_project->footer(new_examples);

    flags::add_value_option(*completion, "shell", "bash|zsh|fish", "the shell",
                            [this](const std::string& text) { shell = text; });
    completion->footer(completion_examples);

    for (CLI::App* each : app.get_subcommands({})) set_up(*each);
    set_up(app);
  }

  static void set_up(CLI::App& each) {
    each.allow_extras();  // so that we can name the nearest flag
    each.set_help_flag("--help,-h", "show this help and exit");
  }

  // CLI11 takes the positional argument behind a bare --json for its value. It calls this after the positional argument
  // has been taken, if there is another.
  void take_info_json(const std::string& text) {
    const bool names_machine = info_arguments.machine.empty() && text != "-";
    if (names_machine) info_arguments.machine = text;
    info_arguments.json = names_machine ? "-" : text;
  }

  int parse_and_run(int argc, const char* const* argv, const Additions& additions, const std::atomic<bool>& stop,
                    run::Together* together) {
    if (const auto words = words_to_complete(argc, argv)) {
      host::write_output(completions(app, *words));
      return host::verified;
    }
    if (judge::is_judged_run(argc, argv)) judge::make_judged_run(argc, argv, stop);
    flags::refuse_values_of_flags(app, argc, argv);
    try {
      app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      host::write_output(help());
      return host::verified;
    } catch (const CLI::CallForVersion& text) {
      host::write_output(std::string(text.what()) + "\n");
      return host::verified;
    } catch (const CLI::ArgumentMismatch& error) {
      const std::string text = error.what();
      throw InputError(text.substr(0, text.find_first_of(": ")) + " needs a value");
    } catch (const CLI::ParseError& error) {
      throw InputError(error.what());
    }
    flags::refuse_unknown_arguments(app);
    if (*run && together != nullptr) return trace::run_together(run_arguments, stop, *together);
    if (*sweep && together != nullptr) return compare::sweep_command(sweep_arguments, stop, together);
    if (*info && together != nullptr && info_arguments.processes) {
      // The first one alone tells what all have measured.
      if (!together->is_first()) info_arguments.forget_outputs();
      return machine::info_command(info_arguments, together);
    }
    if (together != nullptr && !together->is_first())
      return host::verified;  // what is not shared, the first one does alone
    if (*run) return trace::run_command(run_arguments, stop);
    if (*plan) return trace::run_command(plan_arguments, stop);
    if (*validate) return trace::run_command(validate_arguments, stop);
    if (*trace) return trace::run_command(trace_arguments, stop);
    if (*compare) return compare::compare_command(compare_arguments, stop);
    if (*sweep) return compare::sweep_command(sweep_arguments, stop);
    if (*best) return compare::best_command(best_arguments, stop);
    if (*search) return search::search_command(search_arguments, stop);
    if (*reproduce) return reproduce::reproduce_command(reproduce_arguments, stop);
    if (*judge) {
      judge_arguments.program = argv[0];
      judge_arguments.sizes = additions.sizes;
      judge_arguments.words.assign(argv + 2, argv + argc);
      return judge::judge_command(judge_arguments, stop);
    }
    if (*list) return learn::list_command(list_arguments);
    if (*info) return machine::info_command(info_arguments);
    if (*errata) return learn::errata_command(errata_arguments);
    if (*explain) return learn::explain_command(explain_arguments);
    if (*demo) return learn::demo_command(demo_arguments, stop);
    if (*new_project) return learn::new_command(new_arguments);
    if (*completion) return completion_command(shell);
    host::write_output(help());
    return host::verified;
  }

  /// Of the subcommand that was named, if any.
  std::string help() const { return CLI::detail::find_and_replace(app.help(), "\n\n\n", "\n\n"); }
};

/// A standard file that is closed stays unusable: no file that is opened later gets its number.
void occupy_closed_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(file, F_GETFD) >= 0) continue;
    [[maybe_unused]] const int opened = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace

const CLI::App& options() {
  static const Commands commands;
  return commands.app;
}

namespace {

int guarded_command(int argc, const char* const* argv, const Additions& additions, StartedProcesses* processes) {
  // mpirun gives what it starts a terminal to write to, wherever its own output goes.
  if (processes != nullptr) setenv("NO_COLOR", "1", 0);
  std::optional<run::Together> together;
  if (processes != nullptr && processes->count() > 1) {
    std::string what = "lockstep " + std::string(host::version);
    for (int argument = 1; argument < argc; ++argument) what += std::string(" ") + argv[argument];
    together.emplace(*processes, std::move(what));
  }
  const std::atomic<bool>& stop = host::catch_interrupts(processes != nullptr);
  const auto first = static_cast<std::size_t>(std::min(argc, 1));
  std::span arguments(argv, static_cast<std::size_t>(argc));
  if (together && !together->is_first()) arguments = arguments.first(first);  // they name no reports of its own
  const RefusalReport report(arguments.subspan(first));
  host::on_interrupt([&report] { report.write({host::interrupt_code(), "interrupted", "interrupted"}); });
  int code = host::verified;
  std::string wrong;
  try {
    for (const MachineFamily& family : additions.families) add_machine_family(family);
    for (const Method& method : additions.methods) add_method(method);
    code = Commands().parse_and_run(argc, argv, additions, stop, together ? &*together : nullptr);
  } catch (...) {
    host::begin_outputs();
    const run::Failure failure = run::failure_of(std::current_exception());
    report.write(failure);
    code = run::print_last(failure.text, failure.code);
    wrong = failure.text;
  }
  host::begin_outputs();  // nobody is to end what has ended
  return together ? together->end(code, wrong) : code;
}

std::terminate_handler terminate_otherwise = std::abort;

/// Ends the program with a line where memory runs out in what may not throw, as some destructors of JSON do, or where
/// oneTBB's threads cannot start each other.
[[noreturn]] void on_terminate() {
  try {
    if (const std::exception_ptr exception = std::current_exception()) std::rethrow_exception(exception);
  } catch (const std::bad_alloc&) {
    host::end_for_want(host::memory_ran_out);
  } catch (const std::exception& exception) {
    if (run::lacks_threads(exception)) host::end_for_want(run::no_threads);
    terminate_otherwise();  // says what it is
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
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is seen when writing
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file that may not grow
  if (const std::terminate_handler before = std::set_terminate(on_terminate); before != on_terminate) {
    terminate_otherwise = before;
  }
  occupy_closed_files();
  try {
    return guarded_command(argc, argv, additions, processes);
  } catch (const std::bad_alloc&) {  // not even the words for what went wrong have room
    host::say_plainly(host::memory_ran_out);
    if (processes != nullptr && processes->count() > 1) processes->end_all(host::bad_input);  // they wait for this one
    return host::bad_input;
  }
}

}  // namespace lockstep
