#pragma once

#include <string_view>
#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// The families whose machines are Cayley graphs: nodes are the elements of a group, node 0 its unit e, and node x is
/// linked to x s for every generator s. A generator is a port, except on complete graphs, where generator d leads d + 1
/// nodes on (the ports there, in the order of the other ranks, are no generators).
///
///      hypercube    the sums modulo 2 of addresses            generators 2^p
///      ring, torus  the sums of coordinates                   +1 and -1 in a dimension
///      circulant    the sums of ranks                         the strides and their negatives
///      complete     the sums of ranks                         1, 2, ..., M-1
///      star         permutations, applied to places           exchanges of the first place with another
///      pancake      permutations, applied to places           reversals of the first places
///      ccc          a corner and a position that rotates it   a step of the cycle and back, the link of the position
///      rh           the moves of the origin                   the ports
std::vector<std::string_view> cayley_families();

/// Whether the machine belongs to one of these families.
bool is_cayley_graph(const MachineSpec& machine);

/// A machine as a Cayley graph, with its products in a table.
class CayleyGraph {
 public:
  /// The family must be one of cayley_families(). Takes memory for nodes() * generators() ranks.
  explicit CayleyGraph(const MachineSpec& machine);

  /// Elements of the group.
  Rank nodes() const { return nodes_; }
  /// The number of generators: the ports of a node.
  Port generators() const { return generators_; }
  /// x s for generator s.
  Rank times(Rank x, Port generator) const { return products_[std::size_t{x} * generators_ + generator]; }
  /// The generator that leads back.
  Port inverse(Port generator) const { return inverses_[generator]; }

  /// The least number of generators on a path from e to each element, of those alone that are counted.
  std::vector<Rank> distances(const std::vector<bool>& is_counted) const;
  /// The distance of each element from e, over all generators.
  std::vector<Rank> distances() const { return distances(std::vector<bool>(generators_, true)); }

 private:
  Rank nodes_;
  Port generators_;
  std::vector<Rank> products_;  // by node and generator
  std::vector<Port> inverses_;
};

}  // namespace lockstep
