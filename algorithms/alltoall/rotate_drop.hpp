#pragma once

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/ring_lines.hpp"

namespace lockstep::alltoall {

/// Sub-program: what every processor holds goes once round its ring, each dropping what is for its position; all of a
/// ring take part from the same cycle on. Saad & Schultz 1988, (3.43) (saad-schultz-1988.md, Ring alltoall): steps one
/// fewer than nodes. Sends on one port and receives on the other, which on two nodes is the same link.
Process rotate_and_drop(Processor<Bundle>& self, const RingLines& rings, Bundle& held);

}  // namespace lockstep::alltoall
