#pragma once

#include <vector>

#include "run_options.hpp"
#include "run_record.hpp"

namespace lockstep::cli::run {

/// A run's arguments, and its record before it starts.
struct PlannedRun {
  RunArguments arguments;
  RunRecord record;
};

/// The run that the command names, then those of `--against`, each with the parameters that its method takes. Throws
/// InputError for a parameter that no method takes, and what plan_run() throws.
std::vector<PlannedRun> plan_runs(const RunArguments& arguments);

}  // namespace lockstep::cli::run
