#pragma once

#include "run_plan.hpp"

namespace lockstep::cli::run {

/// Sets the parameters that only tune the method and are not given, packets and radix, to those of the least predicted
/// synchronous time, the smallest of equals. Methods that find their own best packets keep them; where nothing is
/// predicted, or a machine is embedded, the defaults stay.
void tune(const RunArguments& arguments, RunPlan& plan);

}  // namespace lockstep::cli::run
