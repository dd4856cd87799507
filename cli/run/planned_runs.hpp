#pragma once

#include <vector>

#include "run_options.hpp"
#include "run_record.hpp"

namespace lockstep::cli::run {

/// A run, and what is known of it before it.
struct PlannedRun {
  RunArguments arguments;
  RunRecord record;
};

/// The run that the command names, and after it those of `--against`: each with those of the parameters that its method
/// takes. Throws InputError if no method takes one of them, and what plan_run() throws.
std::vector<PlannedRun> plan_runs(const RunArguments& arguments);

}  // namespace lockstep::cli::run
