#include "lockstep/machines/graph.hpp"

#include <algorithm>
#include <stdexcept>

namespace lockstep {

namespace {

std::string text(std::uint64_t number) { return std::to_string(number); }

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

}  // namespace

Graph::Graph(Rank nodes, const std::vector<Link>& links) : first_(std::size_t{nodes} + 1) {
  if (nodes == 0) refuse("there are no nodes");
  for (const auto& [a, b] : links) {
    for (const Rank node : {a, b}) {
      if (node >= nodes) refuse("a link leads to node " + text(node) + ", but the nodes are 0 to " + text(nodes - 1));
    }
    if (a == b) refuse("node " + text(a) + " is linked to itself");
    ++first_[a + 1];
    ++first_[b + 1];
  }
  for (Rank node = 0; node < nodes; ++node) first_[node + 1] += first_[node];

  neighbours_.resize(2 * links.size());
  std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
  for (const auto& [a, b] : links) {
    neighbours_[next[a]++] = b;
    neighbours_[next[b]++] = a;
  }
  const auto all = neighbours_.begin();
  for (Rank node = 0; node < nodes; ++node) {
    std::sort(all + static_cast<std::ptrdiff_t>(first_[node]), all + static_cast<std::ptrdiff_t>(first_[node + 1]));
  }
  refuse_double_links();
  refuse_unreachable_nodes();
}

void Graph::refuse_double_links() const {
  for (Rank node = 0; node < nodes(); ++node) {
    for (std::uint64_t i = first_[node] + 1; i < first_[node + 1]; ++i) {
      if (neighbours_[i] != neighbours_[i - 1]) continue;
      refuse("nodes " + text(node) + " and " + text(neighbours_[i]) + " are joined by more than one link");
    }
  }
}

void Graph::refuse_unreachable_nodes() const {
  std::vector<bool> reached(nodes());
  std::vector<Rank> open = {0};
  reached[0] = true;
  while (!open.empty()) {
    const Rank here = open.back();
    open.pop_back();
    for (std::uint64_t i = first_[here]; i < first_[here + 1]; ++i) {
      if (reached[neighbours_[i]]) continue;
      reached[neighbours_[i]] = true;
      open.push_back(neighbours_[i]);
    }
  }
  const auto lost = std::find(reached.begin(), reached.end(), false);
  if (lost == reached.end()) return;
  refuse("it is not connected: node " + text(static_cast<std::uint64_t>(lost - reached.begin())) +
         " cannot be reached from node 0");
}

Port Graph::degree_min() const {
  Port least = degree(0);
  for (Rank node = 1; node < nodes(); ++node) least = std::min(least, degree(node));
  return least;
}

Port Graph::degree_max() const {
  Port most = 0;
  for (Rank node = 0; node < nodes(); ++node) most = std::max(most, degree(node));
  return most;
}

End Graph::neighbour(Rank node, Port port) const {
  if (port >= degree(node)) return {};
  const Rank there = neighbours_[first_[node] + port];
  const auto first = neighbours_.begin() + static_cast<std::ptrdiff_t>(first_[there]);
  const auto last = neighbours_.begin() + static_cast<std::ptrdiff_t>(first_[there + 1]);
  return {there, static_cast<Port>(std::lower_bound(first, last, node) - first)};
}

}  // namespace lockstep
