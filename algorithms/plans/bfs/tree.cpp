#include "tree.hpp"

#include <algorithm>
#include <limits>
#include <ranges>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "lockstep/machines/topologies.hpp"
#include "method/kept_by_machine.hpp"

namespace lockstep::bfs {

Tree::Tree(const MachineSpec& machine, Rank root) : nodes_(machine.processors) {
  search(wiring(machine), static_cast<Port>(machine.ports), root);
  for (const Rank node : members_ | std::views::reverse) order_children(node);
  height_ = depth(members_.back());
  // From the order of discovery to that of subtrees.
  for (const Rank node : members_) {
    Rank place = nodes_[node].place + 1;
    for (const Rank child : children(node)) {
      nodes_[child].place = place;
      place += nodes_[child].size;
    }
  }
  for (Rank node = 0; node < nodes(); ++node) {
    members_[nodes_[node].place] = node;
    if (node != root) most_children_below_root_ = std::max(most_children_below_root_, nodes_[node].children);
  }
}

void Tree::search(const Topology::Wiring& end, Port ports, Rank root) {
  members_.reserve(nodes_.size());
  members_.push_back(root);
  std::vector<bool> found(nodes_.size());
  found[root] = true;
  for (std::size_t next = 0; next < members_.size(); ++next) {
    const Rank rank = members_[next];
    Node& node = nodes_[rank];
    node.first_child = static_cast<Rank>(children_.size());
    for (Port port = 0; port < ports; ++port) {
      const End there = end(rank, port);
      if (!there || found[there.rank]) continue;
      found[there.rank] = true;
      nodes_[there.rank] = {.parent_port = there.port, .parent = rank, .depth = node.depth + 1};
      ports_.push_back(port);
      children_.push_back(there.rank);
      members_.push_back(there.rank);
    }
    node.children = static_cast<Rank>(children_.size()) - node.first_child;
  }
  if (members_.size() != nodes_.size()) throw std::logic_error("a machine that is not connected");
}

// Its children have been ordered. If two neighbours in the order are served the other way round, the one with the
// greater need is done later than it was, and no earlier than either was: so no order beats the greatest need first.
void Tree::order_children(Rank rank) {
  Node& node = nodes_[rank];
  std::vector<std::tuple<Rank, Port, Rank>> served;  // sorts those that need most first
  for (Rank index = 0; index < node.children; ++index) {
    const Rank child = children_[node.first_child + index];
    served.emplace_back(std::numeric_limits<Rank>::max() - need(child), ports_[node.first_child + index], child);
    node.size += nodes_[child].size;
  }
  std::ranges::sort(served);
  for (Rank index = 0; index < node.children; ++index) {
    const auto& [order, port, child] = served[index];
    ports_[node.first_child + index] = port;
    children_[node.first_child + index] = child;
    node.need = std::max(node.need, index + 1 + need(child));
  }
}

std::vector<Cycle> Tree::arrivals(bool at_once) const {
  std::vector<Cycle> arrived(nodes_.size());
  for (const Rank node : members_) {
    Cycle step = arrived[node];
    for (const Rank child : children(node)) arrived[child] = at_once ? arrived[node] + 1 : ++step;
  }
  return arrived;
}

Wide Tree::bytes(const MachineSpec& machine) {
  // A list that has grown may have room for twice as many.
  return Wide{machine.processors} * (sizeof(Node) + 2 * sizeof(Port) + 2 * sizeof(Rank) + sizeof(Rank) + sizeof(Cycle));
}

namespace {

method::KeptByMachine<Tree>& kept_trees() {
  static method::KeptByMachine<Tree> trees;
  return trees;
}

}  // namespace

std::shared_ptr<const Tree> kept_tree(const MachineSpec& machine, Rank root) {
  return kept_trees().find(machine, root, [&] { return Tree(machine, root); });
}

std::shared_ptr<const Tree> kept_tree_from_middle(const MachineSpec& machine) {
  return kept_trees().find(machine, no_rank, [&] { return Tree(machine, middle(machine).rank); });
}

Middle middle(const MachineSpec& machine) {
  constexpr int landmarks = 16;
  struct DistanceSums {
    Rank least = no_rank;
    Rank most = 0;
    std::uint64_t sum = 0;
  };
  const auto ranks = std::views::iota(Rank{0}, static_cast<Rank>(machine.processors));
  const Tree first(machine, 0);
  Rank landmark = *std::ranges::max_element(ranks, {}, [&](Rank rank) { return first.depth(rank); });
  Rank distance = 0;
  std::vector<DistanceSums> to(machine.processors);
  for (int count = 0; count < landmarks && to[landmark].least > 0; ++count) {
    const Tree tree(machine, landmark);
    for (const Rank rank : ranks) {
      to[rank].least = std::min(to[rank].least, tree.depth(rank));
      to[rank].most = std::max(to[rank].most, tree.depth(rank));
      to[rank].sum += tree.depth(rank);
    }
    distance = std::max(distance, tree.height());
    landmark = *std::ranges::max_element(ranks, {}, [&](Rank rank) { return to[rank].least; });
  }
  return {*std::ranges::min_element(ranks, {}, [&](Rank rank) { return std::pair(to[rank].most, to[rank].sum); }),
          distance};
}

std::vector<Level> levels(const MachineSpec& machine, const Tree& tree) {
  std::vector<Level> levels(tree.height(), {0, 0});
  const Wiring end = wiring(machine);
  for (Rank node = 0; node < tree.nodes(); ++node) {
    const Rank depth = tree.depth(node);
    if (depth > 0) ++levels[depth - 1].beyond;
    for (Port port = 0; port < machine.ports; ++port) {
      const End there = end(node, port);
      if (there && tree.depth(there.rank) > depth) ++levels[depth].links;
    }
  }
  for (std::size_t level = levels.size(); level > 1; --level) levels[level - 2].beyond += levels[level - 1].beyond;
  return levels;
}

std::uint64_t degree_min(const MachineSpec& machine) {
  const Wiring end = wiring(machine);
  std::uint64_t fewest = machine.ports;
  for (Rank node = 0; node < machine.processors; ++node) {
    std::uint64_t links = 0;
    for (Port port = 0; port < machine.ports; ++port) links += end(node, port) ? 1 : 0;
    fewest = std::min(fewest, links);
  }
  return fewest;
}

}  // namespace lockstep::bfs
