#pragma once

#include <string>
#include <vector>

#include "run/run_plan.hpp"
#include "run/trace.hpp"

namespace lockstep::cli::judge {

// Traces where a run's data came from through its messages.

/// The first processor that holds data which no message can have brought, one line for each sign of it: it forwards a
/// block that it has not received; it ends with a block that it never received; no chain of messages leads to it from a
/// processor on whose data its result depends. The data of the run must be right. Empty if there is none, or if the
/// trace does not show it.
std::vector<std::string> unexplained_data(const run::RunPlan& plan, const run::Trace& trace);

/// The first block that did not reach its destination, and its last receiver: "rank 5 lacks the block of rank 2, which
/// rank 4 got last, from rank 0 in cycle 3". Empty if all did, or if the trace does not show it.
std::string missing_block(const run::RunPlan& plan, const run::Trace& trace);

}  // namespace lockstep::cli::judge
