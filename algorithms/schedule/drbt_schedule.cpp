#include "drbt_schedule.hpp"

#include <algorithm>
#include <array>

#include "lockstep/machines/double_rooted_tree.hpp"

namespace lockstep {
namespace {

// e(bb): the subblock in which the item enters a building block, 0 in block 0 (mukherjee.md, Entry and exit). Port m of
// the tree over the blocks is BB dimension m, and all links of that dimension lie in subblock m.
Rank entry(const DoubleRootedTree& blocks, Rank bb) { return blocks.is_root(bb) ? 0 : blocks.parent(bb); }

}  // namespace

TreeSchedule drbt_schedule_on_cube(Port v) {
  const DoubleRootedTree tree(v);
  TreeSchedule schedule(tree.nodes());
  std::vector<Port> children;
  for (Rank node = 0; node < tree.nodes(); ++node) {
    children.assign(tree.children(node).begin(), tree.children(node).end());
    schedule.add(tree.is_root(node) ? TreeSchedule::no_port : tree.parent(node), children);
  }
  return schedule;
}

TreeSchedule drbt_schedule(const ReducedHypercube& rh, const Topology& machine, ChildOrder order) {
  const Port c = rh.layer_dimensions();
  const DoubleRootedTree layers(c);
  const DoubleRootedTree blocks(rh.block_dimensions());
  const DoubleRootedTree subblocks(rh.n());

  TreeSchedule schedule(machine.processors());
  std::vector<Port> children;
  for (Rank x = 0; x < machine.processors(); ++x) {
    const Rank bb = rh.bb(x);
    const Rank from_entry = rh.sb(x) ^ entry(blocks, bb);  // place in the tree over the block's subblocks
    Port parent = TreeSchedule::no_port;
    children.clear();
    if (blocks.is_root(bb) && subblocks.is_root(from_entry)) {  // stage 1
      if (!layers.is_root(rh.lo(x))) parent = layers.parent(rh.lo(x));
      for (const Port port : layers.children(rh.lo(x))) children.push_back(port);
    } else {
      parent = subblocks.is_root(from_entry) ? rh.outer_port() : c + subblocks.parent(from_entry);
    }
    if (blocks.is_child(bb, rh.sb(x))) children.push_back(rh.outer_port());  // a node of exit
    for (const Port port : subblocks.children(from_entry)) children.push_back(c + port);
    schedule.add(parent, children);
  }
  if (order == ChildOrder::longest_first) schedule.serve_longest_first(machine);
  return schedule;
}

std::uint64_t stage_2_steps(unsigned n) {
  const DoubleRootedTree blocks(Port{1} << n);
  const DoubleRootedTree subblocks(n);
  // t(bb), when the item enters the block: filled in from the root, parents before children.
  std::vector<std::uint64_t> entered(blocks.nodes());
  std::vector<Rank> reached{0};
  reached.reserve(blocks.nodes());
  for (std::size_t index = 0; index < reached.size(); ++index) {
    const Rank bb = reached[index];
    for (const Port port : blocks.children(bb)) {
      const Rank below = bb ^ (Rank{1} << port);
      entered[below] = entered[bb] + subblocks.depth(port ^ entry(blocks, bb)) + 1;
      reached.push_back(below);
    }
  }
  return n + *std::ranges::max_element(entered);
}

Count drbt_steps(const ReducedHypercube& rh, bool at_once, ChildOrder order) {
  // One-port steps of stage 2, computed (mukherjee.md, Broadcast).
  constexpr std::array<std::uint64_t, 5> cross_first_stage_2{1, 6, 15, 44, 96};
  const unsigned n = rh.n();
  const Port c = rh.layer_dimensions();
  if (at_once) return {c + stage_2_steps(n), true, "(k-n) + T(n), T = 1, 5, 12, 32, 76 for n = 0 to 4"};
  const std::uint64_t stage_1 = one_port_steps(c);
  if (order == ChildOrder::cross_first) {
    return {stage_1 + cross_first_stage_2[n], false, "B1(k-n) + 1, 6, 15, 44, 96 for n = 0 to 4"};
  }
  if (n == 0) return {stage_1 + 1, true, "B1(k) + 1"};
  return {stage_1 + (n + 1) * (std::uint64_t{1} << n) + 1, true, "B1(k-n) + (n+1) 2^n + 1"};
}

std::uint64_t drbt_schedule_bytes(std::uint64_t processors) {
  return TreeSchedule::bytes(processors) + DoubleRootedTree::bytes(processors);
}

}  // namespace lockstep
