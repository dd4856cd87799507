#include "shortest_paths.hpp"

#include <algorithm>

namespace lockstep::alltoall {

ShortestPaths::ShortestPaths(const Topology& topology)
    : nodes_(topology.processors()), neighbours_(nodes_), distances_(std::size_t{nodes_} * nodes_, no_rank) {
  for (Rank node = 0; node < nodes_; ++node) {
    for (Port port = 0; port < topology.ports(); ++port) {
      if (const End end = topology.peer(node, port)) neighbours_[node].push_back(end.rank);
    }
  }
  std::vector<Rank> queue;
  for (Rank to = 0; to < nodes_; ++to) {
    Rank* const distance = &distances_[std::size_t{to} * nodes_];
    queue.assign(1, to);
    distance[to] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (const Rank neighbour : neighbours_[queue[next]]) {
        if (distance[neighbour] != no_rank) continue;
        distance[neighbour] = distance[queue[next]] + 1;
        queue.push_back(neighbour);
      }
    }
  }
}

std::vector<double> ShortestPaths::loads() const {
  std::vector<double> loads(nodes_, 0.0);
  std::vector<double> sent(nodes_);
  std::vector<Rank> farthest_first(nodes_);
  std::vector<Rank> nearer;
  for (Rank to = 0; to < nodes_; ++to) {
    for (Rank node = 0; node < nodes_; ++node) farthest_first[node] = node;
    std::stable_sort(farthest_first.begin(), farthest_first.end(),
                     [&](Rank a, Rank b) { return distance(a, to) > distance(b, to); });
    sent.assign(nodes_, 1.0);
    for (const Rank node : farthest_first) {
      if (node == to) break;
      loads[node] += sent[node];
      nearer.clear();
      for (const Rank neighbour : neighbours_[node]) {
        if (distance(neighbour, to) < distance(node, to)) nearer.push_back(neighbour);
      }
      for (const Rank neighbour : nearer) sent[neighbour] += sent[node] / static_cast<double>(nearer.size());
    }
  }
  return loads;
}

}  // namespace lockstep::alltoall
