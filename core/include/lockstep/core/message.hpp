#pragma once

#include <utility>

#include "lockstep/core/payload.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// A message that was received: what it carries, the port it came in on, and the modelled time of its arrival.
template <Payload T>
struct Message {
  T payload;           ///< what was sent
  Port port = 0;       ///< it came in on
  double arrival = 0;  ///< modelled time

  /// The payload, moved out.
  operator T() && { return std::move(payload); }  // NOLINT: a received message is its payload
};

}  // namespace lockstep
