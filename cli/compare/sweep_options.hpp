#pragma once

#include <optional>
#include <string>
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
  std::string criterion = "time";
  std::optional<std::string> csv;  ///< a file or "-"
  std::optional<std::string> jsonl;
  std::optional<std::string> plot;  ///< FILE.svg or FILE.png
  bool resume = false;
  unsigned jobs = 1;
};

/// Adds --vary.
void add_vary_option(CLI::App& app, std::vector<Variation>& variations);
/// Adds --plot.
void add_plot_option(CLI::App& app, std::optional<std::string>& plot);
/// Takes the value of a --machine in which numbers may be ranges.
void take_machines(run::TrialArguments& trials, const std::string& text);

/// Adds the flags of `lockstep sweep` and its help text. The arguments must outlive the app.
void add_sweep_options(CLI::App& app, SweepArguments& arguments);

/// The costs that may be varied, beside parameters of methods.
inline constexpr std::string_view varied_costs[] = {"beta", "tau",       "max-packet", "copy-cost",
                                                    "flop", "scan-cost", "stage-cost", "hop-cost"};

}  // namespace lockstep::cli::compare
