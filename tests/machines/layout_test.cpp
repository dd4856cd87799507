// Positions of the processors in drawings.
#include "lockstep/machines/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <utility>

#include "../sanitized.hpp"
#include "../temporary_directory.hpp"
#include "lockstep/machines/topologies.hpp"
#include "naive_graph.hpp"

namespace lockstep::layout_test {
namespace {

std::vector<Position> layout_of(const std::string& machine) { return layout(parse_machine(machine)); }

void expect_all_apart(const std::string& machine) {
  SCOPED_TRACE(machine);
  const MachineSpec spec = parse_machine(machine);
  const std::vector<Position> positions = layout(spec);
  ASSERT_EQ(positions.size(), spec.processors);
  std::set<std::pair<double, double>> places;
  for (const Position& at : positions) {
    ASSERT_TRUE(std::isfinite(at.x) && std::isfinite(at.y));
    EXPECT_TRUE(places.emplace(at.x, at.y).second) << at.x << "," << at.y;
  }
}

double distance(const Position& a, const Position& b) { return std::hypot(a.x - b.x, a.y - b.y); }

constexpr double millionth = 1.5e-6;  // coordinates are rounded to it

TEST(Layout, PutsNoTwoProcessorsAtOnePlace) {
  for (const NaiveMachine& machine : naive_machines()) expect_all_apart(machine.spec);
}

TEST(Layout, PutsNoTwoProcessorsAtOnePlaceInAnySizeUpToTwoToTheTenth) {
  constexpr Rank most = sanitized ? 256 : 1024;
  for (Rank m = 1; m <= most; ++m) {
    const std::string number = std::to_string(m);
    for (const std::string family : {"ring:", "path:", "complete:", "bus:", "switch:"})
      expect_all_apart(family + number);
    if (m > 3) expect_all_apart("circulant:" + number + ",1,2");
  }
  for (unsigned n = 0; n <= 10; ++n) expect_all_apart("hypercube:" + std::to_string(n));
  for (unsigned n = 1; n <= 9; ++n) {
    for (unsigned m = 0; m < n; ++m) expect_all_apart("hypercube:" + std::to_string(n) + "+" + std::to_string(m));
  }
  for (unsigned n = 1; n <= 10; ++n) expect_all_apart("shuffle-exchange:" + std::to_string(n));
  for (const std::string family : {"omega", "inverse-omega", "indirect-cube", "data-manipulator"}) {
    for (unsigned n = 1; n <= 10; ++n) expect_all_apart(family + ":" + std::to_string(1U << n));
  }
  for (unsigned d = 3; d <= 7; ++d) expect_all_apart("ccc:" + std::to_string(d));
  for (unsigned n = 2; n <= 6; ++n) expect_all_apart("star:" + std::to_string(n));
  for (unsigned n = 2; n <= 6; ++n) expect_all_apart("pancake:" + std::to_string(n));
  for (unsigned n = 0; n <= 3; ++n) {
    for (unsigned k = n; k + (1U << n) <= 10; ++k) {
      expect_all_apart("rh:" + std::to_string(k) + "," + std::to_string(n));
    }
  }
}

TEST(Layout, PutsNoTwoProcessorsOfAGridAtOnePlace) {
  constexpr Rank most = sanitized ? 256 : 1024;
  const auto sides = [](const std::vector<Rank>& lengths) {
    std::string text;
    for (const Rank length : lengths) text.append(text.empty() ? "" : "x").append(std::to_string(length));
    return text;
  };
  for (Rank a = 1; a <= most; a += 1 + a / 8) {
    for (Rank b = 1; a * b <= most; b += 1 + b / 8) {
      expect_all_apart("mesh:" + sides({a, b}));
      for (Rank c = 1; a * b * c <= most; c += 1 + c / 4) expect_all_apart("torus:" + sides({a, b, c}));
    }
  }
  for (const std::vector<Rank>& lengths : std::vector<std::vector<Rank>>{{2, 2, 2, 2},
                                                                         {1, 7, 1, 9},
                                                                         {3, 4, 5, 6},
                                                                         {4, 4, 4, 4, 4},
                                                                         {2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
                                                                         {1, 1, 1, 1, 1}}) {
    expect_all_apart("torus:" + sides(lengths));
    expect_all_apart("mesh:" + sides(lengths));
  }
  for (const std::string machine : {"product:star:4*ring:5*complete:4", "product:hypercube:5*hypercube:5",
                                    "product:path:3*ccc:3*shuffle-exchange:3", "product:complete:1*path:1"}) {
    expect_all_apart(machine);
  }
}

TEST(Layout, OfAPathIsALine) {
  EXPECT_EQ(layout_of("path:3"), (std::vector<Position>{{0, 0}, {1, 0}, {2, 0}}));
  EXPECT_EQ(layout_of("bus:2"), (std::vector<Position>{{0, 0}, {1, 0}}));
}

TEST(Layout, OfARingIsACircleFromTheTopClockwise) {
  EXPECT_EQ(layout_of("ring:1"), (std::vector<Position>{{0, 0}}));
  EXPECT_EQ(layout_of("ring:2"), (std::vector<Position>{{0, 0.5}, {0, -0.5}}));
  // A square with sides of 1 on its corner: half the diagonal is 1/sqrt(2).
  EXPECT_EQ(layout_of("ring:4"), (std::vector<Position>{{0, 0.707107}, {0.707107, 0}, {0, -0.707107}, {-0.707107, 0}}));
  EXPECT_EQ(layout_of("complete:4"), layout_of("ring:4"));
  EXPECT_EQ(layout_of("circulant:4,1"), layout_of("ring:4"));
}

TEST(Layout, OfAGridHasNeighboursAtDistanceOne) {
  // The last coordinate goes right, the one before it down.
  EXPECT_EQ(layout_of("mesh:2x3"), (std::vector<Position>{{0, 0}, {1, 0}, {2, 0}, {0, -1}, {1, -1}, {2, -1}}));
  EXPECT_EQ(layout_of("torus:2x3"), layout_of("mesh:2x3"));
  EXPECT_EQ(layout_of("product:path:2*ring:3"), layout_of("mesh:2x3"));
  for (const std::string machine : {"mesh:7x9", "mesh:32x32", "path:40", "mesh:1x6"}) {
    const Topology topology = build(parse_machine(machine));
    const std::vector<Position> positions = layout_of(machine);
    for (Rank rank = 0; rank < topology.processors(); ++rank) {
      for (Port port = 0; port < topology.ports(); ++port) {
        const End there = topology.peer(rank, port);
        if (!there) continue;
        EXPECT_DOUBLE_EQ(distance(positions[rank], positions[there.rank]), 1) << machine << " " << rank;
      }
    }
  }
  // The first of three coordinates goes into the page, by 1/phi and 1/phi^2.
  const std::vector<Position> cuboid = layout_of("mesh:2x2x2");
  EXPECT_EQ(cuboid[3], (Position{1, -1}));
  EXPECT_EQ(cuboid[4], (Position{0.618034, 0.381966}));
}

TEST(Layout, OfASmallHypercubeIsASquareOrACube) {
  EXPECT_EQ(layout_of("hypercube:1"), (std::vector<Position>{{0, 0}, {1, 0}}));
  EXPECT_EQ(layout_of("hypercube:2"), (std::vector<Position>{{0, 0}, {1, 0}, {0, 1}, {1, 1}}));
  const std::vector<Position> cube = layout_of("hypercube:3");
  EXPECT_EQ(cube[1], (Position{1, 0}));
  EXPECT_EQ(cube[2], (Position{0.618034, 0.381966}));
  EXPECT_EQ(cube[4], (Position{0, 1}));
  EXPECT_EQ(cube[7], (Position{1.618034, 1.381966}));
}

TEST(Layout, OfAHypercubeHasParallelLinksAndLooksTheSameUpsideDown) {
  for (unsigned n = 1; n <= 10; ++n) {
    const std::vector<Position> cube = layout_of("hypercube:" + std::to_string(n));
    const Rank last = static_cast<Rank>(cube.size()) - 1;
    for (Rank x = 0; x <= last; ++x) {
      EXPECT_NEAR(cube[x].x + cube[last - x].x, cube[0].x + cube[last].x, 2 * millionth);
      EXPECT_NEAR(cube[x].y + cube[last - x].y, cube[0].y + cube[last].y, 2 * millionth);
      for (unsigned bit = 0; bit < n; ++bit) {
        const Rank flipped = Rank{1} << bit;
        if ((x & flipped) != 0) continue;
        EXPECT_NEAR(cube[x + flipped].x - cube[x].x, cube[flipped].x - cube[0].x, 2 * millionth);
        EXPECT_NEAR(cube[x + flipped].y - cube[x].y, cube[flipped].y - cube[0].y, 2 * millionth);
      }
    }
  }
}

/// Distance of a position from the straight line between two others.
double distance_to_line(const Position& at, const Position& from, const Position& to) {
  const Position along{to.x - from.x, to.y - from.y};
  const double square = along.x * along.x + along.y * along.y;
  const double part = std::clamp(((at.x - from.x) * along.x + (at.y - from.y) * along.y) / square, 0.0, 1.0);
  return distance(at, {from.x + part * along.x, from.y + part * along.y});
}

TEST(Layout, OfAHypercubeUpToFiveDimensionsHasStraightLinksBetweenOtherCorners) {
  for (unsigned n = 2; n <= 5; ++n) {
    const std::vector<Position> cube = layout_of("hypercube:" + std::to_string(n));
    for (Rank from = 0; from < cube.size(); ++from) {
      for (unsigned bit = 0; bit < n; ++bit) {
        const Rank to = from ^ (Rank{1} << bit);
        for (Rank other = 0; other < cube.size(); ++other) {
          if (other == from || other == to) continue;
          EXPECT_GT(distance_to_line(cube[other], cube[from], cube[to]), 0.2) << n << ": " << from << " - " << to;
        }
      }
    }
  }
}

/// The largest distance between two of the processors first .. first + count - 1.
double extent(const std::vector<Position>& positions, std::size_t first, std::size_t count) {
  double most = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    for (std::size_t j = first; j < i; ++j) most = std::max(most, distance(positions[i], positions[j]));
  }
  return most;
}

/// Expects the processors of each group of `size` to be nearer to the middle of their own group than to any other.
void expect_in_groups(const std::string& machine, std::size_t size) {
  SCOPED_TRACE(machine);
  const std::vector<Position> positions = layout_of(machine);
  std::vector<Position> middles(positions.size() / size);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    middles[i / size].x += positions[i].x / static_cast<double>(size);
    middles[i / size].y += positions[i].y / static_cast<double>(size);
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    for (std::size_t other = 0; other < middles.size(); ++other) {
      if (other == i / size) continue;
      EXPECT_LT(distance(positions[i], middles[i / size]), distance(positions[i], middles[other])) << i;
    }
  }
}

TEST(Layout, KeepsBlocksAndCopiesTogether) {
  for (const auto& [machine, block] : std::vector<std::pair<std::string, std::size_t>>{
           {"rh:2,1", 4}, {"rh:3,2", 8}, {"rh:1,1", 2}, {"ccc:3", 3}, {"ccc:5", 5}, {"product:ring:5*complete:4", 4}}) {
    expect_in_groups(machine, block);
  }
  // A copy in a product looks like the factor alone, a circle of the ccc like a ring.
  EXPECT_NEAR(extent(layout_of("product:ring:5*complete:4"), 8, 4), std::sqrt(2), 2 * millionth);
  EXPECT_NEAR(extent(layout_of("ccc:4"), 4, 4), std::sqrt(2), 2 * millionth);
}

TEST(Layout, OfThreeSymbolsIsAHexagonOfLinks) {
  for (const std::string machine : {"star:3", "pancake:3"}) {
    const Topology topology = build(parse_machine(machine));
    const std::vector<Position> positions = layout_of(machine);
    for (Rank rank = 0; rank < 6; ++rank) {
      EXPECT_NEAR(distance(positions[rank], {0, 0}), 1, millionth);
      for (const Port port : {0U, 1U}) {
        EXPECT_NEAR(distance(positions[rank], positions[topology.peer(rank, port).rank]), 1, 2 * millionth);
      }
    }
  }
}

// Links that move only the first three symbols are sides of hexagons; the others lead from circle to circle.
TEST(Layout, OfPermutationsKeepsTheirHexagons) {
  const Topology star = build(parse_machine("star:5"));
  const std::vector<Position> positions = layout_of("star:5");
  for (Rank rank = 0; rank < star.processors(); ++rank) {
    for (const Port port : {0U, 1U}) {
      EXPECT_NEAR(distance(positions[rank], positions[star.peer(rank, port).rank]), 1, 2 * millionth);
    }
  }
}

TEST(Layout, OfAShuffleExchangeHasAColumnForEveryNumberOfOnes) {
  const std::vector<Position> positions = layout_of("shuffle-exchange:3");
  EXPECT_EQ(positions[0], (Position{0, 0}));
  EXPECT_EQ(positions[7].y, 0);
  // 1, 2 and 4 are a triangle, as are 3, 6 and 5 to its right.
  EXPECT_NEAR(distance(positions[1], positions[2]), 1, 2 * millionth);
  EXPECT_NEAR(distance(positions[2], positions[4]), 1, 2 * millionth);
  EXPECT_NEAR(distance(positions[3], positions[5]), 1, 2 * millionth);
  EXPECT_NEAR(positions[3].x - positions[1].x, positions[7].x / 3, millionth);
}

TEST(Layout, OfAGraphIsThatOfItsFileIfNoTwoNodesAreAtOnePlace) {
  const test::TemporaryDirectory directory;
  const auto placed = [&directory](const std::string& second) {
    std::ofstream(directory.file("g.json")) << R"({"nodes": [{"id": 0, "x": 1, "y": 2}, {"id": 1)" + second +
                                                   R"(}], "edges": [{"source": 0, "target": 1}]})";
    return layout_of("graph:" + directory.file("g.json"));
  };
  EXPECT_EQ(placed(R"(, "x": 5, "y": -0.25)"), (std::vector<Position>{{1, 2}, {5, -0.25}}));
  const std::vector<Position> circle{{0, 0.5}, {0, -0.5}};
  EXPECT_EQ(placed(R"(, "x": 5)"), circle);
  EXPECT_EQ(placed(R"(, "x": 1, "y": 2)"), circle);
  EXPECT_EQ(placed(R"(, "x": 1, "y": 2.000001)"), circle);
  EXPECT_EQ(placed(R"(, "x": 1e10, "y": 2)"), circle);
}

}  // namespace
}  // namespace lockstep::layout_test
