#include "subcommands.hpp"

#include <algorithm>
#include <array>

#include "compare/best_command.hpp"
#include "compare/compare_command.hpp"
#include "compare/sweep_command.hpp"
#include "completion.hpp"
#include "judge/judge_command.hpp"
#include "machine/info_options.hpp"
#include "study/study_command.hpp"
#include "texts/topic.hpp"
#include "trace/run_command.hpp"

namespace lockstep::cli::shell {
namespace {

bool always(const Arguments&) { return true; }
bool any_word(const std::string&) { return true; }

constexpr std::array table{std::to_array<Subcommand>({
    {.name = "run",
     .summary = "Run an algorithm on a machine, check its data and count its steps and messages",
     .add = [](CLI::App& app, Arguments& arguments) { run::add_run_options(app, arguments.run_arguments); },
     .run =
         [](Arguments& arguments, const Call& call) {
           if (call.group != nullptr) return trace::run_in_group(arguments.run_arguments, call.stop, *call.group);
           return trace::run_command(arguments.run_arguments, call.stop);
         },
     .divides = always,
     .is_of_one_run = true},
    {.name = "plan",
     .summary = "Write the schedule of a collective operation to a file",
     .add = [](CLI::App& app, Arguments& arguments) { run::add_plan_options(app, arguments.plan_arguments); },
     .run = [](Arguments& arguments,
               const Call& call) { return trace::run_command(arguments.plan_arguments, call.stop); },
     .is_of_one_run = true},
    {.name = "validate",
     .summary = "Check, run and count your own schedule file",
     .add = [](CLI::App& app, Arguments& arguments) { run::add_validate_options(app, arguments.validate_arguments); },
     .run = [](Arguments& arguments,
               const Call& call) { return trace::run_command(arguments.validate_arguments, call.stop); },
     .is_of_one_run = true},
    {.name = "trace",
     .summary = "Run an algorithm and show or write every message",
     .add = [](CLI::App& app, Arguments& arguments) { run::add_trace_options(app, arguments.trace_arguments); },
     .run = [](Arguments& arguments,
               const Call& call) { return trace::run_command(arguments.trace_arguments, call.stop); },
     .is_of_one_run = true},
    {.name = "compare",
     .summary = "Compare all methods of an operation, on one machine or several",
     .add = [](CLI::App& app, Arguments& arguments) { compare::add_compare_options(app, arguments.compare_arguments); },
     .run = [](Arguments& arguments,
               const Call& call) { return compare::compare_command(arguments.compare_arguments, call.stop); }},
    {.name = "sweep",
     .summary = "Compare over many sizes, costs or machines; one row each",
     .add = [](CLI::App& app, Arguments& arguments) { compare::add_sweep_options(app, arguments.sweep_arguments); },
     .run = [](Arguments& arguments,
               const Call& call) { return compare::sweep_command(arguments.sweep_arguments, call.stop, call.group); },
     .divides = always},
    {.name = "best",
     .summary = "Show which method is best, and from which size or cost on",
     .add = [](CLI::App& app, Arguments& arguments) { compare::add_best_options(app, arguments.best_arguments); },
     .run = [](Arguments& arguments,
               const Call& call) { return compare::best_command(arguments.best_arguments, call.stop); }},
    {.name = "study",
     .summary = "Run the experiments of a file, go on after an interrupt, and repeat them",
     .add = [](CLI::App& app, Arguments& arguments) { study::add_study_options(app, arguments.study_arguments); },
     .run = [](Arguments& arguments,
               const Call& call) { return study::study_command(arguments.study_arguments, call.stop); }},
    {.name = "search",
     .summary = "Search for a schedule of a collective on any machine with links",
     .add = [](CLI::App& app, Arguments& arguments) { search::add_search_options(app, arguments.search_arguments); },
     .run = [](Arguments& arguments,
               const Call& call) { return search::search_command(arguments.search_arguments, call.stop); }},
    {.name = "reproduce",
     .summary = "Compare the papers' tables and figures with what the machine counts",
     .add = [](CLI::App& app,
               Arguments& arguments) { reproduce::add_reproduce_options(app, arguments.reproduce_arguments); },
     .run = [](Arguments& arguments,
               const Call& call) { return reproduce::reproduce_command(arguments.reproduce_arguments, call.stop); },
     .is_argument = any_word},
    {.name = "judge",
     .summary = "Judge a method by its data, its rules and its steps, and give it points",
     .add = [](CLI::App& app, Arguments& arguments) { judge::add_judge_options(app, arguments.judge_arguments); },
     .run =
         [](Arguments& arguments, const Call& call) {
           arguments.judge_arguments.program = call.words[0];
           arguments.judge_arguments.sizes = call.additions.sizes;
           arguments.judge_arguments.words.assign(call.words.begin() + 2, call.words.end());
           return judge::judge_command(arguments.judge_arguments, call.stop);
         }},
    {.name = "list",
     .summary = "List the machines, the algorithms with their parameters, and the cost presets",
     .add = [](CLI::App& app, Arguments& arguments) { learn::add_list_options(app, arguments.list_arguments); },
     .run = [](Arguments& arguments, const Call&) { return learn::list_command(arguments.list_arguments); },
     .is_argument = [](const std::string& word) { return learn::names_list(word); }},
    {.name = "info",
     .summary = "Show a machine's properties and the algorithms that run on it",
     .add = [](CLI::App& app, Arguments& arguments) { machine::add_info_options(app, arguments.info_arguments); },
     .run = [](Arguments& arguments,
               const Call& call) { return machine::info_command(arguments.info_arguments, call.group); },
     .divides = [](const Arguments& arguments) { return arguments.info_arguments.processes.has_value(); },
     .is_argument = any_word},
    {.name = "errata",
     .summary = "Show errors in the papers, corrections, and commands that demonstrate them",
     .add = [](CLI::App& app, Arguments& arguments) { learn::add_errata_options(app, arguments.errata_arguments); },
     .run = [](Arguments& arguments, const Call&) { return learn::errata_command(arguments.errata_arguments); },
     .is_argument = [](const std::string& word) { return learn::names_errata(word); }},
    {.name = "explain",
     .summary = "Explain a method, an operation, a machine, a term, a parameter or a kind of error",
     .add = [](CLI::App& app, Arguments& arguments) { learn::add_explain_options(app, arguments.explain_arguments); },
     .run = [](Arguments& arguments, const Call&) { return learn::explain_command(arguments.explain_arguments); },
     .is_argument = [](const std::string& word) { return texts::names_topic(word); }},
    {.name = "demo",
     .summary = "Walk through a run cycle by cycle: what moves, and why",
     .add = [](CLI::App& app, Arguments& arguments) { learn::add_demo_options(app, arguments.demo_arguments); },
     .run = [](Arguments& arguments,
               const Call& call) { return learn::demo_command(arguments.demo_arguments, call.stop); }},
    {.name = "new",
     .summary = "Write a small project for your own program",
     .add = [](CLI::App& app, Arguments& arguments) { learn::add_new_options(app, arguments.new_arguments); },
     .run = [](Arguments& arguments, const Call&) { return learn::new_command(arguments.new_arguments); }},
    {.name = "completion",
     .summary = "Write a shell's completion script for this command",
     .add = [](CLI::App& app, Arguments& arguments) { add_completion_options(app, arguments.shell); },
     .run = [](Arguments& arguments, const Call&) { return completion_command(arguments.shell); }},
})};

}  // namespace

std::span<const Subcommand> subcommands() { return table; }

const Subcommand* find_subcommand(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Subcommand::name);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace lockstep::cli::shell
