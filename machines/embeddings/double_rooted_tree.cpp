#include "lockstep/machines/double_rooted_tree.hpp"

#include <algorithm>
#include <utility>

#include "lockstep/machines/hypercube.hpp"

namespace lockstep {
namespace {

using enum Relation;

void set_bit(Rank& address, Port place, bool value) {
  address = (address & ~(Rank{1} << place)) | (Rank{value} << place);
}

// A node during the merges: its address in the current tree, and the roles of its ports there.
struct NodeLabel {
  Rank address = 0;
  Relations rel{};

  bool bit(Port place) const { return has_bit(address, place); }

  // FT3 on bits (2,1,0): new2 = not old0, new1 = old2, new0 = old1; the relations move with the bits.
  void apply_ft3() {
    const NodeLabel old = *this;
    set_bit(address, 2, !old.bit(0));
    set_bit(address, 1, old.bit(2));
    set_bit(address, 0, old.bit(1));
    rel[2] = old.rel[0];
    rel[1] = old.rel[2];
    rel[0] = old.rel[1];
  }

  // BT3 on bits (q,2,0): newq = old0, new2 = oldq, new0 = not old2; the relations move with the bits.
  void apply_bt3(Port q) {
    const NodeLabel old = *this;
    set_bit(address, q, old.bit(0));
    set_bit(address, 2, old.bit(q));
    set_bit(address, 0, !old.bit(2));
    rel[q] = old.rel[0];
    rel[2] = old.rel[q];
    rel[0] = old.rel[2];
  }

  // The inverses, for the address only.
  void revert_ft3() {
    const NodeLabel old = *this;
    set_bit(address, 0, !old.bit(2));
    set_bit(address, 2, old.bit(1));
    set_bit(address, 1, old.bit(0));
  }
  void revert_bt3(Port q) {
    const NodeLabel old = *this;
    set_bit(address, 0, old.bit(q));
    set_bit(address, q, old.bit(2));
    set_bit(address, 2, !old.bit(0));
  }
};

// The trees that the merges start from.
constexpr Relation relations_1[2][1] = {{child}, {parent}};
constexpr Relation relations_2[4][2] = {{child, child}, {parent, none}, {child, parent}, {parent, none}};
constexpr Relation relations_3[8][3] = {
    {child, none, child},    // 0: 1 and the spacer 4
    {parent, child, child},  // 1: 3 and 5
    {none, none, parent},    // 2
    {none, parent, none},    // 3
    {none, child, parent},   // 4: 6
    {none, none, parent},    // 5
    {child, parent, child},  // 6: 7 and 2
    {parent, none, none},    // 7
};

template <std::size_t Nodes, std::size_t Ports>
Relations row(const Relation (&table)[Nodes][Ports], Rank node) {
  Relations rel{};
  std::copy_n(table[node], Ports, rel.begin());
  return rel;
}

// Merges two trees across bit q: only the nodes at and beside the two roots change (mukherjee.md, Double-rooted tree).
void merge(NodeLabel& node, Port q) {
  if (node.bit(q)) node.apply_ft3();
  const Rank between = ((Rank{1} << q) - 1) & ~Rank{7};  // bits 3 .. q-1
  if ((node.address & between) == 0) {
    Relations& rel = node.rel;
    switch ((node.bit(q) ? 0b1000U : 0U) | (node.address & 0b111U)) {
      case 0b0000:
        rel[2] = parent;
        rel[q] = child;
        break;
      case 0b0100:
        rel[2] = child;
        rel[q] = child;
        rel[1] = none;
        break;
      case 0b0110:
        rel[1] = none;
        rel[q] = parent;
        break;
      case 0b1000:
      case 0b1100:
        rel[2] = none;
        rel[q] = parent;
        break;
      case 0b1110:
        rel[q] = child;
        break;
      default:
        break;
    }
  }
  node.apply_bt3(q);
}

}  // namespace

Relations double_rooted_relations(Port dimensions, Rank node) {
  if (dimensions == 0) return {};
  if (dimensions == 1) return row(relations_1, node);
  if (dimensions == 2) return row(relations_2, node);

  NodeLabel label{node};
  for (Port q = dimensions - 1; q >= 3; --q) {  // find the place in the 3-cube
    label.revert_bt3(q);
    if (label.bit(q)) label.revert_ft3();
  }
  label.rel = row(relations_3, label.address & 0b111U);
  for (Port q = 3; q < dimensions; ++q) merge(label, q);
  return label.rel;
}

DoubleRootedTree::DoubleRootedTree(Port dimensions) : nodes_(std::size_t{1} << dimensions) {
  for (Rank address = 0; address < nodes(); ++address) {
    const Relations rel = double_rooted_relations(dimensions, address);
    Node& node = nodes_[address];
    for (Port port = 0; port < dimensions; ++port) {
      if (rel[port] == Relation::parent) node.parent = static_cast<std::uint8_t>(port);
      if (rel[port] == Relation::child) node.children.at(node.child_count++) = static_cast<std::uint8_t>(port);
    }
  }
  order_children(0, 0);
}

bool DoubleRootedTree::is_child(Rank node, Port port) const {
  return std::ranges::find(children(node), port) != children(node).end();
}

// Puts the child of the deeper subtree first, everywhere below the node; returns the height of the node's subtree.
std::uint8_t DoubleRootedTree::order_children(Rank address, std::uint8_t depth) {
  Node& node = nodes_[address];
  node.depth = depth;
  std::array<std::uint8_t, 2> heights{};
  for (std::size_t index = 0; index < node.child_count; ++index) {
    const Rank below = address ^ (Rank{1} << node.children[index]);
    heights[index] = static_cast<std::uint8_t>(1 + order_children(below, static_cast<std::uint8_t>(depth + 1)));
  }
  if (heights[1] > heights[0]) std::swap(node.children[0], node.children[1]);
  return std::max(heights[0], heights[1]);
}

}  // namespace lockstep
