#include "best_options.hpp"

#include "compare_options.hpp"
#include "flags/value_option.hpp"
#include "flags/value_range.hpp"

namespace lockstep::cli::compare {
namespace {

constexpr const char* best_explained =
    R"(Shows which method of an operation is best in which range of sizes, and with which parameters. One of --words,
--matrix and --machine takes the range (A..B, A..B*F, A..B+D, or a list), or --vary NAME=VALUES for a cost or another
parameter. Predictions at the values of the range and at every doubling between them, with bisection where the lead
changes, make the first value of every range exact. Then the winners, and the leaders that they replace, run at the
edges of the ranges; --no-run skips these runs.

Every method takes part with its best packets, radix and variant (--gather, --hub, --move, --order, --schedules,
--trees), unless these are given. Runs that would take more than a moment are left out, and named. Every set of rules (one port, all ports, multicast) has winners of its own.

Examples:
  lockstep best --operation broadcast --machine torus:16x16 --words 1..1e6*10 --beta 5e-3 --tau 4e-6
  lockstep best --operation allgather --machine hypercube:2..12 --words 16 --ports one --no-run
  lockstep best --operation transpose --machine hypercube:6 --matrix 64x64..4096x4096*2 --preset ipsc --no-run
  lockstep best --operation broadcast --machine hypercube:8 --words 4096 --vary beta=1..1e6*10 --plot broadcast.svg
  lockstep best --operation allreduce --machine switch:64 --words 1..1e6*10 --write openmpi-json allreduce.json

The exit code is 0 if all that ran is verified, 1 if a run failed, 2 if the input was bad or an output could not be
written, 130 if you interrupted it.)";

void add_write_option(CLI::App& app, std::optional<SelectionPlace>& place) {
  flags::add_pair_option(
      app, "--write", "FORMAT FILE|-",
      "write the ranges as a file from which a library selects among the methods that it has: openmpi-json, "
      "openmpi-text, mpich-json or nccl-csv",
      [&place](const std::string& format, const std::string& path) {
        place = {flags::parse_choice("--write", format,
                                     {SelectionFormat::openmpi_json, SelectionFormat::openmpi_text,
                                      SelectionFormat::mpich_json, SelectionFormat::nccl_csv}),
                 path};
      })
      .group("Output");
}

bool may_be_range(const SettingFlag& flag) { return flag.name == "words" || flag.name == "matrix"; }

}  // namespace

void add_best_options(CLI::App& app, BestArguments& arguments) {
  SweepArguments& sweep = arguments.sweep;
  run::TrialArguments& trials = sweep.trials;
  add_trial_options(
      app, trials, [&trials](const std::string& text) { take_machines(trials, text); },
      [&sweep](const SettingFlag& flag, const std::string& text) {
        if (may_be_range(flag) && text.find_first_of(".,") != std::string::npos) {
          sweep.variations.push_back({std::string(flag.name), flags::values_of(flag.flag(), text)});
        } else {
          take_parameter(sweep.trials, flag, text);
        }
      });
  add_vary_option(app, sweep.variations);
  flags::note_given(app, sweep.given);
  add_criterion_option(app, sweep.criterion);
  flags::add_flag(app, "--no-run", arguments.no_run, "only predict, for machines and data of any size").group("Output");
  add_plot_option(app, sweep.plot);
  flags::add_report_options(app, arguments.places);
  add_write_option(app, arguments.selection);
  flags::add_flag(app, "--quiet", trials.run.quiet, "show neither table nor progress").group("Output");
  flags::set_footer(app, best_explained);
}

}  // namespace lockstep::cli::compare
