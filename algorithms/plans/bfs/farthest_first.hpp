#pragma once

#include <vector>

#include "balanced_tree.hpp"

namespace lockstep::bfs {

/// When the block of every node leaves the root of a scatter down a tree, that for the farthest first: with one port
/// they leave one after the other; at once, those of a branch do. Every node sends a block on in the next step, so that
/// no two are at one place.
class Departures {
 public:
  Departures(const BalancedTree& tree, bool at_once);

  Cycle at(Rank node) const { return leaves_[node]; }
  /// The nodes other than the root, in the order in which their blocks leave.
  const std::vector<Rank>& order() const { return order_; }
  Cycle steps() const { return steps_; }
  /// Links that all blocks cross.
  Wide hops() const { return hops_; }

 private:
  std::vector<Cycle> leaves_;
  std::vector<Rank> order_;
  Cycle steps_ = 0;
  Wide hops_ = 0;
};

}  // namespace lockstep::bfs
