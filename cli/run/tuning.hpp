#pragma once

#include "run_plan.hpp"

namespace lockstep::cli::run {

/// If the arguments say so: sets the parameters that only tune the method and are not given (packets, radix, and the
/// choices among its variants) to those of the least predicted synchronous time, the smallest of equals. Methods that
/// find their own best packets keep them. Where nothing is predicted or a schedule is read, the defaults stay.
void tune(const RunArguments& arguments, RunPlan& plan);

}  // namespace lockstep::cli::run
