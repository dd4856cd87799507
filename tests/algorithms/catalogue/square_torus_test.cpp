// Rings and square tori as numbered in saad-schultz-1985.md, Relabelling, and saad-schultz-1988.md, Torus.
#include "lockstep/machines/square_torus.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "built_machine.hpp"
#include "distances.hpp"

namespace lockstep::square_torus_test {
namespace {

// "Offsets from a root run from -(s-1-h) to +h; a displacement of exactly s/2 counts as positive."
TEST(RingAxis, HasTheOffsetsOfTheSpec) {
  const RingAxis five(5, 0);
  for (const Rank root : {0U, 3U}) {
    EXPECT_EQ(five.offset(root, root), 0);
    EXPECT_EQ(five.offset(root, (root + 1) % 5), 1);
    EXPECT_EQ(five.offset(root, (root + 2) % 5), 2);
    EXPECT_EQ(five.offset(root, (root + 3) % 5), -2);
    EXPECT_EQ(five.offset(root, (root + 4) % 5), -1);
  }
  EXPECT_EQ(RingAxis(4, 0).offset(3, 1), 2);
  EXPECT_EQ(RingAxis(4, 0).offset(1, 0), -1);
  EXPECT_EQ(RingAxis(2, 0).offset(1, 0), 1);
  EXPECT_EQ(RingAxis(1, 0).offset(0, 0), 0);
}

// A position outward of another has that other one inward, and all are reached from 0.
TEST(RingAxis, LeadsOutwardAndInwardOverTheLinksOfARing) {
  for (Rank side = 1; side <= 9; ++side) {
    SCOPED_TRACE(side);
    const Topology ring = build(parse_machine("ring:" + std::to_string(side)));
    const RingAxis axis(side, 0);
    for (Rank root = 0; root < side; ++root) {
      std::uint64_t links = 0;
      for (Rank rank = 0; rank < side; ++rank) {
        const std::int64_t offset = axis.offset(root, rank);
        std::vector<Port> ports;
        axis.add_outward(offset, ports);
        links += ports.size();
        for (const Port port : ports) {
          const End next = ring.peer(rank, port);
          ASSERT_TRUE(next);
          const std::int64_t farther = axis.offset(root, next.rank);
          EXPECT_EQ(std::abs(farther), std::abs(offset) + 1);
          EXPECT_EQ(axis.inward(farther), next.port);
        }
      }
      EXPECT_EQ(links, side - 1);
    }
  }
}

TEST(RingAxis, KnowsTheLowestOfTheFarthest) {
  for (Rank side = 1; side <= 9; ++side) {
    const Topology ring = build(parse_machine("ring:" + std::to_string(side)));
    for (Rank from = 0; from < side; ++from) {
      const std::vector<Rank> distance = distances_from(ring, from);
      const auto lowest = std::max_element(distance.begin(), distance.end()) - distance.begin();
      EXPECT_EQ(RingAxis(side, 0).farthest(from), lowest) << side << " from " << from;
    }
  }
}

TEST(SquareTorus, HasXLastAndYFirst) {
  for (Rank side = 1; side <= 5; ++side) {
    const BuiltMachine machine(square(side));
    const SquareTorus torus(machine.spec);
    EXPECT_EQ(torus.side(), side);
    EXPECT_EQ(torus.reach(), side / 2);
    for (Rank rank = 0; rank < side * side; ++rank) {
      EXPECT_EQ(torus.rank(torus.x(rank), torus.y(rank)), rank);
      if (side == 1) continue;
      const Rank x = torus.x(rank);
      const Rank y = torus.y(rank);
      EXPECT_EQ(machine.topology.peer(rank, torus.x_axis().towards(true)).rank, torus.rank((x + 1) % side, y));
      EXPECT_EQ(machine.topology.peer(rank, torus.y_axis().towards(true)).rank, torus.rank(x, (y + 1) % side));
      EXPECT_EQ(machine.topology.peer(rank, torus.x_axis().towards(false)).rank, torus.rank((x + side - 1) % side, y));
      EXPECT_EQ(machine.topology.peer(rank, torus.y_axis().towards(false)).rank, torus.rank(x, (y + side - 1) % side));
    }
  }
}

TEST(SquareTorus, RefusesWhatIsNotASquare) {
  for (const std::string text : {"torus:4x3", "torus:3x3x3", "torus:4", "mesh:3x3"}) {
    try {
      const SquareTorus torus(parse_machine(text));
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), text + " is not square: write SxS, e.g. torus:4x4");
    }
  }
}

}  // namespace
}  // namespace lockstep::square_torus_test
