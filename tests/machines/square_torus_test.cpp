// Rings of processors that schedules run along, and the torus of equal sides.
#include "lockstep/machines/square_torus.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::square_torus_test {
namespace {

TEST(RingAxis, CountsHalfWayRoundAsAhead) {
  const RingAxis five(5, 0);
  const RingAxis four(4, 0);
  const std::vector<std::int64_t> of_five{0, 1, 2, -2, -1};
  const std::vector<std::int64_t> of_four{0, 1, 2, -1};
  for (Rank from = 0; from < 5; ++from) {
    for (Rank by = 0; by < 5; ++by) EXPECT_EQ(five.offset(from, (from + by) % 5), of_five[by]) << from << ' ' << by;
  }
  for (Rank from = 0; from < 4; ++from) {
    for (Rank by = 0; by < 4; ++by) EXPECT_EQ(four.offset(from, (from + by) % 4), of_four[by]) << from << ' ' << by;
  }
  EXPECT_EQ(five.ahead(), 2U);
  EXPECT_EQ(five.behind(), 2U);
  EXPECT_EQ(four.ahead(), 2U);
  EXPECT_EQ(four.behind(), 1U);
}

TEST(RingAxis, NamesTheLowestOfTheFarthest) {
  EXPECT_EQ(RingAxis(5, 0).farthest(0), 2U);  // or 3
  EXPECT_EQ(RingAxis(5, 0).farthest(4), 1U);  // or 2
  EXPECT_EQ(RingAxis(5, 0).farthest(3), 0U);  // 5 is 0, or 1
  EXPECT_EQ(RingAxis(4, 0).farthest(3), 1U);
  EXPECT_EQ(RingAxis(1, 0).farthest(0), 0U);
}

std::vector<Port> outward(const RingAxis& axis, std::int64_t offset) {
  std::vector<Port> ports;
  axis.add_outward(offset, ports);
  return ports;
}

TEST(RingAxis, LeadsOutwardToTheEndsOfItsReach) {
  using Ports = std::vector<Port>;
  const RingAxis five(5, 2);
  EXPECT_EQ(outward(five, 0), (Ports{2, 3}));
  EXPECT_EQ(outward(five, 1), Ports{2});
  EXPECT_EQ(outward(five, 2), Ports{});
  EXPECT_EQ(outward(five, -1), Ports{3});
  EXPECT_EQ(outward(five, -2), Ports{});
  EXPECT_EQ(outward(RingAxis(4, 2), -1), Ports{});  // the end of its reach backwards
  EXPECT_EQ(outward(RingAxis(2, 2), 0), Ports{2});  // its only link
  EXPECT_EQ(outward(RingAxis(1, 2), 0), Ports{});
  EXPECT_EQ(five.inward(1), 3U);
  EXPECT_EQ(five.inward(-2), 2U);
  EXPECT_EQ(RingAxis(2, 2).inward(1), 2U);
}

TEST(SquareTorus, HasItsAxesWhereTheBuiltTorusHasItsLinks) {
  const MachineSpec spec = parse_machine("torus:5x5");
  const Topology built = build(spec);
  const SquareTorus torus(spec);
  EXPECT_EQ(torus.side(), 5U);
  EXPECT_EQ(torus.reach(), 2U);
  for (Rank rank = 0; rank < 25; ++rank) {
    const Rank x = torus.x(rank);
    const Rank y = torus.y(rank);
    ASSERT_EQ(torus.rank(x, y), rank);
    EXPECT_EQ(built.peer(rank, torus.x_axis().towards(true)).rank, torus.rank((x + 1) % 5, y));
    EXPECT_EQ(built.peer(rank, torus.x_axis().towards(false)).rank, torus.rank((x + 4) % 5, y));
    EXPECT_EQ(built.peer(rank, torus.y_axis().towards(true)).rank, torus.rank(x, (y + 1) % 5));
    EXPECT_EQ(built.peer(rank, torus.y_axis().towards(false)).rank, torus.rank(x, (y + 4) % 5));
  }
}

TEST(SquareTorus, IsNoOtherMachine) {
  for (const std::string text : {"torus:4x5", "torus:3x3x3", "torus:4", "mesh:4x4", "hypercube:4"}) {
    try {
      const SquareTorus torus(parse_machine(text));
      ADD_FAILURE() << text << " is accepted";
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), text + " is not square: write SxS, e.g. torus:4x4");
    }
  }
}

}  // namespace
}  // namespace lockstep::square_torus_test
