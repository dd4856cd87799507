#pragma once

#include <utility>

#include "lockstep/core/payload.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// A received message: its payload, its port, and the modelled time of its arrival.
template <Payload T>
struct Message {
  T payload;      ///< the value sent
  Port port = 0;  ///< on which it arrived
  /// Modelled time; 0 for data that was there from the start. Under RunOptions::other_costs it stands for a time of
  /// each cost model: only forward() and later() know what to do with it.
  double arrival = 0;

  /// The payload, moved out.
  operator T() && { return std::move(payload); }  // NOLINT: a received message is its payload
};

}  // namespace lockstep
