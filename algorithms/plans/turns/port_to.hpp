#pragma once

#include "lockstep/core/processor.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep::turns {

/// The port that leads to another rank: over a switch, whose ports are ranks, that rank.
template <class P>
Port port_to(const P& self, Rank other) {
  if (self.topology().medium()) return other;
  const Port of_complete_graph = place_without(self.rank(), other);
  if (of_complete_graph < self.ports() && self.neighbour(of_complete_graph) == other) return of_complete_graph;
  Port port = 0;
  while (port < self.ports() && self.neighbour(port) != other) ++port;
  return port;
}

}  // namespace lockstep::turns
