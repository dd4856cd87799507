#include "compare_options.hpp"

#include <utility>

#include "lockstep/core/printable.hpp"

namespace lockstep::cli::compare {
namespace {

constexpr const char* compare_explained =
    R"(Every method of the operation that the machine and the rules allow is run and verified, or with --predict only
predicted, which holds no data and so allows machines and data of any size. A parameter that says what is to be done
(--words, --root, --matrix) excludes methods that have it not; one that says how (--packets, --trees) is for those that
have it. Ranked with each other are only methods that turn equal data into equal data. Where --ports is not given, every
method runs under the port model that it is meant for, and the table says which.

Columns are counts that `lockstep run --help` explains: of steps and longest sum with their lower bounds and how many
times these were counted; "time" is the synchronous clock's, "async" the asynchronous one's. Columns that say nothing
new are left out. "<=" is before a prediction that is an upper bound, "-" stands for what nothing predicts.

Examples:
  lockstep compare --operation allgather --machine hypercube:8 --words 64
  lockstep compare --operation broadcast --machine torus:8x8 --words 4096 --beta 100 --by async
  lockstep compare --operation reduce --machine rh:5,2 --machine hypercube:9 --predict
  lockstep compare --operation alltoall --machine hypercube:30 --words 8 --ports one --predict --markdown -
  lockstep compare --machine rh:3,2 --machine hypercube:7 --per link --predict
  lockstep compare --operation allreduce --machine torus:8x8 --embed complete:64 --by busiest-link
  lockstep compare --operation allreduce --machine switch:8 --algorithm file:ring8.xml

The exit code is 0 if all that ran is verified, 1 if a run failed, 2 if the input was bad or an output could not be
written, 130 if you interrupted it.)";

}  // namespace

void take_parameter(run::TrialArguments& trials, const SettingFlag& flag, const std::string& text) {
  Settings scratch;
  flag.set(scratch, text);  // what is wrong with it is said at once
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
  flags::add_repeated_option(app, "--machine", "SPEC", "the machine; given several times, machines are compared too",
                             std::move(take_machine))
      .group(what);
  run::add_setting_options(
      app, [](std::string_view name) { return name != "output" && name != "word-bytes"; }, take_parameter);
  flags::add_model_options(app, trials.run.model, [&trials](PortModel ports) { trials.ports.push_back(ports); });
  run::add_execution_options(app, trials.run);
}

void add_schedule_option(CLI::App& app, run::TrialArguments& trials) {
  flags::add_repeated_option(
      app, "--algorithm", "file:FILE",
      "a schedule of one's own or of another program's beside the methods, as `validate` takes it",
      [&trials](const std::string& text) {
        if (!text.starts_with("file:") || text == "file:") {
          throw InputError("--algorithm is " + quoted(text) +
                           ", not file: and the name of a schedule's file; all methods of --operation "
                           "are there anyway");
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
      "what is best: the least time (default), async, steps, messages, words, longest, hops, busiest-link, "
      "startups, processors or links (times the time), or wall",
      [&criterion](const std::string& text) { criterion = text; })
      .group("Output");
}

void add_compare_options(CLI::App& app, CompareArguments& arguments) {
  run::TrialArguments& trials = arguments.trials;
  add_trial_options(app, trials, [&trials](const std::string& text) { trials.machines.push_back(text); });
  add_schedule_option(app, trials);
  flags::add_value_option(app, "--embed", "SPEC",
                          "also methods of that machine, e.g. complete:64 on torus:8x8, embedded in each --machine",
                          [&trials](const std::string& text) { trials.run.embed = text; })
      .group("What to compare (required)");
  add_criterion_option(app, arguments.criterion);
  const char* const output = "Output";
  flags::add_value_option(
      app, "--per", "UNIT",
      "set machines beside each other over all operations, by the time per processor, link or port: the "
      "best method of each",
      [&arguments](const std::string& text) { arguments.per = text; })
      .group(output);
  flags::add_flag(app, "--predict", trials.predict, "run nothing: what the methods predict, of any size").group(output);
  flags::add_report_options(app, arguments.places);
  flags::add_flag(app, "--quiet", trials.run.quiet, "show neither table nor progress; files and the exit code tell")
      .group(output);
  flags::set_footer(app, compare_explained);
}

}  // namespace lockstep::cli::compare
