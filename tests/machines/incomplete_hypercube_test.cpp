#include "lockstep/machines/incomplete_hypercube.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lockstep/machines/topologies.hpp"
#include "naive_graph.hpp"

namespace lockstep::incomplete_hypercube_test {
namespace {

/// Calls body(cube, machine, graph) for all N to 5 and M below N.
template <class Body>
void on_every_cube(const Body& body) {
  for (unsigned n = 1; n <= 5; ++n) {
    for (unsigned m = 0; m < n; ++m) {
      const std::string text = "hypercube:" + std::to_string(n) + "+" + std::to_string(m);
      SCOPED_TRACE(text);
      const MachineSpec spec = parse_machine(text);
      body(IncompleteHypercube(spec), build(spec), naive_incomplete_hypercube(n, m));
    }
  }
}

TEST(IncompleteHypercube, JoinsALargerCubeAndASmallerOne) {
  const IncompleteHypercube cube(parse_machine("hypercube:2+1"));
  EXPECT_EQ(cube.n(), 2U);
  EXPECT_EQ(cube.m(), 1U);
  EXPECT_FALSE(cube.is_in_smaller(3));
  EXPECT_TRUE(cube.is_in_smaller(4));
  EXPECT_TRUE(is_incomplete_hypercube(parse_machine("incomplete-hypercube:2+1")));
  EXPECT_FALSE(is_incomplete_hypercube(parse_machine("hypercube:3")));
}

TEST(IncompleteHypercube, HasTheLinksThatItIsBuiltWith) {
  on_every_cube([](const IncompleteHypercube& cube, const Topology& machine, const NaiveGraph& graph) {
    for (Rank rank = 0; rank < machine.processors(); ++rank) {
      EXPECT_EQ(cube.degree(rank), graph.neighbours[rank].size()) << rank;
      for (Port port = 0; port <= cube.n(); ++port) {
        EXPECT_EQ(cube.has_link(rank, port), static_cast<bool>(machine.peer(rank, port))) << rank << ' ' << port;
      }
    }
  });
}

TEST(IncompleteHypercube, ShortestPathsLeaveTheSmallerCubeFirstAndEnterItLast) {
  on_every_cube([](const IncompleteHypercube& cube, const Topology& machine, const NaiveGraph& graph) {
    for (Rank from = 0; from < machine.processors(); ++from) {
      const std::vector<std::uint64_t> distances = graph.distances(from);
      for (Rank to = 0; to < machine.processors(); ++to) {
        const std::vector<Port> path = cube.shortest_path(from, to);
        EXPECT_EQ(path.size(), distances[to]);
        Rank at = from;
        for (const Port port : path) {
          const End next = machine.peer(at, port);
          ASSERT_TRUE(next) << from << " to " << to << " by " << port << " at " << at;
          at = next.rank;
        }
        EXPECT_EQ(at, to);
        const auto between = std::ranges::find(path, cube.n());
        if (between != path.end()) {
          EXPECT_EQ(between, cube.is_in_smaller(from) ? path.begin() : path.end() - 1) << from << " to " << to;
        }
      }
    }
  });
}

TEST(IncompleteHypercube, FarthestIsTheLowestOfThoseAtTheGreatestDistance) {
  on_every_cube([](const IncompleteHypercube& cube, const Topology& machine, const NaiveGraph& graph) {
    for (Rank from = 0; from < machine.processors(); ++from) {
      const std::vector<std::uint64_t> distances = graph.distances(from);
      EXPECT_EQ(cube.farthest(from), std::ranges::max_element(distances) - distances.begin()) << from;
    }
  });
}

}  // namespace
}  // namespace lockstep::incomplete_hypercube_test
