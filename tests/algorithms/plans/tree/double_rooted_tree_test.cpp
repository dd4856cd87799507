// The double-rooted binary tree of the d-cube (mukherjee.md, Double-rooted tree), found by every node on its own,
// against two views of the whole tree: its required shape, and the merging of two trees into one of the next larger
// cube, on a list of edges.
#include "lockstep/machines/double_rooted_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace lockstep::double_rooted_tree_test {
namespace {

constexpr Port largest = 12;

using Edge = std::pair<Rank, Rank>;
using Edges = std::set<Edge>;

Edge edge(Rank a, Rank b) { return {std::min(a, b), std::max(a, b)}; }

Rank bit(Rank address, Port place) { return address >> place & 1U; }

// The tree as a list of edges, its root at 0, by merging (mukherjee.md, Double-rooted tree).
Edges merged_tree(Port d) {
  if (d == 0) return {};
  if (d == 1) return {{0, 1}};
  if (d == 2) return {{0, 1}, {0, 2}, {2, 3}};
  if (d == 3) return {{0, 1}, {0, 4}, {1, 3}, {1, 5}, {4, 6}, {6, 7}, {2, 6}};
  const Port q = d - 1;
  const Rank high = Rank{1} << q;
  const auto ft3 = [](Rank x) { return (x & ~Rank{7}) | (bit(x, 0) ^ 1U) << 2 | bit(x, 2) << 1 | bit(x, 1); };
  const auto bt3 = [q](Rank x) {
    const Rank others = x & ~(Rank{5} | Rank{1} << q);
    return others | bit(x, 0) << q | bit(x, q) << 2 | (bit(x, 2) ^ 1U);
  };
  Edges both;
  for (const auto& [a, b] : merged_tree(q)) {
    both.insert(edge(a, b));
    both.insert(edge(ft3(a) | high, ft3(b) | high));
  }
  // The lower tree loses the edge from its spacer 100 downwards, the upper one that from its root 100 to the other
  // side; three edges across bit q join the separated parts.
  EXPECT_EQ(both.erase(edge(0b100, 0b110)), 1U);
  EXPECT_EQ(both.erase(edge(high | 0b000, high | 0b100)), 1U);
  for (const Rank low : {0b000U, 0b100U, 0b110U}) both.insert(edge(low, high | low));
  Edges merged;
  for (const auto& [a, b] : both) merged.insert(edge(bt3(a), bt3(b)));
  return merged;
}

// The whole tree, collected from its nodes.
struct Told {
  std::map<Rank, Rank> parent;
  std::map<Rank, std::set<Rank>> children;
  Edges edges;
};

Told told_tree(Port d) {
  Told told;
  for (Rank node = 0; node < Rank{1} << d; ++node) {
    const Relations rel = double_rooted_relations(d, node);
    for (Port port = 0; port < rel.size(); ++port) {
      if (port >= d) {
        EXPECT_EQ(rel[port], Relation::none) << "node " << node << " port " << port;
        continue;
      }
      const Rank other = node ^ Rank { 1 } << port;
      if (rel[port] == Relation::child) told.children[node].insert(other);
      if (rel[port] == Relation::parent) {
        EXPECT_TRUE(told.parent.emplace(node, other).second) << "node " << node << " has two parents";
        told.edges.insert(edge(node, other));
      }
    }
  }
  return told;
}

// Whether the subtree below the node is a complete binary tree of the given levels.
bool is_complete(const Told& told, Rank node, Port levels) {
  const auto found = told.children.find(node);
  if (levels == 0) return false;
  if (levels == 1) return found == told.children.end();
  if (found == told.children.end() || found->second.size() != 2) return false;
  return is_complete(told, *found->second.begin(), levels - 1) &&
         is_complete(told, *found->second.rbegin(), levels - 1);
}

Port distance_to_root(const Told& told, Rank node) {
  Port distance = 0;
  for (; node != 0 && distance <= largest; ++distance) node = told.parent.at(node);
  return distance;
}

class DoubleRootedTreeOf : public testing::TestWithParam<Port> {};

TEST_P(DoubleRootedTreeOf, LinksAreParentAtOneEndAndChildAtTheOther) {
  const Told told = told_tree(GetParam());
  EXPECT_EQ(told.parent.count(0), 0U);
  EXPECT_EQ(told.parent.size(), (std::size_t{1} << GetParam()) - 1) << "all but the root have a parent";
  std::size_t children = 0;
  for (const auto& [node, below] : told.children) {
    children += below.size();
    for (const Rank child : below) EXPECT_EQ(told.parent.at(child), node);
  }
  EXPECT_EQ(children, told.parent.size());
}

TEST_P(DoubleRootedTreeOf, SpansTheCubeWithDepthD) {
  const Told told = told_tree(GetParam());
  Port depth = 0;
  for (Rank node = 0; node < Rank{1} << GetParam(); ++node) depth = std::max(depth, distance_to_root(told, node));
  EXPECT_EQ(depth, GetParam());
}

TEST_P(DoubleRootedTreeOf, IsCompleteButForTheSpacer) {
  const Port d = GetParam();
  Told told = told_tree(d);
  if (d == 0) return;
  const Rank spacer = d == 1 ? 1 : d == 2 ? 2 : 4;  // mukherjee.md, Double-rooted tree: 1, 2, and node 4 from d = 3 on
  ASSERT_EQ(told.parent.at(spacer), 0U);
  // Without the spacer, its child belongs to the root.
  told.children[0].erase(spacer);
  if (d > 1) {
    ASSERT_EQ(told.children.at(spacer).size(), 1U);
    told.children[0].insert(*told.children.at(spacer).begin());
  }
  told.children.erase(spacer);
  if (told.children.at(0).empty()) told.children.erase(0);
  EXPECT_TRUE(is_complete(told, 0, d));
}

TEST_P(DoubleRootedTreeOf, IsTheTreeThatMergingMakes) {
  EXPECT_EQ(told_tree(GetParam()).edges, merged_tree(GetParam()));
}

TEST_P(DoubleRootedTreeOf, TableSaysTheSameAndPutsTheDeeperSideFirst) {
  const Port d = GetParam();
  const Told told = told_tree(d);
  const DoubleRootedTree tree(d);
  ASSERT_EQ(tree.nodes(), Rank{1} << d);
  const std::function<Port(Rank)> height = [&](Rank node) {
    Port most = 0;
    const auto found = told.children.find(node);
    if (found == told.children.end()) return most;
    for (const Rank child : found->second) most = std::max(most, 1 + height(child));
    return most;
  };
  for (Rank node = 0; node < tree.nodes(); ++node) {
    EXPECT_EQ(tree.is_root(node), node == 0);
    if (node != 0) {
      EXPECT_EQ(node ^ Rank{1} << tree.parent(node), told.parent.at(node));
      EXPECT_FALSE(tree.is_child(node, tree.parent(node)));
    }
    EXPECT_EQ(tree.depth(node), distance_to_root(told, node));
    std::set<Rank> children;
    std::vector<Port> heights;
    for (const Port port : tree.children(node)) {
      EXPECT_TRUE(tree.is_child(node, port));
      children.insert(node ^ Rank{1} << port);
      heights.push_back(height(node ^ Rank{1} << port));
    }
    const auto found = told.children.find(node);
    EXPECT_EQ(children, found == told.children.end() ? std::set<Rank>{} : found->second);
    EXPECT_TRUE(std::is_sorted(heights.rbegin(), heights.rend())) << "node " << node;
  }
}

INSTANTIATE_TEST_SUITE_P(Cubes, DoubleRootedTreeOf, testing::Range(Port{0}, largest + 1));

// mukherjee.md, Double-rooted tree, small cubes and kinds of node.
TEST(DoubleRootedTree, IsThePrintedOneFor3) {
  const Edges printed{{0, 1}, {0, 4}, {1, 3}, {1, 5}, {4, 6}, {6, 7}, {2, 6}};
  EXPECT_EQ(told_tree(3).edges, printed);
}

TEST(DoubleRootedTree, BroadcastStepsWithOnePort) {
  // mukherjee.md, Double-rooted tree: d for d <= 1, 2(d-1) for d >= 2
  const std::vector<std::uint64_t> b1{0, 1, 2, 4, 6, 8, 10};
  for (Port d = 0; d < b1.size(); ++d) EXPECT_EQ(one_port_steps(d), b1[d]);
}

// The largest cube that a machine of 2^20 processors needs: each node has its parent in the cube, and the path to the
// root ends.
TEST(DoubleRootedTree, HoldsFor20Dimensions) {
  const DoubleRootedTree tree(20);
  std::uint64_t children = 0;
  Port deepest = 0;
  for (Rank node = 0; node < tree.nodes(); ++node) {
    for (const Port port : tree.children(node)) {
      const Rank child = node ^ Rank { 1 } << port;
      ASSERT_EQ(tree.parent(child), port);
      ASSERT_EQ(tree.depth(child), tree.depth(node) + 1);
      deepest = std::max(deepest, tree.depth(child));
      ++children;
    }
  }
  EXPECT_EQ(children, tree.nodes() - 1);
  EXPECT_EQ(deepest, 20U);
}

}  // namespace
}  // namespace lockstep::double_rooted_tree_test
