#pragma once

#include "run_plan.hpp"

namespace lockstep::cli::run {

/// Sets the parameters that only tune the method and are not given, packets and radix, to those of the least predicted
/// synchronous time, the smallest of equals; if the arguments say so, also the choices among a method's variants.
/// Methods that find their own best packets keep them. Where nothing is predicted, a schedule is read or written, or a
/// machine is embedded, the defaults stay.
void tune(const RunArguments& arguments, RunPlan& plan);

}  // namespace lockstep::cli::run
