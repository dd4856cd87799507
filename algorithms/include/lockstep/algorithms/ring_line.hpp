#pragma once

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// The rings of a machine in one direction: each leads through all ranks that differ in one coordinate only.
///
///     torus:2x3     0 - 1 - 2       x: nodes 3, stride 1        position(4) = 1    at(4, 2) = 5
///                   |   |   |
///                   3 - 4 - 5       y: nodes 2, stride 3        position(4) = 1    at(4, 0) = 1
struct RingLine {
  Rank nodes = 1;
  Rank stride = 1;      ///< from a rank to the next on its ring
  Port first_port = 0;  ///< towards the next, position + 1; the port after it leads back, if there is a second link

  Port forth() const { return first_port; }
  Port back() const { return nodes == 2 ? first_port : first_port + 1; }

  /// Where the rank lies on its ring.
  Rank position(Rank rank) const { return rank / stride % nodes; }
  /// The rank at that position of the ring on which `rank` lies.
  Rank at(Rank rank, Rank node) const { return rank - position(rank) * stride + node * stride; }
};

}  // namespace lockstep
