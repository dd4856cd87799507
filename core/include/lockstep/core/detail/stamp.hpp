#pragma once

#include <cstdint>

#include "lockstep/core/model.hpp"

namespace lockstep::detail {

/// A cycle as links and processors remember it: cycle + 2 in 31 bits. 0 means never, and 1 is earlier than all cycles.
using Stamp = std::uint32_t;

inline Stamp stamp_of(Cycle cycle) { return static_cast<Stamp>(cycle + 2); }
inline Cycle cycle_of(Stamp stamp) { return Cycle{stamp} - 2; }

}  // namespace lockstep::detail
