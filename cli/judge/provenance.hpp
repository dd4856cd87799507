#pragma once

#include <string>
#include <vector>

#include "run/run_plan.hpp"
#include "run/trace.hpp"

namespace lockstep::cli::judge {

// What the messages of a run say of where its data has come from.

/// The first processor that holds what no message can have brought it, a line for each way in which that is seen: it
/// sends on a block that has not come to it; it ends with a block that never came; no chain of messages leads to it
/// from a processor on whose data its own result depends. The data of the run is right. Empty if there is none, or if
/// the trace does not tell.
std::vector<std::string> unexplained_data(const run::RunPlan& plan, const run::Trace& trace);

/// The first block that has not come to where it belongs, and who got it last: "rank 5 lacks the block of rank 2, which
/// rank 4 got last, from rank 0 in cycle 3". Empty if all have, or if the trace does not tell.
std::string missing_block(const run::RunPlan& plan, const run::Trace& trace);

}  // namespace lockstep::cli::judge
