#pragma once

#include <optional>
#include <string>

#include "trial.hpp"

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

/// Adds the flags of `lockstep compare` and its help text. The arguments must outlive the app.
void add_compare_options(CLI::App& app, CompareArguments& arguments);

}  // namespace lockstep::cli
