#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/trial.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::compare {

/// A variation of a sweep: "words" and its values.
struct Variation {
  std::string name;
  std::vector<std::string> values;
};

/// The arguments of `lockstep sweep`, each flag checked by itself.
struct SweepArguments {
  run::TrialArguments trials;  ///< with the machines of all ranges
  std::vector<Variation> variations;
  std::vector<std::string> given{};  ///< names of the flags that are given: "threads"
  std::string criterion = "time";
  std::optional<std::string> csv;  ///< a file or "-"
  std::optional<std::string> jsonl;
  std::optional<std::string> plot;  ///< the file of a Picture
  bool resume = false;
  unsigned jobs = 1;
  /// Told what is being planned, and which part of it is done, before every point; may throw.
  std::function<void(std::string_view what, double part)> planning = [](std::string_view, double) {};
};

/// Adds --vary, which takes every parameter and every flag of rules, costs, faults and execution that has a value.
void add_vary_option(CLI::App& app, std::vector<Variation>& variations);
/// Adds --plot.
void add_plot_option(CLI::App& app, std::optional<std::string>& plot);
/// Takes the value of a --machine in which numbers may be ranges.
void take_machines(run::TrialArguments& trials, const std::string& text);

/// Adds the flags of `lockstep sweep` and its help text. The arguments must outlive the app.
void add_sweep_options(CLI::App& app, SweepArguments& arguments);

/// Gives the varied parameter or flag its value at a point. Throws InputError as the flag does.
void set_varied(run::TrialArguments& trials, const std::string& name, const std::string& value);

}  // namespace lockstep::cli::compare
