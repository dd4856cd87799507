#pragma once

#include "lockstep/core/processor.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep {

/// The port that leads to another rank, on a machine where every two have a link, a complete graph, or name each other
/// by rank, over a switch.
template <class P>
Port port_to(const P& self, Rank other) {
  const bool is_named = self.ports() == 0;
  return is_named ? other : place_without(self.rank(), other);
}

}  // namespace lockstep
