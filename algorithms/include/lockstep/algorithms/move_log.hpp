#pragma once

#include "lockstep/algorithms/schedule.hpp"

namespace lockstep {

/// What moved in a run, as a schedule: a step for every cycle in which something did.
struct MoveLog {
  WrittenSchedule schedule;
  bool has_unlabelled = false;  ///< messages that do not say whose they are and for whom
  bool has_parts = false;       ///< blocks that were divided, of which a schedule does not speak
};

}  // namespace lockstep
