#pragma once

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "written/follow.hpp"

// What the alltoall methods share whose schedules move every message over a shortest path.
namespace lockstep::alltoall {

/// Counts: S_G messages, and at most that many steps, as one moves in each.
Prediction predict_on_shortest_paths(const MachineSpec& machine, const Model& model, const Settings& settings);

/// The moves of such a schedule; more than there can be where S_G is not known.
Wide most_moves(const MachineSpec& machine);

/// Bytes of a run that follows a schedule of that many moves.
Wide bytes_to_follow(const MachineSpec& machine, const Model& model, const Settings& settings, Wide moves);

/// Follows the steps, which must be a total exchange on the machine.
Outcome follow_steps(const RunRequest& request, MoveSteps steps);

}  // namespace lockstep::alltoall
