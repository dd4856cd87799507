#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// Distance from the origin to every processor, by breadth-first search; no_rank where there is no path.
inline std::vector<Rank> distances_from(const Topology& topology, Rank origin) {
  std::vector<Rank> distance(topology.processors(), no_rank);
  std::vector<Rank> queue{origin};
  distance[origin] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (Port port = 0; port < topology.ports(); ++port) {
      const Rank next = topology.peer(queue[head], port).rank;
      if (next == no_rank || distance[next] != no_rank) continue;
      distance[next] = distance[queue[head]] + 1;
      queue.push_back(next);
    }
  }
  return distance;
}

/// S_G of dimakopoulos.md, Conventions: the sum of the distances over all ordered pairs.
inline std::uint64_t sum_of_distances(const Topology& topology) {
  std::uint64_t sum = 0;
  for (Rank origin = 0; origin < topology.processors(); ++origin) {
    for (const Rank distance : distances_from(topology, origin)) sum += distance;
  }
  return sum;
}

}  // namespace lockstep
