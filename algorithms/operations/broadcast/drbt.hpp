#pragma once

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/tree_schedule.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep::broadcast {

/// Broadcast down the tree of the schedule, by the processor at `node`; node 0 holds the item at first. The schedule
/// must outlive the program.
Process broadcast_drbt(Processor<Block>& self, const TreeSchedule& schedule, Rank node, Block& item);

}  // namespace lockstep::broadcast
