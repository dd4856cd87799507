// alltoall/greedy (dimakopoulos.md, Greedy): shortest paths on any connected graph; on trees the tree bound, with all
// ports the load of the busiest link. The expected values are computed here: distances by breadth-first search, and the
// messages through a node or a link of a tree by removing it.
#include <gtest/gtest.h>

#include <random>

#include "data_directory.hpp"
#include "distances.hpp"
#include "lockstep/algorithms/schedule.hpp"
#include "lockstep/machines/graph.hpp"
#include "total_exchange.hpp"

namespace lockstep::alltoall_greedy_test {
namespace {

constexpr std::string_view greedy = "alltoall/greedy";

Topology topology_of(const Graph& graph) {
  return {"graph", graph.nodes(), graph.degree_max(),
          [&](Rank rank, Port port) { return graph.neighbour(rank, port); }};
}

/// A tree of random links, or with more links than nodes - 1 a graph with cycles.
Graph random_graph(std::mt19937_64& random, Rank nodes, std::uint64_t links) {
  std::vector<Graph::Link> chosen;
  for (Rank node = 1; node < nodes; ++node) chosen.emplace_back(static_cast<Rank>(random() % node), node);
  while (chosen.size() < links) {
    const auto a = static_cast<Rank>(random() % nodes);
    const auto b = static_cast<Rank>(random() % nodes);
    const auto joins = [&](const Graph::Link& link) {
      return (link.first == a && link.second == b) || (link.first == b && link.second == a);
    };
    if (a != b && std::none_of(chosen.begin(), chosen.end(), joins)) chosen.emplace_back(a, b);
  }
  return {nodes, chosen};
}

/// Calls visit(node, nodes of a branch) for every branch at every node of a tree.
template <class Visit>
void for_each_branch(const Topology& tree, const Visit& visit) {
  const std::uint64_t n = tree.processors();
  for (Rank node = 0; node < n; ++node) {
    std::vector<bool> seen(n);
    seen[node] = true;
    for (Rank start = 0; start < n; ++start) {
      if (seen[start]) continue;
      std::uint64_t branch = 0;
      std::vector<Rank> found{start};
      seen[start] = true;
      for (; branch < found.size(); ++branch) {
        for (Port port = 0; port < tree.ports(); ++port) {
          const Rank next = tree.peer(found[branch], port).rank;
          if (next == no_rank || seen[next]) continue;
          seen[next] = true;
          found.push_back(next);
        }
      }
      visit(node, branch);
    }
  }
}

/// dimakopoulos.md, Status and bounds, tree bound: (n-1) + the sum over the branches a of a (n-1-a), for the node where
/// it is largest.
std::uint64_t tree_bound(const Topology& tree) {
  const std::uint64_t n = tree.processors();
  std::vector<std::uint64_t> loads(n, n - 1);
  for_each_branch(tree, [&](Rank node, std::uint64_t branch) { loads[node] += branch * (n - 1 - branch); });
  return *std::ranges::max_element(loads);
}

/// The messages over the busiest link one way: between a nodes and n - a.
std::uint64_t link_bound(const Topology& tree) {
  const std::uint64_t n = tree.processors();
  std::uint64_t most = 0;
  for_each_branch(tree, [&](Rank, std::uint64_t branch) { most = std::max(most, branch * (n - branch)); });
  return most;
}

/// The directed links.
std::uint64_t lanes_of(const Topology& topology) {
  std::uint64_t lanes = 0;
  for (Rank node = 0; node < topology.processors(); ++node) {
    for (Port port = 0; port < topology.ports(); ++port) lanes += topology.peer(node, port) ? 1U : 0U;
  }
  return lanes;
}

std::uint64_t moves_of(const MoveSteps& steps) {
  std::uint64_t moves = 0;
  for (const auto& step : steps) moves += step.size();
  return moves;
}

/// Expects a valid schedule on shortest paths; returns its length.
std::uint64_t checked_steps(const Topology& topology, PortModel ports = PortModel::one) {
  const MoveSteps steps = greedy_steps(topology, ports == PortModel::all);
  EXPECT_NO_THROW(validate(Schedule{topology.processors(), steps}, topology, model_of(ports)));
  EXPECT_EQ(moves_of(steps), sum_of_distances(topology));
  return steps.size();
}

TEST(GreedySchedule, MeetsTheTreeBoundOnPaths) {
  for (Rank m = 1; m <= 40; ++m) {
    SCOPED_TRACE(m);
    const Topology path = build(parse_machine("path:" + std::to_string(m)));
    EXPECT_EQ(checked_steps(path), m == 1 ? 0 : (m * m + 1) / 2 - 1);
    EXPECT_EQ(checked_steps(path, PortModel::all), m * m / 4);
  }
}

TEST(GreedySchedule, MeetsTheTreeBoundOnRandomTrees) {
  std::mt19937_64 random(6);
  for (int trial = 0; trial < 200; ++trial) {
    const auto nodes = static_cast<Rank>(2 + random() % 24);
    SCOPED_TRACE("seed 6, tree " + std::to_string(trial) + " of " + std::to_string(nodes) + " nodes");
    const Topology tree = topology_of(random_graph(random, nodes, 0));
    EXPECT_EQ(checked_steps(tree), tree_bound(tree));
    const std::uint64_t all_ports = checked_steps(tree, PortModel::all);
    EXPECT_GE(all_ports, link_bound(tree));
    EXPECT_LE(all_ports, link_bound(tree) + 6);
  }
}

TEST(GreedySchedule, MeetsTheTreeBoundOnStars) {
  for (Rank leaves = 1; leaves <= 20; ++leaves) {
    std::vector<Graph::Link> links;
    for (Rank leaf = 1; leaf <= leaves; ++leaf) links.emplace_back(0, leaf);
    const Topology star = topology_of(Graph(leaves + 1, links));
    EXPECT_EQ(checked_steps(star), leaves + leaves * (leaves - 1));
    EXPECT_EQ(checked_steps(star, PortModel::all), leaves);
  }
}

TEST(GreedySchedule, IsValidOnRandomGraphs) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 100; ++trial) {
    const auto nodes = static_cast<Rank>(2 + random() % 24);
    const std::uint64_t links = random() % (nodes * (nodes - 1) / 2 + 1);
    SCOPED_TRACE("seed 7, graph " + std::to_string(trial));
    const Topology graph = topology_of(random_graph(random, nodes, links));
    EXPECT_GE(checked_steps(graph) * nodes, sum_of_distances(graph));
    EXPECT_GE(checked_steps(graph, PortModel::all) * lanes_of(graph), sum_of_distances(graph));
  }
}

