#pragma once

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/grid.hpp"
#include "operations/allgather/daisy_chain.hpp"

namespace lockstep::alltoall {

/// Sub-program: the pieces of every processor go once round its ring, each processor dropping those for its position on
/// the line; all of a ring take part from the same cycle on. Saad & Schultz 1988, (3.43) (saad-schultz-1988.md, Ring
/// alltoall): one step fewer than nodes. Sends on one port and receives on the other, which on two nodes is the same
/// link.
Process rotate_and_drop(Processor<Bundle>& self, const GridAxis& line, allgather::RingPorts ring, Bundle& held);

/// As above on a line that is not closed: pieces for higher positions move up, the rest down (saad-schultz-1988.md,
/// Paths both ways). Both senses at once, or one after the other.
Process drop_both_ways(Processor<Bundle>& self, const GridAxis& line, bool at_once, Bundle& held);

}  // namespace lockstep::alltoall
