#pragma once

#include <string_view>
#include <vector>

#include "alltoall.hpp"
#include "lockstep/algorithms/schedule.hpp"

// What the alltoall methods share that follow a plan written out, step by step, on any machine with links.
namespace lockstep::alltoall {

/// The families whose machines have links.
std::vector<std::string_view> linked_families();

/// Counts of schedules in which every message goes a shortest way: S_G messages, and at most as many steps, as one
/// moves in each.
Prediction predict_on_shortest_paths(const MachineSpec& machine, const Model& model, const Settings& settings);

/// The moves of such a schedule; more than there can be where S_G is not known.
Wide most_moves(const MachineSpec& machine);

/// Bytes of the machine, the blocks, and a plan of so many moves with what its execution keeps.
Wide bytes_to_follow(const MachineSpec& machine, const Model& model, const Settings& settings, Wide moves);

/// Every processor does what the steps say of it, and sleeps where they say nothing; what they send over a link in a
/// step is one message. Verifies what every processor holds in the end. The steps must be valid on the machine.
Outcome follow_steps(const RunRequest& request, const MoveSteps& steps);

}  // namespace lockstep::alltoall
