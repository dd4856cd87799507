#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/machine_spec.hpp"

// The tree that the methods for any connected machine use (any-graph.md, Tree).
namespace lockstep::bfs {

/// A breadth-first tree of a connected machine: every node is a child of the first that finds it, where nodes search in
/// the order in which they were found, through their ports in order. So every node is as far from the root in the tree
/// as on the machine. Nodes are ranks. Immutable while programs read it.
///
/// Children are in the order in which a one-port broadcast serves them: first those whose subtrees need most steps,
/// among equals those of the lower port. No other order takes fewer steps on this tree.
class Tree {
 public:
  /// A search from the root. Takes time and memory in proportion to the processors times their ports. Throws
  /// std::logic_error if the machine is not connected.
  Tree(const MachineSpec& machine, Rank root);

  Rank nodes() const { return static_cast<Rank>(nodes_.size()); }
  Rank root() const { return members_.front(); }
  /// Port to the parent, and the parent; the root has none.
  Port parent_port(Rank node) const { return nodes_[node].parent_port; }
  Rank parent(Rank node) const { return nodes_[node].parent; }
  /// Ports to the children, and the children, in the order in which they are served.
  std::span<const Port> ports(Rank node) const {
    return std::span(ports_).subspan(nodes_[node].first_child, nodes_[node].children);
  }
  std::span<const Rank> children(Rank node) const {
    return std::span(children_).subspan(nodes_[node].first_child, nodes_[node].children);
  }
  /// Links from the root, and from it to the farthest node.
  Rank depth(Rank node) const { return nodes_[node].depth; }
  Rank height() const { return height_; }
  /// Steps from when the node has an item until its whole subtree has it, with one port.
  Rank need(Rank node) const { return nodes_[node].need; }
  /// The nodes of its subtree, itself first; those of every subtree within are contiguous.
  std::span<const Rank> members(Rank node) const {
    return std::span(members_).subspan(nodes_[node].place, nodes_[node].size);
  }
  /// The number of these nodes.
  Rank size(Rank node) const { return nodes_[node].size; }
  /// Whether a node is in the subtree of another.
  bool is_below(Rank node, Rank top) const { return nodes_[node].place - nodes_[top].place < nodes_[top].size; }

  /// Steps of a broadcast in which a node serves all its children at once or one a step.
  Cycle steps(bool at_once) const { return at_once ? height_ : need(root()); }
  /// The most children of a node other than the root.
  Rank most_children_below_root() const { return most_children_below_root_; }
  /// When each node has the item, from 0 at the root, in such a broadcast.
  std::vector<Cycle> arrivals(bool at_once) const;

  /// Bytes that it takes, at most.
  static Wide bytes(const MachineSpec& machine);

 private:
  struct Node {
    Port parent_port = 0;
    Rank parent = no_rank;
    Rank first_child = 0;
    Rank children = 0;
    Rank depth = 0;
    Rank need = 0;
    Rank size = 1;
    Rank place = 0;  // among the members of the root
  };

  void search(const Topology::Wiring& end, Port ports, Rank root);
  void order_children(Rank node);

  std::vector<Node> nodes_;
  std::vector<Port> ports_;
  std::vector<Rank> children_;
  std::vector<Rank> members_;  // while it is built: in the order in which they were found
  Rank height_ = 0;
  Rank most_children_below_root_ = 0;
};

/// The tree, which the next calls return again: predictions ask for the same one at many sizes.
std::shared_ptr<const Tree> kept_tree(const MachineSpec& machine, Rank root);
/// The tree from the middle of the machine, kept likewise.
std::shared_ptr<const Tree> kept_tree_from_middle(const MachineSpec& machine);

/// A processor in the middle of the machine, found with sixteen landmarks, or fewer where there are no more processors:
/// the first is farthest from rank 0, each further one farthest from those before it. In the middle is the processor
/// whose farthest landmark is nearest; among several, the one with the least sum of distances to them, then the lowest
/// rank. On a tree none is nearer to the processor farthest from it.
struct Middle {
  Rank rank;
  Rank distance;  ///< the greatest from a landmark to its farthest processor; the diameter is no less
};
Middle middle(const MachineSpec& machine);

/// A cut between the processors at most a given number of links from a root and those farther away.
struct Level {
  std::uint64_t beyond;  ///< processors that are farther away
  std::uint64_t links;   ///< across the cut
};
/// The cuts around a root, at 0 links, 1 link, .. from it, as long as there are processors beyond.
std::vector<Level> levels(const MachineSpec& machine, const Tree& tree);

/// The fewest links of a processor.
std::uint64_t degree_min(const MachineSpec& machine);

/// Whether the machine is small enough to be searched for a prediction.
inline bool is_searched(const MachineSpec& machine) {
  constexpr std::uint64_t most_processors = std::uint64_t{1} << 22;
  constexpr std::uint64_t most_ends = std::uint64_t{1} << 27;  // of links
  return machine.processors <= most_processors && machine.processors * machine.ports <= most_ends;
}

}  // namespace lockstep::bfs
