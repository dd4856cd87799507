#pragma once

#include "lockstep/algorithms/replay.hpp"

namespace lockstep::replay {

/// Steps of a program whose messages are all sent as soon as possible, regardless of ports and links. Throws RunError
/// as plan_replay() does.
Cycle fewest_steps(const ReplayProgram& program);

}  // namespace lockstep::replay
