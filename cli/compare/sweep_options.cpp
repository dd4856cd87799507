#include "sweep_options.hpp"

#include <algorithm>
#include <iterator>

#include "compare_options.hpp"
#include "flags/value_option.hpp"
#include "flags/value_range.hpp"
#include "host/number_text.hpp"

namespace lockstep::cli::compare {
namespace {

constexpr unsigned most_jobs = 1024;

constexpr const char* sweep_explained =
    R"(A sweep compares all methods of an operation, as `lockstep compare` does, at every point: for every machine and
every varied value. --vary takes NAME=VALUES, with the name of a parameter or of a cost, and values as A..B (by one),
A..B+D, A..B*F, or a list with commas; a matrix is 16x16..256x256*2. Two --vary make a grid. Numbers in --machine may
be ranges too. All points are checked before anything runs.

In the picture lines are predictions and points are runs. Where the lead changes between two predicted methods,
bisection finds the value, which is drawn, and printed below the table.

The files get one row per point and method, as soon as it is done. --resume continues an interrupted sweep.

Examples:
  lockstep sweep --operation allgather --machine hypercube:8 --vary words=1..65536*4 --predict
  lockstep sweep --operation broadcast --machine hypercube:2..10 --vary beta=1,100 --csv broadcast.csv
  lockstep sweep --operation broadcast --machine hypercube:8 --vary words=1..65536*2 --beta 100 --plot broadcast.svg
  lockstep sweep --operation transpose --machine hypercube:4 --vary matrix=16x16..128x128*2 --by wall --repeat 5

The exit code is 0 if all that ran is verified, 1 if a run failed, 2 if the input was bad or an output could not be
written, 130 if you interrupted it.)";

Variation variation_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw InputError("--vary " + quoted(text) + " is not of the form NAME=VALUES, e.g. words=1..1024*2");
  }
  const std::string name = text.substr(0, equals);
  std::vector<std::string> names;
  for (const VariedCost& cost : varied_costs) names.emplace_back(cost.name);
  for (const SettingFlag& flag : setting_flags()) {
    if (!flag.type.empty() && flag.name != "output") names.emplace_back(flag.name);
  }
  if (std::ranges::find(names, name) == names.end()) refuse_choice("--vary", name, names);
  return {name, flags::values_of("--vary " + name, text.substr(equals + 1))};
}

}  // namespace

const VariedCost* find_varied_cost(std::string_view name) {
  const auto found = std::ranges::find(varied_costs, name, &VariedCost::name);
  return found == varied_costs.end() ? nullptr : &*found;
}

void add_vary_option(CLI::App& app, std::vector<Variation>& variations) {
  flags::add_repeated_option(app, "--vary", "NAME=VALUES", "a parameter or cost and its values",
                             [&variations](const std::string& text) { variations.push_back(variation_of(text)); })
      .group("What to compare (required)");
}

void add_plot_option(CLI::App& app, std::optional<std::string>& plot) {
  flags::add_value_option(
      app, "--plot", "FILE",
      "draw FILE.svg or FILE.png with gnuplot: curves over one variation, a map of the best over two; "
      "FILE.gp and FILE.dat beside it redraw it",
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
  add_schedule_option(app, trials);
  add_vary_option(app, arguments.variations);
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
