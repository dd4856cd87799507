#include "compare_options.hpp"

#include <utility>

#include "flags/graph_options.hpp"
#include "lockstep/core/printable.hpp"
#include "run/method_choice.hpp"

namespace lockstep::cli::compare {
namespace {

constexpr const char* compare_explained =
    R"(Every method of the operation that the machine and the rules allow is run and verified, or with --predict only
predicted, which needs no memory for data and so allows machines and data of any size. A parameter of the task (--words,
--root, --matrix) excludes methods that lack it; a parameter that only tunes a method (--packets, --trees) applies to
the methods that have it. Only methods that turn equal data into equal data, under equal rules, are ranked together. A
method that needs another rule than asked for (by default one port, full duplex, no multicast) is in a table of its own.
Without --ports every method runs under the port model that it is meant for. A method of a machine that lies in this one,
link for link, is shown where it beats the machine's own: "scatter/two-phase on path:16".

Columns are counts that `lockstep run --help` explains; steps, longest sum and time also have their lower bounds and the
ratio to them; "time" is the synchronous clock's, "async" the asynchronous one's. Columns that add nothing are left out. "<="
marks a prediction that is an upper bound, "-" a value without a prediction.

Examples:
  lockstep compare --operation allgather --machine hypercube:8 --words 64
  lockstep compare --operation broadcast --machine torus:8x8 --words 4096 --beta 100 --by async
  lockstep compare --operation reduce --machine rh:5,2 --machine hypercube:9 --predict
  lockstep compare --operation alltoall --machine hypercube:30 --words 8 --ports one --predict --markdown -
  lockstep compare --machine rh:3,2 --machine hypercube:7 --per link --predict
  lockstep compare --operation allreduce --machine torus:8x8 --embed complete:64 --by busiest-link
  lockstep compare --operation broadcast --machine hypercube:6 --words 4096 --methods 'sbt*,msbt'
  lockstep compare --operation allreduce --machine switch:8 --algorithm file:ring8.xml

The exit code is 0 if all that ran is verified, 1 if a run failed, 2 if the input was bad or an output could not be
written, 130 if you interrupted it.)";

}  // namespace

void take_parameter(run::TrialArguments& trials, const SettingFlag& flag, const std::string& text) {
  Settings scratch;
  flag.set(scratch, text);  // reports a wrong value at once
  trials.settings.emplace_back(&flag, text);
}

void add_trial_options(CLI::App& app, run::TrialArguments& trials, flags::TakeText take_machine) {
  add_trial_options(app, trials, std::move(take_machine), [&trials](const SettingFlag& flag, const std::string& text) {
    take_parameter(trials, flag, text);
  });
}

void add_trial_options(CLI::App& app, run::TrialArguments& trials, flags::TakeText take_machine,
                       const TakeParameter& take_parameter) {
  const char* const what = "What to compare (required)";
  flags::add_value_option(app, "--operation", "NAME", "all methods of that operation, e.g. allgather",
                          [&trials](const std::string& text) { trials.operation = text; })
      .group(what);
  flags::add_repeated_option(app, "--machine", "SPEC", "the machine; several of them are compared with each other too",
                             std::move(take_machine))
      .group(what);
  flags::add_graph_options(app, [&trials] { return flags::pointers_to(trials.machines); });
  flags::add_value_option(
      app, "--methods", "NAMES", "only these methods, with * for any letters and ? for one, e.g. ring,scatter-*",
      [&trials](const std::string& text) { trials.methods = run::method_patterns("--methods", text); })
      .group(what);
  run::add_embed_options(app, what, "also methods of SPEC embedded in each --machine, e.g. complete:64 on torus:8x8",
                         trials.run.embed, trials.run.map);
  run::add_setting_options(
      app, [](std::string_view name) { return name != "output" && name != "word-bytes"; }, take_parameter);
  flags::add_model_options(app, trials.run.model, [&trials](PortModel ports) { trials.ports.push_back(ports); });
  run::add_execution_options(app, trials.run);
}

void add_schedule_option(CLI::App& app, run::TrialArguments& trials) {
  flags::add_repeated_option(
      app, "--algorithm", "file:FILE",
      "your own or another program's schedule to compare with the methods, as for `validate`",
      [&trials](const std::string& text) {
        if (!text.starts_with("file:") || text == "file:") {
          throw InputError("--algorithm is " + quoted(text) +
                           ", not file: and the name of a schedule's file; all methods of --operation "
                           "are compared anyway");
        }
        trials.schedules.push_back(text);
      });
  run::add_setting_options(
      app, [](std::string_view name) { return name == "word-bytes"; },
      [&trials](const SettingFlag& flag, const std::string& text) { take_parameter(trials, flag, text); });
}

void add_criterion_option(CLI::App& app, std::string& criterion) {
  flags::add_value_option(
      app, "--by", "NAME",
      "rank by the least: time (default), async, steps, messages, words, longest, hops, busiest-link, "
      "startups, processors or links (times the time), or wall",
      [&criterion](const std::string& text) { criterion = text; })
      .group("Output");
}

void add_compare_options(CLI::App& app, CompareArguments& arguments) {
  run::TrialArguments& trials = arguments.trials;
  add_trial_options(app, trials, [&trials](const std::string& text) { trials.machines.push_back(text); });
  flags::add_fault_options(app, trials.run.faults);
  add_schedule_option(app, trials);
  add_criterion_option(app, arguments.criterion);
  const char* const output = "Output";
  flags::add_value_option(
      app, "--per", "UNIT",
      "compare machines over all operations, by the time per processor, link or port of each machine's "
      "best method",
      [&arguments](const std::string& text) { arguments.per = text; })
      .group(output);
  flags::add_flag(app, "--predict", trials.predict, "only predict, for machines and data of any size").group(output);
  flags::add_report_options(app, arguments.places);
  flags::add_flag(app, "--quiet", trials.run.quiet, "show neither table nor progress").group(output);
  flags::set_footer(app, compare_explained);
}

}  // namespace lockstep::cli::compare
