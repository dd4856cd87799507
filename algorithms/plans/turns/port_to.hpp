#pragma once

#include "lockstep/core/processor.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep::turns {

/// The port that leads from a rank to another: on a complete graph found at once, elsewhere in time in proportion to
/// the ports; over a bus or switch, which has no ports, the other rank. topology.ports() if there is no link.
inline Port port_to(const Topology& topology, Rank rank, Rank other) {
  if (topology.medium()) return other;
  if (topology.ports() + 1 == topology.processors()) {
    const Port of_complete_graph = place_without(rank, other);
    if (of_complete_graph < topology.ports() && topology.peer(rank, of_complete_graph).rank == other) {
      return of_complete_graph;
    }
  }
  return topology.port_to(rank, other);
}

/// The same from the processor's own rank.
template <class P>
Port port_to(const P& self, Rank other) {
  return port_to(self.topology(), self.rank(), other);
}

}  // namespace lockstep::turns
