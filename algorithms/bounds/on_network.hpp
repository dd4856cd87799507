#pragma once

#include "lockstep/algorithms/bounds.hpp"

namespace lockstep::bounds {

/// Bounds on a machine with links, a bus or a switch.
LowerBound on_network(const Problem& problem);

/// Bounds on a shared memory.
LowerBound on_memory(const Problem& problem);

}  // namespace lockstep::bounds
