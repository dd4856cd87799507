// Machines as Cayley graphs: products lead to the neighbours of the built machine, in the same way from every node.
#include "lockstep/machines/cayley.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lockstep/machines/topologies.hpp"

namespace lockstep::cayley_test {
namespace {

constexpr const char* machines[] = {"hypercube:0", "hypercube:4", "torus:3x4", "torus:2x1x5",     "ring:2",
                                    "ring:7",      "ccc:3",       "star:4",    "pancake:4",       "complete:1",
                                    "complete:6",  "rh:2,2",      "rh:1,0",    "circulant:12,1,5"};

TEST(CayleyGraph, LeadsFromEveryNodeToAllItsNeighbours) {
  for (const char* text : machines) {
    SCOPED_TRACE(text);
    const MachineSpec spec = parse_machine(text);
    ASSERT_TRUE(is_cayley_graph(spec));
    const CayleyGraph graph(spec);
    const Topology topology = build(spec);
    ASSERT_EQ(graph.nodes(), topology.processors());
    for (Rank x = 0; x < graph.nodes(); ++x) {
      std::set<Rank> products;
      std::set<Rank> neighbours;
      for (Port generator = 0; generator < graph.generators(); ++generator) products.insert(graph.times(x, generator));
      for (Port port = 0; port < topology.ports(); ++port) {
        if (const End there = topology.peer(x, port)) neighbours.insert(there.rank);
      }
      ASSERT_EQ(products, neighbours) << "of node " << x;
      ASSERT_EQ(products.size(), graph.generators()) << "of node " << x;
    }
  }
}

// x s t = x wherever s t = e: that holds for the graph of a group, not for every regular graph.
TEST(CayleyGraph, HasAnInverseOfEveryGenerator) {
  for (const char* text : machines) {
    SCOPED_TRACE(text);
    const CayleyGraph graph(parse_machine(text));
    for (Port generator = 0; generator < graph.generators(); ++generator) {
      const Port back = graph.inverse(generator);
      ASSERT_EQ(graph.inverse(back), generator);
      for (Rank x = 0; x < graph.nodes(); ++x) ASSERT_EQ(graph.times(graph.times(x, generator), back), x);
    }
  }
}

TEST(CayleyGraph, OfCompleteGraphsAddsModuloTheirNodes) {
  const CayleyGraph graph(parse_machine("complete:5"));
  EXPECT_EQ(graph.generators(), 4U);
  EXPECT_EQ(graph.times(0, 0), 1U);
  EXPECT_EQ(graph.times(3, 0), 4U);
  EXPECT_EQ(graph.times(3, 3), 2U);  // 3 + 4
  EXPECT_EQ(graph.inverse(0), 3U);   // 1 + 4 = 0
}

TEST(CayleyGraph, IsNoOtherMachine) {
  for (const char* text : {"path:4", "mesh:2x3", "shuffle-exchange:3", "hypercube:3+2", "bus:4"}) {
    EXPECT_FALSE(is_cayley_graph(parse_machine(text))) << text;
  }
}

}  // namespace
}  // namespace lockstep::cayley_test
