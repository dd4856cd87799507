#pragma once

#include "lockstep/algorithms/replay.hpp"
#include "lockstep/algorithms/run_request.hpp"

namespace lockstep::replay {

/// Carries out the plan, and verifies that every message reached a receive that takes it, from its sender and once.
Outcome run_replay(const RunRequest& request, const ReplayProgram& program, const ReplayPlan& plan);

/// Bytes of the machine and the data of run_replay() and the plan.
Wide bytes_of_replay(const MachineSpec& machine, const Model& model, const ReplayProgram& program);

}  // namespace lockstep::replay
