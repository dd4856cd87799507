#pragma once

#include <utility>

#include "lockstep/core/payload.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// A message that was received: what it carries, the port it came in on, and the modelled time of its arrival.
template <Payload T>
struct Message {
  T payload;
  Port port = 0;
  double arrival = 0;

  operator T() && { return std::move(payload); }  // NOLINT: a received message is its payload
};

}  // namespace lockstep
