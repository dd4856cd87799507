#pragma once

#include "lockstep/algorithms/tree_schedule.hpp"
#include "lockstep/core/process.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/hypercube.hpp"

namespace lockstep::broadcast {

/// Spanning-binomial-tree broadcast in a cube of that many dimensions, which may be a part of the machine: in cycle j
/// the holders are the nodes below 2^j, and each sends on dimension j. `relative` is the address relative to the root,
/// which alone holds the item at first. Saad & Schultz 1985, section 2, Prop. 2.1. As many steps as dimensions,
/// one-port, half-duplex.
template <Payload T>
Process broadcast_sbt(Processor<T>& self, Rank relative, Port dimensions, T& item) {
  if (relative != 0) item = co_await self.message(highest_bit(relative));
  self.hold(words(item));
  for (Port dimension = width(relative); dimension < dimensions; ++dimension) {
    self.send(dimension, item);
    co_await self.cycle();
  }
}

/// The same tree as a schedule, every node serving its lowest dimension, which leads to the largest subtree, first.
TreeSchedule sbt_schedule(Port dimensions);

}  // namespace lockstep::broadcast
