#pragma once

#include "lockstep/machines/hypercube.hpp"
#include "plans/tree/group_tree.hpp"
#include "scatter_schedule.hpp"

namespace lockstep::scatter {

/// Scatters to the members of a group, down the tree that leads to them: a node serves one child a step, and sends it
/// the blocks of the members in its branch at once (saad-schultz-1985.md, Subgroups).
class GroupScatter : public ScatterSchedule {
 public:
  GroupScatter(const MachineSpec& machine, Rank root, const method::Group& group)
      : dimensions_(static_cast<Port>(machine.ports)), root_(root), tree_(tree::group_tree(machine, root, group)) {}

  Cycle steps() const override { return tree_.one_port_steps; }

  std::uint64_t moves(Rank rank) const override {
    const Rank node = rank ^ root_;
    return (receives(node) ? 1 : 0) + tree_.schedule.children(node).size();
  }

  ScatterMove move(Rank rank, std::uint64_t index) const override {
    const Rank node = rank ^ root_;
    if (receives(node) && index == 0) return message(node, tree_.one_port_at[node] - 1, false);
    const std::uint64_t child = index - (receives(node) ? 1 : 0);
    const Port dimension = tree_.schedule.children(node)[child];
    return message(node | Rank{1} << dimension, tree_.one_port_at[node] + child, true);
  }

 private:
  bool receives(Rank node) const { return tree_.schedule.parent(node) != TreeSchedule::no_port; }

  /// The message with the blocks of the node's branch: of the addresses that agree with its low bits.
  ScatterMove message(Rank node, Cycle step, bool sends) const {
    const Port last = highest_bit(node);
    const Rank stride = Rank{2} << last;
    const Ranks branch{
        .first = (node ^ root_) & (stride - 1), .stride = stride, .count = Rank{1} << (dimensions_ - 1 - last)};
    return {.step = step, .port = last, .sends = sends, .blocks = branch, .number = tree_.members[node]};
  }

  Port dimensions_;
  Rank root_;
  tree::GroupTree tree_;
};

}  // namespace lockstep::scatter
