// scatter/farthest-first and gather/farthest-first against any-graph.md, Scatter and gather, with distances of a search
// of their own: with one port the block that is i-th, the farthest first, arrives after i + d_i steps, i = 0, 1, ..;
// the last of all after P - 1. With all ports a hypercube takes ceil((2^n - 1)/n) steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "data_directory.hpp"
#include "distances.hpp"
#include "method_run.hpp"
#include "plans/bfs/balanced_tree.hpp"

namespace lockstep::farthest_first_test {
namespace {

constexpr std::array both{"scatter/farthest-first", "gather/farthest-first"};

/// A step for every block, m words each; a message for every link that a block crosses.
SpecCounts counts_from(const std::vector<Rank>& distances, std::uint64_t steps, std::uint64_t m) {
  std::uint64_t hops = 0;
  for (const Rank distance : distances) hops += distance;
  return {.steps = steps, .longest_sum = steps * m, .messages = hops, .words = hops * m, .message_words = m};
}

std::uint64_t steps_with_one_port(std::vector<Rank> distances) {
  std::ranges::sort(distances, std::ranges::greater{});
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i + 1 < distances.size(); ++i) steps = std::max(steps, i + distances[i]);
  EXPECT_EQ(steps, distances.size() - 1);
  return steps;
}

void expect_with_one_port(const std::string& text) {
  const BuiltMachine machine(text);
  const std::uint64_t p = machine.topology.processors();
  for (const std::uint64_t root : std::set<std::uint64_t>{0, p / 3, p - 1}) {
    const std::vector<Rank> distances = distances_from(machine.topology, static_cast<Rank>(root));
    for (const char* method : both) {
      for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
        expect_run(machine, method, model_of(PortModel::one, duplex), item_settings(3, root),
                   counts_from(distances, steps_with_one_port(distances), 3));
      }
    }
  }
}

TEST(FarthestFirst, SendsABlockAStepWithOnePort) {
  for (const char* text : {"ring:1",
                           "ring:2",
                           "ring:3",
                           "ring:8",
                           "ring:11",
                           "path:1",
                           "path:2",
                           "path:9",
                           "torus:3x4",
                           "torus:2x3x3",
                           "mesh:1x1",
                           "mesh:4x4",
                           "mesh:2x5",
                           "hypercube:0",
                           "hypercube:1",
                           "hypercube:5",
                           "hypercube:3+1",
                           "rh:2,1",
                           "complete:7",
                           "ccc:3",
                           "star:4",
                           "pancake:4",
                           "circulant:9,2,3",
                           "shuffle-exchange:4",
                           "product:ring:3*complete:4",
                           "graph:" LOCKSTEP_GRAPHS "/petersen.json"}) {
    expect_with_one_port(text);
  }
}

class FarthestFirstOnFiles : public DataDirectory {
 protected:
  /// A random tree with a few more links, each written once.
  std::string random_graph(std::mt19937_64& random, std::uint64_t nodes) const {
    std::set<std::pair<std::uint64_t, std::uint64_t>> links;
    for (std::uint64_t node = 1; node < nodes; ++node) links.emplace(random() % node, node);
    for (std::uint64_t more = random() % nodes; more > 0; --more) {
      const std::uint64_t high = 1 + random() % (nodes - 1);
      links.emplace(random() % high, high);
    }
    std::string text;
    for (const auto& [low, high] : links) text += std::to_string(low) + " " + std::to_string(high) + "\n";
    return "graph:" + file("graph.edgelist", text);
  }
};

TEST_F(FarthestFirstOnFiles, HasItsCountsOnRandomGraphs) {
  std::mt19937_64 random(20261128);
  for (int round = 0; round < (sanitized ? 4 : 20); ++round) {
    const std::string text = random_graph(random, 2 + random() % 24);
    expect_with_one_port(text);
    const BuiltMachine machine(text);
    for (const char* method : both) {
      const Prediction predicted = machine.predict(method, model_of(PortModel::all), item_settings(2, 1));
      ASSERT_TRUE(predicted.steps);
      expect_run(machine, method, model_of(PortModel::all), item_settings(2, 1),
                 counts_from(distances_from(machine.topology, 1), predicted.steps->value, 2));
    }
  }
}

