#include "lockstep/algorithms/tree_schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "lockstep/machines/topologies.hpp"

namespace lockstep::tree_schedule_test {
namespace {

std::vector<Port> children(const TreeSchedule& plan, Rank node) {
  return {plan.children(node).begin(), plan.children(node).end()};
}

TEST(TreeSchedule, OfOneNodeTakesNoStep) {
  TreeSchedule plan(1);
  plan.add(TreeSchedule::no_port, {});
  EXPECT_EQ(plan.nodes(), 1U);
  EXPECT_EQ(plan.parent(0), TreeSchedule::no_port);
  EXPECT_TRUE(plan.children(0).empty());
  EXPECT_EQ(plan.serve_longest_first(hypercube(0)), 0U);
}

// The binomial tree of the n-cube: a node's child over port p has the ports from p+1 on for its own children, so the
// deepest subtree is over the lowest port, and n steps are enough (saad-schultz-1985.md, Broadcast).
TEST(TreeSchedule, ServesABinomialTreeInNSteps) {
  for (Port n = 0; n <= 10; ++n) {
    SCOPED_TRACE(n);
    TreeSchedule plan(Rank{1} << n);
    for (Rank node = 0; node < Rank{1} << n; ++node) {
      Port highest = n;
      while (highest > 0 && (node >> (highest - 1) & 1U) == 0) --highest;
      std::vector<Port> longest_last;
      for (Port port = n; port > highest; --port) longest_last.push_back(port - 1);
      plan.add(node == 0 ? TreeSchedule::no_port : highest - 1, longest_last);
    }
    EXPECT_EQ(plan.serve_longest_first(hypercube(n)), n);
    for (Rank node = 0; node < plan.nodes(); ++node) {
      const std::vector<Port> served = children(plan, node);
      EXPECT_TRUE(std::is_sorted(served.begin(), served.end())) << "node " << node;
    }
  }
}

TEST(TreeSchedule, ServesEqualChildrenByPort) {
  TreeSchedule plan(4);  // a star: the complete graph of 4, node 0 with three leaves; port 0 of every leaf leads to it
  const std::vector<Port> to_leaves{2, 0, 1};
  plan.add(TreeSchedule::no_port, to_leaves);
  for (int leaf = 0; leaf < 3; ++leaf) plan.add(0, {});
  EXPECT_EQ(plan.serve_longest_first(complete(4)), 3U);
  EXPECT_EQ(children(plan, 0), (std::vector<Port>{0, 1, 2}));
}

// Steps of the one-port broadcast over the plan as it stands: the i-th child of a node holds the item i steps after it.
std::uint32_t steps(const TreeSchedule& plan, const Topology& machine, Rank node) {
  std::uint32_t last = 0;
  std::uint32_t step = 0;
  for (const Port port : plan.children(node)) {
    ++step;
    last = std::max(last, step + steps(plan, machine, machine.peer(node, port).rank));
  }
  return last;
}

// Fewest steps over all orders of all children.
std::uint32_t fewest_steps(const TreeSchedule& plan, const Topology& machine, Rank node) {
  std::vector<std::uint32_t> needs;
  for (const Port port : plan.children(node)) {
    needs.push_back(fewest_steps(plan, machine, machine.peer(node, port).rank));
  }
  std::sort(needs.begin(), needs.end());
  std::uint32_t fewest = needs.empty() ? 0 : ~std::uint32_t{0};
  do {
    std::uint32_t last = 0;
    for (std::uint32_t index = 0; index < needs.size(); ++index) last = std::max(last, index + 1 + needs[index]);
    fewest = std::min(fewest, last);
  } while (std::next_permutation(needs.begin(), needs.end()));
  return fewest;
}

TEST(TreeSchedule, LongestFirstIsTheBestOfAllOrders) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const Rank nodes = 2 + static_cast<Rank>(random() % 24);
    const Topology machine = complete(nodes);
    // A random tree of up to 5 children a node; any two nodes of the complete graph have a link.
    const auto port_to = [](Rank from, Rank to) { return to < from ? to : to - 1; };
    std::vector<Rank> parents(nodes);
    std::vector<std::vector<Port>> ports(nodes);
    for (Rank node = 1; node < nodes; ++node) {
      do parents[node] = static_cast<Rank>(random() % node);
      while (ports[parents[node]].size() == 5);
      ports[parents[node]].push_back(port_to(parents[node], node));
    }
    TreeSchedule plan(nodes);
    for (Rank node = 0; node < nodes; ++node) {
      plan.add(node == 0 ? TreeSchedule::no_port : port_to(node, parents[node]), ports[node]);
    }
    const std::uint32_t told = plan.serve_longest_first(machine);
    EXPECT_EQ(told, steps(plan, machine, 0));
    EXPECT_EQ(told, fewest_steps(plan, machine, 0));
    for (Rank node = 0; node < nodes; ++node) {
      std::vector<Port> served = children(plan, node);
      std::sort(served.begin(), served.end());
      std::sort(ports[node].begin(), ports[node].end());
      EXPECT_EQ(served, ports[node]) << "node " << node << " serves other children than it has";
    }
  }
}

}  // namespace
}  // namespace lockstep::tree_schedule_test
