#include <gtest/gtest.h>

#include <array>

#include "lockstep/machines/topologies.hpp"
#include "naive_graph.hpp"

namespace lockstep::circulant_test {
namespace {

TEST(Circulant, PortsFollowTheStridesInTheirOrder) {
  const Topology machine = circulant(10, std::array<Rank, 2>{4, 1});
  EXPECT_EQ(machine.name(), "circulant:10,4,1");
  EXPECT_EQ(machine.processors(), 10U);
  EXPECT_EQ(machine.ports(), 4U);
  EXPECT_EQ(machine.peer(7, 0), (End{1, 1}));
  EXPECT_EQ(machine.peer(7, 1), (End{3, 0}));
  EXPECT_EQ(machine.peer(7, 2), (End{8, 3}));
  EXPECT_EQ(machine.peer(7, 3), (End{6, 2}));
  EXPECT_EQ(machine.label(7), "7");
}

TEST(Circulant, LongStridesLeadTheOtherWayRound) {
  const Topology machine = circulant(5, std::array<Rank, 1>{4});
  EXPECT_EQ(machine.peer(0, 0), (End{4, 1}));
  EXPECT_EQ(machine.peer(0, 1), (End{1, 0}));
  EXPECT_EQ(graph_of(machine), naive_ring(5));
}

TEST(Circulant, AStrideOfHalfTheRanksHasOneLink) {
  const Topology machine = circulant(6, std::array<Rank, 2>{3, 2});
  EXPECT_EQ(machine.ports(), 4U);
  EXPECT_EQ(machine.peer(1, 0), (End{4, 0}));
  EXPECT_EQ(machine.peer(4, 0), (End{1, 0}));
  EXPECT_FALSE(machine.peer(1, 1));
  EXPECT_FALSE(machine.peer(4, 1));
  EXPECT_EQ(machine.peer(5, 2), (End{1, 3}));
  const Topology two = circulant(2, std::array<Rank, 1>{1});
  EXPECT_EQ(graph_of(two), naive_path(2));
  EXPECT_FALSE(two.peer(0, 1));
}

TEST(Circulant, OfAllStridesIsComplete) {
  EXPECT_EQ(graph_of(circulant(7, std::array<Rank, 3>{1, 2, 3})), naive_complete(7));
  EXPECT_EQ(graph_of(circulant(8, std::array<Rank, 4>{4, 3, 2, 1})), naive_complete(8));
}

TEST(Circulant, WiringAnswersForMachinesThatAreNotBuilt) {
  const Wiring large = wiring(parse_machine("circulant:4294967294,4294967293,2147483647,2147483646"));
  EXPECT_EQ(large(0, 0), (End{4294967293, 1}));
  EXPECT_EQ(large(0, 1), (End{1, 0}));
  EXPECT_EQ(large(4294967293, 2), (End{2147483646, 2}));
  EXPECT_EQ(large(1, 2), (End{2147483648, 2}));
  EXPECT_FALSE(large(1, 3));
  EXPECT_EQ(large(4294967293, 4), (End{2147483645, 5}));
  EXPECT_EQ(large(1, 5), (End{2147483649, 4}));
  EXPECT_EQ(facts(parse_machine("circulant:4294967294,1")).diameter, std::nullopt);
  EXPECT_EQ(facts(parse_machine("circulant:4294967294,1")).links, 4294967294U);
}

// The graph of 2 k^2 + 2 k + 1 ranks with the strides k and k + 1 has the most ranks that four links a processor can
// reach within k.
TEST(Circulant, OptimalDoubleLoopsHaveTheirDiameter) {
  for (Rank k = 1; k <= 20; ++k) {
    const Rank m = 2 * k * k + 2 * k + 1;
    const Topology machine = circulant(m, std::array<Rank, 2>{k, k + 1});
    const MachineFacts known = facts(parse_machine(machine.name()));
    EXPECT_EQ(known.diameter, k);
    EXPECT_EQ(known.links, 2 * m);
    std::uint64_t status = 0;
    for (std::uint64_t distance = 1; distance <= k; ++distance) status += 4 * distance * distance;
    EXPECT_EQ(known.average_status, Fraction(status));
  }
}

TEST(Circulant, MakerRefusesWhatTheSpecificationRefuses) {
  EXPECT_THROW(circulant(1, std::array<Rank, 1>{1}), MachineSpecError);
  EXPECT_THROW(circulant(8, std::vector<Rank>{}), MachineSpecError);
  EXPECT_THROW(circulant(8, std::array<Rank, 2>{2, 4}), MachineSpecError);
}

}  // namespace
}  // namespace lockstep::circulant_test
