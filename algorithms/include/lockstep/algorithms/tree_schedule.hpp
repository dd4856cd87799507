#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// A rooted spanning tree of a machine as data (mukherjee.md, Broadcast): for every node the port that leads to its
/// parent and the ports that lead to its children, in the order in which they are served. The root is node 0; a run
/// from another root moves the origin, so that nodes are logical addresses while the ports stay. Immutable while
/// programs read it.
///
/// One integer array each for parents, children and where a node's children begin: 12 bytes a node.
class TreeSchedule {
 public:
  /// The result of parent() for the root.
  static constexpr Port no_port = ~Port{0};

  /// An empty schedule with room for `nodes` nodes, at least 1.
  explicit TreeSchedule(Rank nodes);

  /// Adds the next node, 0 first.
  void add(Port parent, std::span<const Port> children);
  /// Reorders the children of every node so that a one-port broadcast takes the fewest steps that this tree allows:
  /// those whose subtrees take longest come first, with equal ones by ascending port (mukherjee.md, Broadcast, longest
  /// first). `machine` is the machine that the schedule spans. Returns the steps.
  std::uint32_t serve_longest_first(const Topology& machine);

  /// When each node has the item, from 0 at the root, where a node serves all its children at once or one a step.
  std::vector<std::uint32_t> arrivals(const Topology& machine, bool at_once) const;

  /// The number of nodes.
  Rank nodes() const { return static_cast<Rank>(parents_.size()); }
  /// Port to the parent; the root has none.
  Port parent(Rank node) const { return parents_[node]; }
  /// Ports to the children, in the order in which they are served.
  std::span<const Port> children(Rank node) const {
    return std::span(children_).subspan(first_child_[node], first_child_[node + 1] - first_child_[node]);
  }

  /// Bytes that a schedule of `nodes` nodes keeps.
  static std::uint64_t bytes(std::uint64_t nodes) { return nodes * (2 * sizeof(Port) + sizeof(std::uint32_t)); }

 private:
  std::uint32_t serve_longest_first(const Topology& machine, Rank node);

  std::vector<Port> parents_;
  std::vector<Port> children_;
  std::vector<std::uint32_t> first_child_;  ///< one entry more than there are nodes
};

}  // namespace lockstep
