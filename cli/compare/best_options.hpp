#pragma once

#include <optional>

#include "flags/report_files.hpp"
#include "selection_file.hpp"
#include "sweep_options.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::compare {

/// The arguments of `lockstep best`, each flag checked by itself.
struct BestArguments {
  SweepArguments sweep;  ///< without files of its own
  flags::ReportPlaces places;
  std::optional<SelectionPlace> selection{};  ///< --write
  bool no_run = false;
};

/// Adds the flags of `lockstep best` and its help text. The arguments must outlive the app.
void add_best_options(CLI::App& app, BestArguments& arguments);

}  // namespace lockstep::cli::compare
