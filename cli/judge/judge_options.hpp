#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/trial.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::judge {

/// The arguments of `judge`, each flag checked by itself.
struct JudgeArguments {
  std::string algorithm;           ///< empty: the program's own methods
  std::vector<std::string> sizes;  ///< the program's own machines, used if none are named
  run::TrialArguments trials;      ///< machines, parameters, model and the most cycles; no operation
  std::uint64_t seeds = 20;
  double time_limit = 60;  ///< seconds of one run
  std::uint64_t memory_limit = std::uint64_t{2} << 30;
  double data_points = 60;
  double rules_points = 20;
  double bound_points = 20;
  std::vector<std::string> against;
  std::optional<std::string> json;
  bool quiet = false;
  std::string program;             ///< as it was called
  std::vector<std::string> words;  ///< all of these flags as written

  JudgeArguments() { trials.run.max_cycles = 1'000'000; }
  double all_points() const { return data_points + rules_points + bound_points; }
};

/// Adds the flags of `judge` and its help text. The arguments must outlive the app.
void add_judge_options(CLI::App& app, JudgeArguments& arguments);

}  // namespace lockstep::cli::judge
