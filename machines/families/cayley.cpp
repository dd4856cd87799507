#include "lockstep/machines/cayley.hpp"

#include <algorithm>
#include <deque>

#include "lockstep/machines/topologies.hpp"

namespace lockstep {
namespace {

/// Where generators lead from every node, one node after the other; sets their number.
std::vector<Rank> products_by_ports(const MachineSpec& machine, Port& generators) {
  const Wiring leads = wiring(machine);
  std::vector<Port> linked;
  for (Port port = 0; port < machine.ports; ++port) {
    if (leads(0, port)) linked.push_back(port);
  }
  generators = static_cast<Port>(linked.size());
  std::vector<Rank> products;
  products.reserve(machine.processors * generators);
  for (Rank x = 0; x < machine.processors; ++x) {
    for (const Port port : linked) products.push_back(leads(x, port).rank);
  }
  return products;
}

std::vector<Rank> products_of_complete(Rank nodes) {
  std::vector<Rank> products;
  products.reserve(std::size_t{nodes} * (nodes - 1));
  for (Rank x = 0; x < nodes; ++x) {
    for (Rank d = 1; d < nodes; ++d) products.push_back(x < nodes - d ? x + d : x - (nodes - d));
  }
  return products;
}

}  // namespace

std::vector<std::string_view> cayley_families() {
  return {"hypercube", "torus", "ring", "ccc", "star", "pancake", "complete", "circulant", "rh"};
}

bool is_cayley_graph(const MachineSpec& machine) {
  const std::vector<std::string_view> families = cayley_families();
  return std::find(families.begin(), families.end(), machine.family) != families.end();
}

CayleyGraph::CayleyGraph(const MachineSpec& machine)
    : nodes_(static_cast<Rank>(machine.processors)), generators_(nodes_ - 1) {
  products_ = machine.family == "complete" ? products_of_complete(nodes_) : products_by_ports(machine, generators_);
  for (Port generator = 0; generator < generators_; ++generator) {
    Port back = 0;
    while (times(times(0, generator), back) != 0) ++back;
    inverses_.push_back(back);
  }
}

std::vector<Rank> CayleyGraph::distances(const std::vector<bool>& is_counted) const {
  std::vector<Rank> distance(nodes_, no_rank);
  std::deque<Rank> queue{0};
  distance[0] = 0;
  while (!queue.empty()) {
    const Rank x = queue.front();
    queue.pop_front();
    for (Port s = 0; s < generators_; ++s) {
      const Rank y = times(x, s);
      const Rank there = distance[x] + (is_counted[s] ? 1 : 0);
      if (there >= distance[y]) continue;
      distance[y] = there;
      is_counted[s] ? queue.push_back(y) : queue.push_front(y);
    }
  }
  return distance;
}

}  // namespace lockstep
