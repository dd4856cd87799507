#include "lockstep/machines/cube_connected_cycles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "lockstep/machines/topologies.hpp"
#include "naive_graph.hpp"

namespace lockstep::cube_connected_cycles_test {
namespace {

TEST(CubeConnectedCycles, PortsAreNextPreviousAndCube) {
  const Topology machine = cube_connected_cycles(3);
  EXPECT_EQ(machine.name(), "ccc:3");
  EXPECT_EQ(machine.processors(), 24U);
  EXPECT_EQ(machine.ports(), 3U);
  const Rank here = 5 * 3 + 2;  // corner 101, position 2
  EXPECT_EQ(machine.label(here), "101.2");
  EXPECT_EQ(machine.peer(here, 0), (End{5 * 3 + 0, 1}));
  EXPECT_EQ(machine.peer(here, 1), (End{5 * 3 + 1, 0}));
  EXPECT_EQ(machine.peer(here, 2), (End{1 * 3 + 2, 2}));  // corner 001
  EXPECT_EQ(machine.peer(0, 1), (End{2, 0}));
  EXPECT_EQ(machine.peer(0, 2), (End{1 * 3, 2}));
  EXPECT_EQ(machine.peer(1, 2), (End{2 * 3 + 1, 2}));
}

TEST(CubeConnectedCycles, SplitsAddresses) {
  const CubeConnectedCycles ccc(5);
  EXPECT_EQ(ccc.dimensions(), 5U);
  EXPECT_EQ(ccc.processors(), 160U);
  for (Rank corner = 0; corner < 32; ++corner) {
    for (Rank position = 0; position < 5; ++position) {
      const Rank node = corner * 5 + position;
      EXPECT_EQ(ccc.node(corner, position), node);
      EXPECT_EQ(ccc.corner(node), corner);
      EXPECT_EQ(ccc.position(node), position);
    }
  }
}

TEST(CubeConnectedCycles, LargestMachineHasAddresses) {
  const CubeConnectedCycles ccc(27);
  EXPECT_EQ(ccc.processors(), 3623878656U);  // 27 * 2^27
  const Rank last = 3623878655U;
  EXPECT_EQ(ccc.position(last), 26U);
  EXPECT_EQ(ccc.neighbour(last, 0), (End{last - 26, 1}));
  EXPECT_EQ(ccc.neighbour(last, 2), (End{last - 27 * (Rank{1} << 26), 2}));
  EXPECT_EQ(facts(parse_machine("ccc:27")).diameter, 2U * 27 + 13 - 2);
  EXPECT_EQ(facts(parse_machine("ccc:27")).links, 5435817984U);  // 3/2 * 27 * 2^27
  EXPECT_EQ(facts(parse_machine("ccc:27")).average_status, std::nullopt);
}

TEST(CubeConnectedCycles, RefusesWhatDoesNotExist) {
  EXPECT_THROW(CubeConnectedCycles(2), std::invalid_argument);
  EXPECT_THROW(CubeConnectedCycles(28), std::invalid_argument);
}

TEST(CubeConnectedCycles, DiameterIsThatOfTheFormula) {
  for (unsigned d = 3; d <= 12; ++d) {
    SCOPED_TRACE(d);
    const std::vector<std::uint64_t> distances = graph_of(cube_connected_cycles(d)).distances(0);
    const std::uint64_t diameter = *std::max_element(distances.begin(), distances.end());
    EXPECT_EQ(diameter, d == 3 ? 6 : 2 * d + d / 2 - 2);
    const MachineFacts known = facts(parse_machine("ccc:" + std::to_string(d)));
    EXPECT_EQ(known.diameter, diameter);
    EXPECT_EQ(known.average_status, Fraction(std::accumulate(distances.begin(), distances.end(), std::uint64_t{0})));
  }
}

TEST(CubeConnectedCycles, AreCutInHalvesAcrossOneDimension) {
  EXPECT_EQ(naive_cube_connected_cycles(3).bisection_width(), 4U);
  EXPECT_EQ(facts(parse_machine("ccc:3")).bisection_width, 4U);
  EXPECT_EQ(facts(parse_machine("ccc:10")).bisection_width, 512U);
}

}  // namespace
}  // namespace lockstep::cube_connected_cycles_test
