// Girth, connectivity, bisection and spectral gap: published values, and small random graphs whose subsets are all
// tried.
#include "lockstep/machines/graph_measures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "../temporary_directory.hpp"

namespace lockstep::graph_measures_test {
namespace {

struct Known {
  std::string machine;
  std::uint64_t girth;
  std::uint64_t links;
  std::uint64_t processors;
  std::uint64_t halves;
  double gap;
};

const double ring_of_8 = 2 - std::numbers::sqrt2;

TEST(GraphMeasures, OfKnownGraphs) {
  for (const auto& [machine, girth, links, processors, halves, gap] :
       {Known{"graph:" LOCKSTEP_GRAPHS "/petersen.json", 5, 3, 3, 5, 2}, Known{"hypercube:4", 4, 4, 4, 8, 2},
        Known{"ring:8", 8, 2, 2, 2, ring_of_8}, Known{"path:8", 0, 1, 1, 1, 2 - 2 * std::cos(std::numbers::pi / 8)},
        Known{"complete:6", 3, 5, 5, 9, 6}, Known{"torus:3x4", 3, 4, 4, 6, 2}, Known{"mesh:4x4", 4, 2, 2, 4, ring_of_8},
        Known{"path:2", 0, 1, 1, 1, 2}, Known{"hypercube:3+1", 4, 2, 2, 5, 0}}) {
    const GraphMeasures measures = graph_measures(parse_machine(machine));
    EXPECT_EQ(measures.girth, girth) << machine;
    EXPECT_EQ(measures.link_connectivity, links) << machine;
    EXPECT_EQ(measures.processor_connectivity, processors) << machine;
    EXPECT_EQ(measures.bisection_width, halves) << machine;
    if (gap > 0) {
      EXPECT_NEAR(*measures.spectral_gap, gap, 1e-9) << machine;
    }
  }
}

TEST(GraphMeasures, OfLargeAndSmallMachines) {
  const GraphMeasures large = graph_measures(parse_machine("hypercube:16"));
  EXPECT_EQ(large.girth, 4U);
  EXPECT_EQ(large.link_connectivity, 16U);
  EXPECT_FALSE(large.processor_connectivity);
  EXPECT_FALSE(large.bisection_width);
  EXPECT_DOUBLE_EQ(*large.spectral_gap, 2);
  EXPECT_DOUBLE_EQ(*graph_measures(parse_machine("torus:1000x1000x4")).spectral_gap,
                   2 - 2 * std::cos(2 * std::numbers::pi / 1000));
  const GraphMeasures one = graph_measures(parse_machine("ring:1"));
  EXPECT_EQ(one.girth, 0U);
  EXPECT_EQ(one.link_connectivity, 0U);
  EXPECT_FALSE(one.spectral_gap);
  EXPECT_FALSE(graph_measures(parse_machine("bus:4")).girth);
}

using Links = std::vector<std::pair<unsigned, unsigned>>;

bool is_connected(const Links& links, std::uint32_t left) {
  std::uint32_t reached = left & (~left + 1);
  for (std::uint32_t last = 0; last != reached;) {
    last = reached;
    for (const auto& [a, b] : links) {
      if (((left >> a) & (left >> b) & 1) == 0) continue;
      if (((reached >> a | reached >> b) & 1) != 0) reached |= 1U << a | 1U << b;
    }
  }
  return reached == left;
}

// Every subset of processors and, with few links, of links.
TEST(GraphMeasures, AreThoseOfAllSubsets) {
  const test::TemporaryDirectory directory;
  std::mt19937_64 random(9);
  for (unsigned trial = 0; trial < 40; ++trial) {
    const auto p = static_cast<unsigned>(3 + random() % 5);
    Links links;
    for (unsigned b = 1; b < p; ++b) links.emplace_back(random() % b, b);
    for (unsigned more = 0; more < p; ++more) {
      const std::pair<unsigned, unsigned> one(random() % (p - 1), p - 1);
      if (std::ranges::count(links, one) == 0) links.push_back(one);
    }
    const std::string file = directory.file("a.edges");
    {
      std::ofstream edges(file);
      for (const auto& [a, b] : links) edges << a << ' ' << b << '\n';
    }
    const std::uint32_t all = (1U << p) - 1;
    unsigned processors = p - 1;
    unsigned halves = ~0U;
    for (std::uint32_t set = 0; set <= all; ++set) {
      const auto size = static_cast<unsigned>(std::popcount(set));
      if (size < p && !is_connected(links, all & ~set)) processors = std::min(processors, size);
      if (size != p / 2) continue;
      halves = std::min(halves, static_cast<unsigned>(std::ranges::count_if(links, [&](const auto& link) {
                          return ((set >> link.first ^ set >> link.second) & 1) != 0;
                        })));
    }
    auto fewest = static_cast<unsigned>(links.size());
    for (std::uint32_t set = 0; set < 1U << links.size(); ++set) {
      if (static_cast<unsigned>(std::popcount(set)) >= fewest) continue;
      Links left;
      for (std::size_t link = 0; link < links.size(); ++link) {
        if ((set >> link & 1) == 0) left.push_back(links[link]);
      }
      if (!is_connected(left, all)) fewest = static_cast<unsigned>(std::popcount(set));
    }
    const GraphMeasures measures = graph_measures(parse_machine("graph:" + file));
    SCOPED_TRACE("seed 9, trial " + std::to_string(trial));
    EXPECT_EQ(measures.processor_connectivity, processors);
    EXPECT_EQ(measures.link_connectivity, fewest);
    EXPECT_EQ(measures.bisection_width, halves);
  }
}

}  // namespace
}  // namespace lockstep::graph_measures_test