TEST(GreedySchedule, HasTheStepsOfTheSpec) {
  EXPECT_EQ(checked_steps(build(parse_machine("graph:" LOCKSTEP_GRAPHS "/petersen.json"))), 20U);
}

// The two processors that make the cube of 8 incomplete hang on two links: each way 8 * 2 messages over 2 links.
TEST(GreedySchedule, MeetsTheCutOfIncompleteHypercubes) {
  EXPECT_EQ(checked_steps(build(parse_machine("hypercube:3+1")), PortModel::all), 8U);
}

// The loads of a path's processors are 2, 4, 2 (path:3) and 3, 7, 7, 3 (path:4). On path:3 the links are alike: the
// farthest goes first, then the lowest sender. On path:4 the middle link goes first, although others lead farther.
TEST(GreedySchedule, IsInTheOrderOfLoadThenDistanceThenNumbers) {
  EXPECT_EQ(greedy_steps(build(parse_machine("path:3"))), (MoveSteps{{{0, 1, 0, 2}, {1, 0, 1, 0}},
                                                                     {{1, 2, 1, 2}, {2, 1, 2, 0}},
                                                                     {{0, 1, 0, 1}, {1, 0, 2, 0}},
                                                                     {{1, 2, 0, 2}, {2, 1, 2, 1}}}));
  EXPECT_EQ(greedy_steps(build(parse_machine("path:4"))).front(), (std::vector<Move>{{1, 2, 1, 3}, {2, 1, 2, 0}}));
}

struct Machine {
  std::string text;
  std::uint64_t steps;  ///< at least: ceil(AS) or the tree bound (dimakopoulos.md, Status and bounds)
};

TEST(AlltoallGreedy, MovesEveryMessageAShortestWay) {
  for (const auto& [text, steps] :
       {Machine{"ring:1", 0}, Machine{"ring:9", 20}, Machine{"path:8", 31}, Machine{"complete:7", 6},
        Machine{"torus:4x3", 20}, Machine{"mesh:3x4", 26}, Machine{"hypercube:5", 80}, Machine{"rh:2,1", 40},
        Machine{"graph:" LOCKSTEP_GRAPHS "/petersen.json", 15}, Machine{"product:path:3*complete:4", 20}}) {
    SCOPED_TRACE(text);
    const BuiltMachine machine(text);
    const std::uint64_t sum = sum_of_distances(machine.topology);
    for (const std::uint64_t b : {1, 3}) {
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        const Report report =
            expect_run(machine, greedy, model_of(ports), block_settings(b), {.messages = sum, .words = b * sum});
        EXPECT_EQ(report.longest_sum, b * report.steps);
        EXPECT_EQ(report.cycles, report.steps);
        if (ports == PortModel::one) {
          EXPECT_GE(report.steps, steps);
        } else {
          EXPECT_GE(report.steps * lanes_of(machine.topology), sum);
        }
      }
    }
    expect_bound(greedy, text, PortModel::one, steps);
  }
}

TEST(AlltoallGreedy, PredictsAllItsCounts) {
  const BuiltMachine machine("mesh:3x4");
  const Prediction predicted = machine.method(greedy).predict(machine.spec, {}, block_settings(3));
  // S = 3^2 * 4 * (4^2 - 1)/3 + 4^2 * 3 * (3^2 - 1)/3 = 180 + 128
  EXPECT_EQ(predicted.messages->value, 308U);
  EXPECT_TRUE(predicted.messages->exact);
  EXPECT_EQ(predicted.words->value, 924U);
  for (const char* text : {"mesh:3x4", "hypercube:3+1", "hypercube:4+2", "path:1", "path:2", "ring:9", "rh:2,1",
                           "graph:" LOCKSTEP_GRAPHS "/petersen.json"}) {
    const BuiltMachine one(text);
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      for (const std::uint64_t b : {1U, 5U}) {
        SCOPED_TRACE(text);
        const Report report = one.run(greedy, model_of(ports), block_settings(b)).report;
        expect_predicted(one.method(greedy).predict(one.spec, model_of(ports), block_settings(b)), counts_of(report));
      }
    }
  }
}

// The plan of a larger machine takes as long as its run.
TEST(AlltoallGreedy, BoundsItsStepsOnMachinesThatItDoesNotPlan) {
  const MachineSpec large = parse_machine("ring:257");
  const Prediction predicted = find_method(greedy, "ring").predict(large, {}, block_settings(1));
  EXPECT_FALSE(predicted.steps->exact);
  EXPECT_FALSE(predicted.longest_sum->exact);
}

TEST(AlltoallGreedy, CatchesEveryFault) {
  expect_catches_faults(greedy, "graph:" LOCKSTEP_GRAPHS "/petersen.json", block_settings(1));
  expect_catches_faults(greedy, "path:4", block_settings(2));
}

}  // namespace
}  // namespace lockstep::alltoall_greedy_test
