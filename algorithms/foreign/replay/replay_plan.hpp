#pragma once

#include "lockstep/algorithms/replay.hpp"

namespace lockstep::replay {

/// Steps of a program whose messages all go as soon as they may, whatever ports and links there are. Throws RunError as
/// plan_replay() does.
Cycle fewest_steps(const ReplayProgram& program);

}  // namespace lockstep::replay
