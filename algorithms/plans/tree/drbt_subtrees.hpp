#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/algorithms/tree_schedule.hpp"
#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"

namespace lockstep::tree {

/// The nodes of every subtree of a tree, as a run of places: those in preorder, children in the order of service.
class SubtreeRuns {
 public:
  /// `machine` is the machine that the schedule spans.
  SubtreeRuns(const TreeSchedule& schedule, const Topology& machine);

  /// Nodes of the subtree, its root included.
  Rank size(Rank root) const { return size_[root]; }
  /// Whether the node is in the subtree.
  bool has(Rank root, Rank node) const { return place_[node] - place_[root] < size_[root]; }

  static std::uint64_t bytes(std::uint64_t nodes) { return nodes * 3 * sizeof(Rank); }

 private:
  std::vector<Rank> place_;
  std::vector<Rank> size_;
};

/// The messages down the tree of RH(k,n) where every node receives, in one message, a block for each node of its
/// subtree (mukherjee.md, Scatter and gather).
struct SubtreeMessages {
  std::vector<Wide> longest;  ///< blocks of the longest message of every step
  Wide hops = 0;              ///< links crossed by all blocks together
};

/// For nodes that serve all their children at once, or one a step, the longest subtree first. Takes time and memory for
/// the 2^(n+2^n) nodes of one layer.
SubtreeMessages subtree_messages(const ReducedHypercube& rh, bool at_once);

}  // namespace lockstep::tree
