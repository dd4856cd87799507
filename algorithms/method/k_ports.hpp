#pragma once

#include <cstdint>

#include "lockstep/core/model.hpp"

namespace lockstep::method {

/// The messages that a method for one port may send and receive in a step: K under --ports K, else 1.
inline std::uint64_t ports_at_once(const Model& model) { return is_k_ports(model.ports) ? port_limit(model.ports) : 1; }

}  // namespace lockstep::method
