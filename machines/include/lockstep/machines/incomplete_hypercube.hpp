#pragma once

#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// Whether the machine belongs to the family incomplete-hypercube.
inline bool is_incomplete_hypercube(const MachineSpec& machine) { return machine.family == "incomplete-hypercube"; }

/// Addresses of the incomplete hypercube of an N-cube, the ranks below 2^N, and an M-cube, M < N, the 2^M ranks from
/// there on (mukherjee.md, Incomplete hypercube): the first 2^N + 2^M corners of the (N+1)-cube and the links between
/// them. Port p leads to r xor 2^p, if that is a rank. The distance of two ranks is the number of bits in which they
/// differ.
///
///     hypercube:2+1    2 --- 3
///                      |     |
///                      0 --- 1
///                      |     |
///                      4 --- 5
class IncompleteHypercube {
 public:
  /// The machine must belong to that family.
  explicit IncompleteHypercube(const MachineSpec& machine)
      : n_(static_cast<Port>(machine.parameters[0])), m_(static_cast<Port>(machine.parameters[1])) {}

  /// Dimensions of the larger cube, and the port that leads to the other one.
  Port n() const { return n_; }
  /// Dimensions of the smaller cube.
  Port m() const { return m_; }
  /// Whether the rank lies in the smaller cube.
  bool is_in_smaller(Rank rank) const { return rank >> n_ != 0; }
  /// Whether the port of the rank has a link.
  bool has_link(Rank rank, Port port) const;
  /// Links of the rank: N or N + 1 in the larger cube, M + 1 in the smaller.
  Port degree(Rank rank) const;
  /// The ports of a shortest path: the differing bits, out of the smaller cube first, and into it last.
  std::vector<Port> shortest_path(Rank from, Rank to) const;
  /// The lowest rank at the greatest distance: across the larger cube, unless a rank of the other cube is farther.
  Rank farthest(Rank from) const;

 private:
  Port n_;
  Port m_;
};

}  // namespace lockstep
