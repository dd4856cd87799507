#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// The role of a node's port in the tree.
enum class Relation : std::uint8_t {
  none,    ///< a link outside the tree
  parent,  ///< towards the root
  child    ///< towards a subtree
};

/// The relations of one node of a d-cube: entry p is that of port p; those from d on are none.
using Relations = std::array<Relation, 32>;

/// The node's place in the double-rooted binary tree of the d-cube, computed from its address alone in O(d), as the
/// nodes of the machine would do it (mukherjee.md, Double-rooted tree, set-up). d is at most 31.
Relations double_rooted_relations(Port dimensions, Rank node);

/// The double-rooted binary tree of the d-cube (mukherjee.md, Double-rooted tree): a spanning tree of depth d with root
/// 0. It is a complete binary tree of d levels, 2^d - 1 nodes, with one more node, the spacer, on the edge from the
/// root to one of its children. Ports are the cube's: port p flips bit p.
///
///     d = 3:   0 --p0-- 1 --p1-- 3
///              |        +---p2-- 5
///              p2
///              |
///              4 --p1-- 6 --p0-- 7        4 is the spacer
///                       +---p2-- 2
class DoubleRootedTree {
 public:
  /// The table of all 2^d nodes; d is at most 31.
  explicit DoubleRootedTree(Port dimensions);

  /// 2^d.
  Rank nodes() const { return static_cast<Rank>(nodes_.size()); }
  /// Whether it is node 0, from which the tree was grown.
  bool is_root(Rank node) const { return node == 0; }
  /// Port to the parent. The node must not be the root.
  Port parent(Rank node) const { return nodes_[node].parent; }
  /// Ports to the children, none to two: first that of the deeper subtree, among equals the lower port.
  std::span<const std::uint8_t> children(Rank node) const {
    return std::span(nodes_[node].children).first(nodes_[node].child_count);
  }
  /// Whether the port leads to a child of the node.
  bool is_child(Rank node, Port port) const;
  /// Links between the node and the root.
  Port depth(Rank node) const { return nodes_[node].depth; }

  /// Bytes that a table of this many nodes keeps.
  static std::uint64_t bytes(std::uint64_t nodes) { return nodes * sizeof(Node); }

 private:
  struct Node {
    std::uint8_t parent = 0;
    std::array<std::uint8_t, 2> children{};
    std::uint8_t child_count = 0;
    std::uint8_t depth = 0;
  };

  std::uint8_t order_children(Rank address, std::uint8_t depth);

  std::vector<Node> nodes_;
};

/// Steps of a broadcast over the tree of the d-cube if a node serves one child per step, the deeper side first: B1(d).
constexpr std::uint64_t one_port_steps(Port dimensions) {
  return dimensions <= 1 ? dimensions : 2 * (std::uint64_t{dimensions} - 1);
}

}  // namespace lockstep
