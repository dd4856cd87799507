#include "best_command.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "best.hpp"
#include "flags/setting_flags.hpp"
#include "host/exit_code.hpp"
#include "host/interrupt.hpp"
#include "host/number_text.hpp"
#include "host/output_file.hpp"
#include "host/status_line.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "report/json_report.hpp"
#include "report/picture.hpp"
#include "run/failure.hpp"
#include "sweep_axis.hpp"
#include "sweep_plot.hpp"

namespace lockstep::cli::compare {
namespace {

void refuse_if_not_one_range(const SweepArguments& arguments) {
  const run::TrialArguments& trials = arguments.trials;
  const std::string example = "e.g. lockstep best --operation broadcast --machine torus:16x16 --words 1..1e6*10";
  if (trials.operation.empty() || trials.machines.empty()) {
    throw InputError("best needs --operation, --machine and a range, " + example);
  }
  const std::size_t ranges = varied_things(arguments);
  if (ranges != 1) {
    throw InputError("best needs exactly one range, in --words, --matrix, --machine or --vary; " +
                     (ranges == 0 ? "none is given" : "here are " + std::to_string(ranges)) + ", " + example);
  }
  const std::string reason = why_no_order(arguments);
  if (!is_over_machines(arguments) && !is_predicted_between(varied_name(arguments))) {
    throw InputError("best goes along parameters and costs, not " + varied_name(arguments) + "; `sweep` varies it");
  }
  if (!reason.empty()) throw InputError("best cannot go along " + varied_name(arguments) + ": " + reason);
}

const report::Quantity& criterion_of(const SweepArguments& arguments) {
  const report::Quantity& criterion = report::find_criterion(arguments.criterion, false);
  if (report::is_predictable(criterion)) return criterion;
  throw InputError("--by " + arguments.criterion + " is not predicted, and best goes by predictions");
}

/// The methods of libraries that a selection names have no other radix than the default.
void keep_radix_of_libraries(run::TrialArguments& trials) {
  const SettingFlag* const radix = flags::find_setting("radix");
  const auto methods = run::methods_beside(trials);
  const bool is_given = std::ranges::any_of(trials.settings, [&](const auto& one) { return one.first == radix; });
  if (is_given || std::ranges::none_of(methods, [](const Method* one) { return flags::takes(*one, "radix"); })) return;
  trials.settings.emplace_back(radix, "2");
}

/// Whether the user has interrupted.
bool run_edges(Best& best, const std::atomic<bool>& stop) {
  best.runs = edges_of(best);
  std::vector<run::Trial*> trials;
  for (EdgeRun& run : best.runs) trials.push_back(&run.trial);
  host::StatusLine status;
  std::size_t begun = 0;
  return run::run_until_stopped(trials, stop, [&](const run::Trial& trial) {
    const double part = static_cast<double>(begun++) / static_cast<double>(trials.size());
    if (!best.arguments.trials.run.quiet && status.is_due()) status.show(host::progress_bar(part) + trial.method);
  });
}

/// Runs are drawn as points on the lines of predictions.
report::Plot plot_with_runs(const Best& best) {
  report::Plot plot = plot_of(best.arguments, best.trials, best.criterion, best.leads);
  const CurveNames names(best.arguments, best.trials);
  for (const EdgeRun& run : best.runs) {
    if (!run.trial.record) continue;
    const std::string name = heading_of(run.trial, best.arguments);
    const std::string group = names.group_of(rules_of(run.trial.record->plan));
    const auto series = std::ranges::find_if(
        plot.series, [&](const report::PlotSeries& one) { return one.title == name && one.group == group; });
    if (series == plot.series.end()) continue;
    series->points.push_back(
        {place_of(best.arguments, run.value), static_cast<double>(best.criterion.of(*run.trial.record)->value)});
  }
  return described(std::move(plot));
}

/// The exit code; prints a line for every run that failed.
host::ExitCode exit_code_of_runs(const Best& best) {
  host::ExitCode code = host::verified;
  for (const EdgeRun& run : best.runs) {
    if (!run.trial.has_failed) continue;
    run::print_line(heading_of(run.trial, best.arguments) + " at " + value_text(best.arguments, run.value) + ": " +
                    run.trial.reason);
    code = host::run_failed;
  }
  return code;
}

}  // namespace

int best_command(const BestArguments& given, const std::atomic<bool>& stop) {
  SweepArguments arguments = given.sweep;
  const report::Quantity& criterion = criterion_of(arguments);
  refuse_if_not_one_range(arguments);
  std::vector<host::NamedFile> drawn;
  std::optional<report::Picture> picture;
  if (arguments.plot) {
    refuse_undrawable(arguments);
    drawn = picture.emplace(*arguments.plot).files();
  }
  if (given.selection) drawn.push_back({"--write", given.selection->path});
  flags::ReportFiles files(given.places, inputs_of(arguments), drawn);
  std::optional<host::OutputFile> selected;
  if (given.selection) {
    refuse_selection(given.selection->format, arguments);
    selected.emplace(given.selection->path);
  }
  if (given.selection) {
    keep_radix_of_libraries(arguments.trials);
    arguments.trials.chooses_guests = false;
  }
  arguments.trials.predict = true;
  arguments.trials.run.tunes = report::is_time(criterion);
  std::optional<host::StatusLine> status(std::in_place);
  arguments.planning = shown_planning(arguments.trials.run.quiet, stop, *status);
  plan_sweep(arguments, criterion);  // errors name the given values, not those in between
  SweepArguments finer = refined(arguments);
  Best best = find_best(finer, criterion);
  finer.planning = SweepArguments().planning;
  status.reset();  // the line is cleared before the next output
  std::optional<Selection> chosen;
  if (given.selection) chosen = selection(given.selection->format, best);
  const bool is_interrupted = !given.no_run && run_edges(best, stop);
  host::begin_outputs();
  if (chosen) selected->prepare(chosen->text());
  files.write(
      {.markdown = [&] { return markdown_of(best); },
       .csv = [&] { return csv_of(best); },
       .json = [&] { return report::json_text(json_of(best)); }},
      [&] { return text_of(best); }, arguments.trials.run.quiet, host::pointer_to(selected));
  if (chosen && !chosen->left_out.empty()) run::print_line(chosen->note());
  const host::ExitCode code =
      is_interrupted ? run::print_last("interrupted", host::interrupt_code()) : exit_code_of_runs(best);
  return report::code_after(code, [&] {
    if (picture) picture->draw(plot_with_runs(best));
  });
}

}  // namespace lockstep::cli::compare