// A path of 5 links and two leaves at the root: 7 blocks with one port, the 5 of the path's branch with all.
TEST_F(FarthestFirstOnFiles, TakesAStepForEveryNodeOfTheLargestBranch) {
  const BuiltMachine machine("graph:" + file("broom.edgelist", "0 1\n1 2\n2 3\n3 4\n4 5\n0 6\n0 7\n"));
  expect_run(machine, both[0], model_of(PortModel::one), item_settings(1, 0), {.steps = 7, .messages = 17});
  expect_run(machine, both[0], model_of(PortModel::all), item_settings(1, 0), {.steps = 5, .messages = 17});
}

TEST(FarthestFirst, HasTheFewestStepsOnHypercubesWithAllPorts) {
  for (std::uint64_t n = 1; n <= (sanitized ? 6 : 10); ++n) {
    const BuiltMachine machine(cube(n));
    const std::uint64_t p = std::uint64_t{1} << n;
    const std::uint64_t steps = (p - 1 + n - 1) / n;
    for (const std::uint64_t root : std::set<std::uint64_t>{0, p / 3, p - 1}) {
      const std::vector<Rank> distances = distances_from(machine.topology, static_cast<Rank>(root));
      for (const char* method : both) {
        expect_run(machine, method, model_of(PortModel::all), item_settings(2, root), counts_from(distances, steps, 2));
      }
    }
  }
}

TEST(FarthestFirst, PredictsTheFewestStepsOnLargeHypercubes) {
  if (sanitized) return;
  const BuiltMachine machine("hypercube:16");
  const Prediction predicted = machine.predict(both[0], model_of(PortModel::all), item_settings(1, 0));
  expect_predicted(predicted, {.steps = 4096, .longest_sum = 4096, .messages = 16 * 32768, .words = 16 * 32768});
}

// Every processor but the root in one branch, one link nearer to the root than itself.
TEST(BalancedTree, IsOfShortestPathsWithAsManyBranchesAsTheRootHasNeighbours) {
  for (const char* text : {"torus:5x5", "mesh:3x4", "rh:2,1", "star:4", "hypercube:6"}) {
    SCOPED_TRACE(text);
    const BuiltMachine machine(text);
    const Topology& topology = machine.topology;
    const bfs::BalancedTree tree(machine.spec, 3);
    const std::vector<Rank> distances = distances_from(topology, 3);
    EXPECT_EQ(tree.branches(), static_cast<Rank>(std::ranges::count(distances, Rank{1})));
    for (Rank node = 0; node < topology.processors(); ++node) {
      EXPECT_EQ(tree.depth(node), distances[node]);
      if (node == 3) continue;
      EXPECT_EQ(topology.peer(node, tree.parent_port(node)).rank, tree.parent(node));
      EXPECT_EQ(topology.peer(tree.parent(node), tree.port_from_parent(node)).rank, node);
      EXPECT_EQ(distances[tree.parent(node)] + 1, distances[node]);
      if (tree.parent(node) != 3) {
        EXPECT_EQ(tree.branch(tree.parent(node)), tree.branch(node));
      }
    }
  }
}

TEST(FarthestFirst, CatchesFaults) {
  for (const char* method : both) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      for (const char* machine : {"ring:5", "mesh:2x3", "hypercube:3"}) {
        expect_catches_faults(method, machine, item_settings(2, 1), model_of(ports));
      }
    }
  }
}

TEST(FarthestFirst, HasRangesAndDefaults) {
  for (const char* method : both) {
    expect_words_from(1, method, "mesh:2x3");
    expect_roots_to(5, method, "mesh:2x3");
  }
}

}  // namespace
}  // namespace lockstep::farthest_first_test
