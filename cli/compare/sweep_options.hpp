#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flags/model_options.hpp"
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
  /// Told what is being planned, and which part of it is done, before every point; may throw.
  std::function<void(std::string_view what, double part)> planning = [](std::string_view, double) {};
};

/// Adds --vary.
void add_vary_option(CLI::App& app, std::vector<Variation>& variations);
/// Adds --plot.
void add_plot_option(CLI::App& app, std::optional<std::string>& plot);
/// Takes the value of a --machine in which numbers may be ranges.
void take_machines(run::TrialArguments& trials, const std::string& text);

/// Adds the flags of `lockstep sweep` and its help text. The arguments must outlive the app.
void add_sweep_options(CLI::App& app, SweepArguments& arguments);

/// A cost that may be varied, beside parameters of methods.
struct VariedCost {
  std::string_view name;
  std::optional<double> flags::ModelArguments::*value;  ///< null for max-packet, a number of words
  std::string_view label;                               ///< of an axis
};

inline constexpr auto varied_costs = std::to_array<VariedCost>({
    {"beta", &flags::ModelArguments::beta, "beta (time a start-up)"},
    {"tau", &flags::ModelArguments::tau, "tau (time a word)"},
    {"max-packet", nullptr, "longest packet (words)"},
    {"copy-cost", &flags::ModelArguments::copy_cost, "copy cost (time a word)"},
    {"flop", &flags::ModelArguments::flop, "flop"},
    {"scan-cost", &flags::ModelArguments::scan_cost, "scan-cost"},
    {"stage-cost", &flags::ModelArguments::stage_cost, "stage cost (time a stage)"},
    {"hop-cost", &flags::ModelArguments::hop_cost, "hop-cost"},
});

/// The cost of that name; null if there is none.
const VariedCost* find_varied_cost(std::string_view name);

}  // namespace lockstep::cli::compare
