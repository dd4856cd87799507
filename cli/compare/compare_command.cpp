#include "compare_command.hpp"

#include <nlohmann/json.hpp>

#include "comparison.hpp"
#include "guests.hpp"
#include "host/exit_code.hpp"
#include "host/interrupt.hpp"
#include "host/output_file.hpp"
#include "report/json_report.hpp"
#include "run/failure.hpp"
#include "unit_report.hpp"

namespace lockstep::cli::compare {
namespace {

void refuse_if_incomplete(const CompareArguments& arguments) {
  const run::TrialArguments& trials = arguments.trials;
  if (trials.operation.empty() || trials.machines.empty()) {
    const std::string missing = !trials.machines.empty()    ? "--operation"
                                : !trials.operation.empty() ? "--machine"
                                                            : "--operation and --machine";
    throw InputError("compare needs " + missing +
                     ", e.g. lockstep compare --operation allgather --machine hypercube:8 --words 64");
  }
}

std::vector<run::Trial*> pointers_to(std::vector<run::Trial>& trials) {
  std::vector<run::Trial*> pointers;
  for (run::Trial& trial : trials) pointers.push_back(&trial);
  return pointers;
}

/// The trials in which methods are tuned, if the criterion is a time.
run::TrialArguments tuned_for(const report::Quantity& criterion, run::TrialArguments trials) {
  trials.run.tunes = report::is_time(criterion);
  return trials;
}

/// Compares machines over many operations.
int compare_per_unit(const CompareArguments& arguments, const report::Quantity& criterion,
                     const std::atomic<bool>& stop) {
  const Unit& unit = find_unit(*arguments.per);
  if (criterion.name.starts_with("time_times_")) {
    throw InputError("--per " + *arguments.per + " and --by " + arguments.criterion + " both multiply the time");
  }
  UnitTrials trials = plan_unit_trials(tuned_for(criterion, arguments.trials), criterion);
  flags::ReportFiles files(arguments.places, inputs_of(arguments.trials));
  const bool is_interrupted = !arguments.trials.predict && run::run_until_stopped(pointers_to(trials.trials), stop);
  host::begin_outputs();
  const UnitReport report = unit_report(arguments.trials, trials, unit, criterion);
  files.write(
      {.markdown = [&] { return markdown_of(report); },
       .csv = [&] { return csv_of(report); },
       .json = [&] { return report::json_text(json_of(report)); }},
      [&] { return text_of(report); }, arguments.trials.run.quiet);
  if (!is_interrupted) return run::exit_code_of(pointers_to(trials.trials));
  return run::print_last("interrupted", host::interrupt_code());
}

}  // namespace

int compare_command(const CompareArguments& arguments, const std::atomic<bool>& stop) {
  const report::Quantity& criterion = report::find_criterion(arguments.criterion, arguments.trials.predict);
  run::refuse_idle_faults(arguments.trials);
  if (arguments.per) return compare_per_unit(arguments, criterion, stop);
  refuse_if_incomplete(arguments);
  const run::TrialArguments tuned = tuned_for(criterion, arguments.trials);
  std::vector<run::Trial> trials = run::plan_trials(tuned);
  add_guests(tuned, {&criterion, &report::find_quantity("steps"), &report::find_quantity("time_synchronous")}, trials);
  flags::ReportFiles files(arguments.places, inputs_of(arguments.trials));
  const bool is_interrupted = !arguments.trials.predict && run::run_until_stopped(pointers_to(trials), stop);
  host::begin_outputs();
  const Comparison comparison = compared(arguments.trials, trials, criterion);
  files.write(
      {.markdown = [&] { return markdown_of(comparison); },
       .csv = [&] { return csv_of(comparison); },
       .json = [&] { return report::json_text(json_of(comparison)); }},
      [&] { return text_of(comparison); }, arguments.trials.run.quiet);
  if (!is_interrupted) return run::exit_code_of(pointers_to(trials));
  return run::print_last("interrupted", host::interrupt_code());
}

}  // namespace lockstep::cli::compare
