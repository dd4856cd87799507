#include "lockstep/machines/graph.hpp"

#include <algorithm>

#include "graphs/refuse_graph.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/core/report.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

namespace {

std::string text(std::uint64_t number) { return std::to_string(number); }

}  // namespace

Graph::Graph(Rank nodes, const std::vector<Link>& links, std::vector<std::string> labels,
             std::vector<Position> positions, const std::vector<std::uint32_t>& multiplicities)
    : first_(std::size_t{nodes} + 1), labels_(std::move(labels)), positions_(std::move(positions)) {
  if (nodes == 0) refuse_graph("there are no nodes");
  for (std::size_t link = 0; link < links.size(); ++link) {
    const auto& [a, b] = links[link];
    for (const Rank node : {a, b}) {
      if (node < nodes) continue;
      throw LinkError("a link leads to node " + text(node) + ", but the nodes are 0 to " + text(nodes - 1), link);
    }
    if (a == b) throw LinkError("node " + text_of(a) + " is linked to itself", link);
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
  refuse_double_links(links);
  refuse_unreachable_nodes();
  if (std::ranges::all_of(multiplicities, [](std::uint32_t number) { return number == 1; })) return;
  multiplicities_.resize(neighbours_.size());
  const auto set = [&](Rank node, Rank neighbour, std::uint32_t number) {
    const auto begin = all + static_cast<std::ptrdiff_t>(first_[node]);
    const auto end = all + static_cast<std::ptrdiff_t>(first_[node + 1]);
    multiplicities_[static_cast<std::size_t>(std::lower_bound(begin, end, neighbour) - all)] = number;
  };
  for (std::size_t link = 0; link < links.size(); ++link) {
    set(links[link].first, links[link].second, multiplicities.at(link));
    set(links[link].second, links[link].first, multiplicities.at(link));
  }
}

std::string Graph::text_of(Rank node) const {
  return has_labels() && !labels_[node].empty() ? quoted(labels_[node]) : text(node);
}

void Graph::refuse_double_links(const std::vector<Link>& links) const {
  for (Rank node = 0; node < nodes(); ++node) {
    for (std::uint64_t i = first_[node] + 1; i < first_[node + 1]; ++i) {
      const Rank other = neighbours_[i];
      if (other != neighbours_[i - 1]) continue;
      const auto joins_them = [&](const Link& link) { return link == Link(node, other) || link == Link(other, node); };
      const auto last = std::find_if(links.rbegin(), links.rend(), joins_them);
      throw LinkError("nodes " + text_of(node) + " and " + text_of(other) + " are joined by more than one link",
                      static_cast<std::size_t>(links.rend() - last) - 1);
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
  refuse_graph("it is not connected: node " + text_of(static_cast<Rank>(lost - reached.begin())) +
               " cannot be reached from node " + text_of(0));
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

namespace {

void add_graphs(const MachineSpec& machine, Digest& digest) {
  for (const MachineSpec& factor : machine.factors) add_graphs(factor, digest);
  if (!machine.graph) return;
  const Graph& graph = *machine.graph;
  digest.add(std::uint64_t{graph.nodes()});
  for (Rank node = 0; node < graph.nodes(); ++node) {
    digest.add(std::uint64_t{graph.degree(node)});
    for (Port port = 0; port < graph.degree(node); ++port) {
      digest.add(std::uint64_t{graph.neighbour(node, port).rank});
      digest.add(std::uint64_t{graph.multiplicity(node, port)});
    }
  }
}

}  // namespace

std::string graph_digest(const MachineSpec& machine) {
  Digest digest;
  add_graphs(machine, digest);
  return digest.value() == Digest().value() ? "" : digest.text();
}

}  // namespace lockstep
