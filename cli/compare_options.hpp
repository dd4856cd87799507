#pragma once

#include <optional>
#include <string>

#include "trial.hpp"
#include "value_option.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli {

/// What `lockstep compare` was asked for, each flag checked by itself.
struct CompareArguments {
  TrialArguments trials;
  std::string criterion = "time";
  std::optional<std::string> markdown;  ///< a file or "-"
  std::optional<std::string> csv;
  std::optional<std::string> json;
};

/// Adds the flags that say what is compared, under which rules, at what costs and how it is executed; `take_machine` is
/// given the value of each --machine.
void add_trial_options(CLI::App& app, TrialArguments& trials, TakeText take_machine);
/// Adds --by.
void add_criterion_option(CLI::App& app, std::string& criterion);

/// Adds the flags of `lockstep compare` and its help text. The arguments must outlive the app.
void add_compare_options(CLI::App& app, CompareArguments& arguments);

}  // namespace lockstep::cli
