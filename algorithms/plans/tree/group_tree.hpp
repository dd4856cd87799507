#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/tree_schedule.hpp"
#include "method/group.hpp"

namespace lockstep::tree {

/// The spanning binomial tree of a cube without the branches that have no member of a group (saad-schultz-1985.md,
/// Subgroups). Nodes are addresses relative to the root; those that are not in the tree have no children.
struct GroupTree {
  TreeSchedule schedule;          ///< with one port the children whose branches take longest are served first
  std::vector<Rank> members;      ///< of the group in the branch of every node; 0 if it is not in the tree
  std::vector<Rank> one_port_at;  ///< the step in which a node may serve its first child, with one port
  std::uint64_t nodes = 0;        ///< in the tree
  std::uint64_t depth = 0;        ///< the distance of the farthest member
  std::uint64_t one_port_steps = 0;

  /// Bytes for a cube of `processors` processors, those of its construction included.
  static std::uint64_t bytes(std::uint64_t processors) {
    return TreeSchedule::bytes(processors) + processors * 3 * sizeof(Rank);
  }
};

/// `root` must be in the group.
GroupTree group_tree(const MachineSpec& machine, Rank root, const method::Group& group);

}  // namespace lockstep::tree
