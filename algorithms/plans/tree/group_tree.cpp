#include "group_tree.hpp"

#include <algorithm>
#include <bit>

#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::tree {

GroupTree group_tree(const MachineSpec& machine, Rank root, const method::Group& group) {
  const auto processors = static_cast<Rank>(machine.processors);
  GroupTree tree{TreeSchedule(processors), std::vector<Rank>(processors), std::vector<Rank>(processors)};
  for (const Rank member : group.members()) {
    Rank node = member ^ root;
    tree.depth = std::max<std::uint64_t>(tree.depth, one_bits(node));
    for (++tree.members[node]; node != 0; ++tree.members[node]) node ^= std::bit_floor(node);  // up to the root, 0
  }
  std::vector<Port> children;
  for (Rank node = 0; node < processors; ++node) {
    const bool is_on_tree = tree.members[node] > 0;
    if (is_on_tree) ++tree.nodes;
    children.clear();
    for (Port dimension = width(node); is_on_tree && dimension < machine.ports; ++dimension) {
      if (tree.members[node | Rank{1} << dimension] > 0) children.push_back(dimension);
    }
    tree.schedule.add(node == 0 || !is_on_tree ? TreeSchedule::no_port : highest_bit(node), children);
  }
  tree.one_port_steps = tree.schedule.serve_longest_first(build(machine));
  for (Rank node = 0; node < processors; ++node) {  // parents have lower addresses
    Rank step = tree.one_port_at[node];
    for (const Port dimension : tree.schedule.children(node)) tree.one_port_at[node | Rank{1} << dimension] = ++step;
  }
  return tree;
}

}  // namespace lockstep::tree
