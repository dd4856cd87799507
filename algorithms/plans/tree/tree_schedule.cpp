#include "lockstep/algorithms/tree_schedule.hpp"

#include <algorithm>
#include <utility>

namespace lockstep {

TreeSchedule::TreeSchedule(Rank nodes) {
  parents_.reserve(nodes);
  children_.reserve(nodes - 1);
  first_child_.reserve(std::size_t{nodes} + 1);
  first_child_.push_back(0);
}

void TreeSchedule::add(Port parent, std::span<const Port> children) {
  parents_.push_back(parent);
  children_.insert(children_.end(), children.begin(), children.end());
  first_child_.push_back(static_cast<std::uint32_t>(children_.size()));
}

std::uint32_t TreeSchedule::serve_longest_first(const Topology& machine) { return serve_longest_first(machine, 0); }

// Returns need(node): the steps from the node's receipt until its whole subtree holds the item.
std::uint32_t TreeSchedule::serve_longest_first(const Topology& machine, Rank node) {
  std::vector<std::pair<std::uint32_t, Port>> served;  // need and port of each child
  for (const Port port : children(node)) {
    served.emplace_back(serve_longest_first(machine, machine.peer(node, port).rank), port);
  }
  std::sort(served.begin(), served.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  std::uint32_t need = 0;
  for (std::uint32_t index = 0; index < served.size(); ++index) {
    need = std::max(need, index + 1 + served[index].first);
    children_[first_child_[node] + index] = served[index].second;
  }
  return need;
}

std::vector<std::uint32_t> TreeSchedule::arrivals(const Topology& machine, bool at_once) const {
  std::vector<std::uint32_t> arrived(nodes());
  std::vector<Rank> reached{0};
  reached.reserve(nodes());
  for (std::size_t index = 0; index < reached.size(); ++index) {
    std::uint32_t step = arrived[reached[index]];
    for (const Port port : children(reached[index])) {
      if (!at_once || step == arrived[reached[index]]) ++step;
      const Rank child = machine.peer(reached[index], port).rank;
      arrived[child] = step;
      reached.push_back(child);
    }
  }
  return arrived;
}

}  // namespace lockstep
