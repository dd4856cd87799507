#pragma once

#include <string>

#include "flags/report_files.hpp"
#include "flags/value_option.hpp"
#include "run/trial.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::compare {

/// The arguments of `lockstep compare`, each flag checked by itself.
struct CompareArguments {
  run::TrialArguments trials;
  std::string criterion = "time";
  std::optional<std::string> per;  ///< the unit by which machines are compared
  flags::ReportPlaces places;
};

/// Called with the value of a parameter; throws InputError if it is invalid.
using TakeParameter = std::function<void(const SettingFlag& flag, const std::string& text)>;

/// Adds the flags for task, machines, rules, costs and execution; `take_machine` gets the value of each --machine, and
/// `take_parameter` that of each parameter.
void add_trial_options(CLI::App& app, run::TrialArguments& trials, flags::TakeText take_machine,
                       const TakeParameter& take_parameter);
/// Adds them where every parameter has one value.
void add_trial_options(CLI::App& app, run::TrialArguments& trials, flags::TakeText take_machine);
/// Adds a parameter's value to the trials.
void take_parameter(run::TrialArguments& trials, const SettingFlag& flag, const std::string& text);
/// Adds --algorithm file:FILE, which may be given several times.
void add_schedule_option(CLI::App& app, run::TrialArguments& trials);
/// Adds --by.
void add_criterion_option(CLI::App& app, std::string& criterion);

/// Adds the flags of `lockstep compare` and its help text. The arguments must outlive the app.
void add_compare_options(CLI::App& app, CompareArguments& arguments);

}  // namespace lockstep::cli::compare
