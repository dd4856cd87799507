#include "sweep_options.hpp"

#include <algorithm>
#include <iterator>

#include "compare_options.hpp"
#include "flags/fault_options.hpp"
#include "flags/model_options.hpp"
#include "flags/setting_flags.hpp"
#include "flags/value_option.hpp"
#include "flags/value_range.hpp"
#include "host/number_text.hpp"

namespace lockstep::cli::compare {
namespace {

constexpr unsigned most_jobs = 1024;

constexpr const char* sweep_explained =
    R"(A sweep compares all methods of an operation, as `lockstep compare` does, at every point: for every machine and
every varied value. --vary takes NAME=VALUES, with the name of a parameter or of a flag for rules, costs, faults or
execution, and values as A..B (by one), A..B+D, A..B*F, or a list with commas; a matrix is 16x16..256x256*2. Two --vary
make a grid. Numbers in --machine may be ranges too. All points are checked before anything runs.

With --vary threads=1,2,4 the files have the speed-up of every run over that on the fewest threads, and its efficiency:
the speed-up by the number of threads, relative to the fewest. --by speedup and --by efficiency show and draw them.

In the picture lines are predictions and points are runs. Where the lead changes between two predicted methods,
bisection finds the value, which is drawn, and printed below the table.

The files get one row per point and method, as soon as it is done. --resume continues an interrupted sweep.

Examples:
  lockstep sweep --operation allgather --machine hypercube:8 --vary words=1..65536*4 --predict
  lockstep sweep --operation broadcast --machine hypercube:2..10 --vary beta=1,100 --csv broadcast.csv
  lockstep sweep --operation broadcast --machine hypercube:8 --vary words=1..65536*2 --beta 100 --plot broadcast.svg
  lockstep sweep --operation transpose --machine hypercube:4 --vary matrix=16x16..128x128*2 --by wall --repeat 5
  lockstep sweep --operation allgather --machine hypercube:12 --vary threads=1,2,4 --by speedup --repeat 5
  lockstep sweep --operation broadcast --machine hypercube:4 --drop 0.01 --vary fault-seed=1..100 --jsonl drops.jsonl

The exit code is 0 if all that ran is verified, 1 if a run failed, 2 if the input was bad or an output could not be
written, 130 if you interrupted it.)";

/// The flags that may be varied beside parameters.
void add_varied_flags(CLI::App& app, run::TrialArguments& trials) {
  flags::add_model_options(app, trials.run.model, [&trials](PortModel ports) { trials.ports.push_back(ports); });
  flags::add_fault_options(app, trials.run.faults);
  run::add_execution_options(app, trials.run);
}

/// The names that --vary takes.
std::vector<std::string> varied_names() {
  run::TrialArguments none;
  std::vector<std::string> names = flags::names_with_value([&](CLI::App& app) { add_varied_flags(app, none); });
  for (const SettingFlag& flag : setting_flags()) {
    if (!flag.type.empty() && flag.name != "output") names.emplace_back(flag.name);
  }
  return names;
}

Variation variation_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw InputError("--vary " + quoted(text) + " is not of the form NAME=VALUES, e.g. words=1..1024*2");
  }
  const std::string name = text.substr(0, equals);
  const std::vector<std::string> names = varied_names();
  if (std::ranges::find(names, name) == names.end()) refuse_choice("--vary", name, names);
  return {name, flags::values_of("--vary " + name, text.substr(equals + 1))};
}

}  // namespace

void set_varied(run::TrialArguments& trials, const std::string& name, const std::string& value) {
  if (const SettingFlag* const flag = flags::find_setting(name)) return take_parameter(trials, *flag, value);
  flags::parse({"--" + name + "=" + value}, [&](CLI::App& app) { add_varied_flags(app, trials); });
}

void add_vary_option(CLI::App& app, std::vector<Variation>& variations) {
  flags::add_repeated_option(app, "--vary", "NAME=VALUES",
                             "a parameter, rule, cost, fault or flag of execution and its values",
                             [&variations](const std::string& text) { variations.push_back(variation_of(text)); })
      .group("What to compare (required)");
}

void add_plot_option(CLI::App& app, std::optional<std::string>& plot) {
  flags::add_value_option(
      app, "--plot", "FILE",
      "draw curves over one variation, a map of the best over two: FILE.svg, .pdf or .png with gnuplot, FILE.tex with "
      "pgfplots; FILE.gp or .gnuplot has only gnuplot's commands, with the data in FILE.dat",
      [&plot](const std::string& text) { plot = text; })
      .group("Output");
}

void take_machines(run::TrialArguments& trials, const std::string& text) {
  const std::vector<std::string> machines = flags::machines_of(text);
  trials.machines.insert(trials.machines.end(), machines.begin(), machines.end());
}

void add_sweep_options(CLI::App& app, SweepArguments& arguments) {
  run::TrialArguments& trials = arguments.trials;
  add_trial_options(app, trials, [&trials](const std::string& text) { take_machines(trials, text); });
  flags::add_fault_options(app, trials.run.faults);
  add_schedule_option(app, trials);
  add_vary_option(app, arguments.variations);
  flags::note_given(app, arguments.given);
  flags::add_value_option(app, "--jobs", "N", "runs at a time, each on one thread (default: 1, on all threads)",
                          [&arguments](const std::string& text) {
                            arguments.jobs = static_cast<unsigned>(parse_whole_number("--jobs", text, 1, most_jobs));
                          })
      .group("Execution");
  const char* const output = "Output";
  add_criterion_option(app, arguments.criterion);
  flags::add_flag(app, "--predict", trials.predict, "only predict, for machines and data of any size").group(output);
  flags::add_value_option(app, "--csv", "FILE|-", "write one row per point and method, with every field",
                          [&arguments](const std::string& text) { arguments.csv = text; })
      .group(output);
  flags::add_value_option(app, "--jsonl", "FILE|-", "write the same rows as JSON objects, one a line",
                          [&arguments](const std::string& text) { arguments.jsonl = text; })
      .group(output);
  add_plot_option(app, arguments.plot);
  flags::add_flag(app, "--resume", arguments.resume, "continue the files: runs that they already have are not repeated")
      .group(output);
  flags::add_flag(app, "--quiet", trials.run.quiet, "show neither table nor progress").group(output);
  flags::set_footer(app, sweep_explained);
}

}  // namespace lockstep::cli::compare
