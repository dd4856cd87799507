#include "best_command.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "best.hpp"
#include "exit_code.hpp"
#include "failure.hpp"
#include "interrupt.hpp"
#include "json_report.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "number_text.hpp"
#include "output_file.hpp"
#include "status_line.hpp"
#include "sweep_plot.hpp"

namespace lockstep::cli {
namespace {

void refuse_if_not_one_range(const SweepArguments& arguments) {
  const TrialArguments& trials = arguments.trials;
  const std::string example = "e.g. lockstep best --operation broadcast --machine torus:16x16 --words 1..1e6*10";
  if (trials.operation.empty() || trials.machines.empty()) {
    throw InputError("best needs --operation, --machine and a range, " + example);
  }
  const std::size_t ranges = arguments.variations.size() + (trials.machines.size() > 1 ? 1 : 0);
  if (ranges != 1) {
    throw InputError("best goes along one range, in --words, --matrix, --machine or --vary; here are " +
                     std::to_string(ranges) + ", " + example);
  }
}

const Quantity& criterion_of(const SweepArguments& arguments) {
  if (arguments.criterion == "wall") throw InputError("--by wall is not predicted, and best goes by predictions");
  return find_criterion(arguments.criterion, true);
}

/// Whether the user has asked to stop.
bool run_edges(Best& best, const std::atomic<bool>& stop) {
  best.runs = edges_of(best);
  std::vector<Trial*> trials;
  for (EdgeRun& run : best.runs) trials.push_back(&run.trial);
  StatusLine status;
  std::size_t begun = 0;
  return run_until_stopped(trials, stop, [&](const Trial& trial) {
    const double part = static_cast<double>(begun++) / static_cast<double>(trials.size());
    if (!best.arguments.trials.run.quiet && status.is_due()) status.show(progress_bar(part) + trial.method);
  });
}

/// What was run is drawn as points on the lines.
Plot plot_with_runs(const Best& best) {
  Plot plot = plot_of(best.arguments, best.trials, best.criterion, best.leads);
  for (const EdgeRun& run : best.runs) {
    if (!run.trial.record) continue;
    const auto series = std::ranges::find(plot.series, heading_of(run.trial, best.arguments), &PlotSeries::title);
    const double x = is_over_machines(best.arguments) ? static_cast<double>(run.trial.record->facts.processors)
                                                      : *number_of(run.value);
    series->points.push_back({x, static_cast<double>(best.criterion.of(*run.trial.record)->value)});
  }
  return plot;
}

ExitCode exit_code_of_runs(const Best& best) {
  ExitCode code = verified;
  for (const EdgeRun& run : best.runs) {
    if (!run.trial.has_failed) continue;
    print_failure(run.trial.method + " on " + printable(run.trial.machine) + ": " + run.trial.reason);
    code = run_failed;
  }
  return code;
}

}  // namespace

int best_command(const BestArguments& given, const std::atomic<bool>& stop) {
  SweepArguments arguments = given.sweep;
  const Quantity& criterion = criterion_of(arguments);
  refuse_if_not_one_range(arguments);
  std::vector<NamedFile> drawn;
  std::optional<Picture> picture;
  if (arguments.plot) {
    refuse_undrawable(arguments);
    drawn = picture.emplace(*arguments.plot).files();
  }
  ReportFiles files(given.places, inputs_of(arguments.trials), drawn);
  arguments.trials.predict = true;
  arguments.trials.with_alternatives = true;
  const SweepArguments finer = refined(arguments);
  Best best = find_best(finer, criterion);
  const bool is_interrupted = !given.no_run && run_edges(best, stop);
  begin_outputs();
  files.write({.markdown = [&] { return markdown_of(best); },
               .csv = [&] { return csv_of(best); },
               .json = [&] { return json_text(json_of(best)); }});
  if (!files.take_standard_output() && !arguments.trials.run.quiet) write_output(text_of(best));
  if (picture) picture->draw(plot_with_runs(best));
  if (!is_interrupted) return exit_code_of_runs(best);
  print_failure("interrupted");
  return interrupt_code();
}

}  // namespace lockstep::cli
