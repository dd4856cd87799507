// Links and processors that fail at random: every set with the same chance.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "flags/fault_options.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::test::drawn_faults_test {
namespace {

using cli::flags::FaultArguments;
using cli::flags::RandomFaults;

FaultArguments drawn(std::optional<RandomFaults> links, std::optional<RandomFaults> processors, std::uint64_t seed,
                     const std::string& machine) {
  FaultArguments arguments{.links = links, .processors = processors};
  arguments.messages.seed = seed;
  draw_faults(arguments, build(parse_machine(machine)));
  return arguments;
}

// A ring of 4 has 4 links, which have 6 pairs: 1200 seeds draw each about 200 times, with a standard deviation of 13.
TEST(DrawnFaults, AreEquallyLikely) {
  std::map<std::set<std::pair<Rank, Rank>>, int> links;
  std::map<std::set<Rank>, int> processors;
  for (std::uint64_t seed = 1; seed <= 1200; ++seed) {
    const Faults faults = drawn(RandomFaults{.count = 2}, RandomFaults{.count = 2}, seed, "ring:4").faults;
    ASSERT_EQ(faults.links.size(), 2U);
    ASSERT_EQ(faults.processors.size(), 2U);
    std::set<std::pair<Rank, Rank>> pair;
    for (const LinkFault& fault : faults.links) pair.emplace(fault.a, fault.b);
    ++links[pair];
    ++processors[{faults.processors[0].rank, faults.processors[1].rank}];
  }
  ASSERT_EQ(links.size(), 6U);
  ASSERT_EQ(processors.size(), 6U);
  for (const auto& [pair, times] : links) EXPECT_NEAR(times, 200, 65);
  for (const auto& [pair, times] : processors) EXPECT_NEAR(times, 200, 65);
}

// Of 12 links 12% are 1.44, 13% are 1.56.
TEST(DrawnFaults, AreRoundedToTheNearestNumber) {
  for (const auto& [percent, number] :
       {std::pair(0.0, 0U), std::pair(12.0, 1U), std::pair(13.0, 2U), std::pair(100.0, 12U)}) {
    EXPECT_EQ(drawn(RandomFaults{.percent = percent, .from = 3}, {}, 1, "hypercube:3").faults.links.size(), number);
  }
  const Faults faults = drawn({}, RandomFaults{.percent = 50, .from = 3}, 1, "bus:4").faults;
  ASSERT_EQ(faults.processors.size(), 2U);
  EXPECT_EQ(faults.processors[0].from, 3U);
}

// Both ways round a ring of two, one of its processors is the other's neighbour.
TEST(DrawnFaults, CountLinksBetweenTheSameRanksOnce) {
  EXPECT_EQ(drawn(RandomFaults{.percent = 100}, {}, 1, "ring:2").faults.links.size(), 1U);
}

}  // namespace
}  // namespace lockstep::test::drawn_faults_test
