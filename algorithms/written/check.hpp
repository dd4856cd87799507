#pragma once

#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"
#include "written/plan.hpp"

namespace lockstep::written {

/// Walks through the plan on the machine, under the rules of the model, and throws ScheduleError where it breaks one,
/// as described at validate() and check().
void check(const Plan& plan, const Topology& topology, const Model& model);

}  // namespace lockstep::written
