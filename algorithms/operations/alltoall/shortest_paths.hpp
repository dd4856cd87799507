#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep::alltoall {

/// The lengths of all shortest paths on a connected machine, and the load of each processor on them.
class ShortestPaths {
 public:
  /// Searches from every processor. Keeps processors^2 numbers.
  explicit ShortestPaths(const Topology& topology);

  Rank nodes() const { return nodes_; }
  /// Links between the two.
  Rank distance(Rank from, Rank to) const { return distances_[std::size_t{to} * nodes_ + from]; }
  /// The neighbours of a processor, by port.
  const std::vector<Rank>& neighbours(Rank node) const { return neighbours_[node]; }

  /// The messages that each processor sends in a total exchange if at every processor on their paths they divide evenly
  /// among the neighbours that are nearer to their destination.
  std::vector<double> loads() const;

 private:
  Rank nodes_;
  std::vector<std::vector<Rank>> neighbours_;
  std::vector<Rank> distances_;  // by destination and start
};

}  // namespace lockstep::alltoall
