#pragma once

#include <vector>

#include "tree.hpp"

namespace lockstep::bfs {

/// A tree of shortest paths from a root whose branches, the subtrees of the root's children, are about equal. Level by
/// level from the root, every node joins the branch of one of its neighbours that are nearer to the root, so that the
/// largest branch grows by as little as possible. On the n-cube, n to 16 at least, the largest has ceil((2^n - 1)/n)
/// nodes: no tree has less. Immutable.
class BalancedTree {
 public:
  /// Takes time in proportion to the links, and to those of a level for each node that changes its branch for another
  /// one's sake. Throws std::logic_error if the machine is not connected.
  BalancedTree(const MachineSpec& machine, Rank root);

  Rank nodes() const { return static_cast<Rank>(nodes_.size()); }
  Rank root() const { return root_; }
  Rank depth(Rank node) const { return nodes_[node].depth; }
  /// The parent, the port that leads to it, and its port that leads back; the root has none.
  Rank parent(Rank node) const { return nodes_[node].parent; }
  Port parent_port(Rank node) const { return nodes_[node].parent_port; }
  Port port_from_parent(Rank node) const { return nodes_[node].port_from_parent; }
  /// The number of the branch, below branches(); not for the root.
  Rank branch(Rank node) const { return nodes_[node].branch; }
  Rank branches() const { return branches_; }

  /// Bytes that it takes, at most.
  static Wide bytes(const MachineSpec& machine);

 private:
  struct Node {
    Rank depth = no_rank;
    Rank branch = no_rank;
    Rank parent = no_rank;
    Port parent_port = 0;
    Port port_from_parent = 0;
  };
  struct Level;

  void attach(Level& level, std::vector<std::uint64_t>& sizes);

  std::vector<Node> nodes_;
  Rank root_;
  Rank branches_ = 0;
};

}  // namespace lockstep::bfs
