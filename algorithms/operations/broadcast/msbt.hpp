#pragma once

#include "parts/part_exchange.hpp"

namespace lockstep::broadcast {

/// The steps of n packets down the k rotated binomial trees of a k-cube from rank 0 (collectives.md, Broadcast on a
/// hypercube): packet i goes down tree i mod k. In step t over dimension t mod k, or over all at once, a lane each.
parts::PartSchedule msbt_schedule(Port k, std::uint64_t n, bool at_once);

}  // namespace lockstep::broadcast
