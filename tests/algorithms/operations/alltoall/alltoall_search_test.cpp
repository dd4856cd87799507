// alltoall/search, beyond the paper (dimakopoulos.md, Search): schedules of meshes as short as the known ones (3x2: 9,
// 3x3: 19, 4x4: 51; A2 takes 11, 24 and 56) or shorter, each accepted by the validator.
#include <gtest/gtest.h>

#include "distances.hpp"
#include "lockstep/algorithms/schedule_search.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "total_exchange.hpp"

namespace lockstep::alltoall_search_test {
namespace {

using std::chrono::hours;

constexpr std::string_view search = "alltoall/search";
const std::string petersen = "graph:" LOCKSTEP_GRAPHS "/petersen.json";

/// Enough time for any host: the result depends only on the seed.
FoundSchedule found(const std::string& machine, std::uint64_t seed, std::uint64_t tries) {
  const MachineSpec spec = parse_machine(machine);
  const Topology topology = build(spec);
  FoundSchedule found =
      search_steps(topology, facts(spec).total_exchange_bound.value(), seed, {.tries = tries, .time = hours(1)});
  EXPECT_NO_THROW(validate(Schedule{topology.processors(), found.steps}, topology, {}));
  std::uint64_t moves = 0;
  for (const auto& step : found.steps) moves += step.size();
  EXPECT_EQ(moves, sum_of_distances(topology));
  EXPECT_FALSE(found.out_of_time);
  return found;
}

TEST(SearchedSchedule, IsNoLongerThanTheOnesKnown) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    EXPECT_EQ(found("mesh:3x2", seed, 2'000).steps.size(), 9U);  // = ceil(AS)
    EXPECT_LE(found("mesh:3x3", seed, 2'000).steps.size(), 19U);
    EXPECT_LE(found("mesh:4x4", seed, 2'000).steps.size(), 51U);
    EXPECT_LE(found(petersen, seed, 2'000).steps.size(), 17U);
  }
}

TEST(SearchedSchedule, IsBetterStill) {
  EXPECT_EQ(found("mesh:3x3", 1, 5'000).steps.size(), 18U);
  EXPECT_LE(found("mesh:4x4", 1, 5'000).steps.size(), 45U);
  EXPECT_EQ(found(petersen, 1, 5'000).steps.size(), 15U);  // = AS
}

TEST(SearchedSchedule, MeetsTheBoundWhereOthersDo) {
  for (const auto& [machine, steps] :
       {std::pair{"path:7", 24U}, std::pair{"ring:7", 12U}, std::pair{"torus:4x3", 20U}, std::pair{"hypercube:4", 32U},
        std::pair{"complete:6", 5U}, std::pair{"ring:1", 0U}, std::pair{"path:2", 1U}}) {
    SCOPED_TRACE(machine);
    EXPECT_EQ(found(machine, 3, 20'000).steps.size(), steps);
  }
}

TEST(SearchedSchedule, DependsOnTheSeedAlone) {
  const FoundSchedule first = found("mesh:3x4", 5, 500);
  const FoundSchedule again = found("mesh:3x4", 5, 500);
  EXPECT_EQ(first.steps, again.steps);
  EXPECT_EQ(first.ways_tried, again.ways_tried);
  EXPECT_NE(first.steps, found("mesh:3x4", 6, 500).steps);
}

TEST(SearchedSchedule, IsAtLeastTheGreedyOneWhenTheTimeIsUp) {
  const Topology topology = build(parse_machine("mesh:4x4"));
  const FoundSchedule none = search_steps(topology, 40, 1, {.tries = 100, .time = std::chrono::seconds(0)});
  EXPECT_TRUE(none.out_of_time);
  EXPECT_EQ(none.ways_tried, 0U);
  EXPECT_EQ(none.steps, greedy_steps(topology));
}

Settings search_settings(std::uint64_t words, std::uint64_t tries) {
  Settings settings = block_settings(words);
  settings.tries = tries;
  settings.time_limit = 3600;
  return settings;
}

TEST(AlltoallSearch, MovesEveryMessageAShortestWay) {
  for (const std::string& text : {std::string("mesh:3x3"), petersen, std::string("shuffle-exchange:4")}) {
    SCOPED_TRACE(text);
    const BuiltMachine machine(text);
    for (const auto& [ports, b] : {std::pair(PortModel::one, 1U), std::pair(PortModel::all, 3U)}) {
      const Outcome outcome = machine.run(search, model_of(ports), search_settings(b, 200));
      EXPECT_EQ(outcome.wrong, "");
      EXPECT_EQ(outcome.report.messages, sum_of_distances(machine.topology));
      EXPECT_EQ(outcome.report.longest_sum, b * outcome.report.steps);
      ASSERT_EQ(outcome.measures.size(), 2U);
      EXPECT_EQ(outcome.measures[0].name, "ways_tried");
      EXPECT_GE(outcome.measures[0].value, 1U);
      EXPECT_EQ(outcome.measures[1].name, "out_of_time");
      EXPECT_EQ(outcome.measures[1].value, 0U);
    }
  }
}

TEST(AlltoallSearch, HasDefaultsAndLimits) {
  Settings settings = resolved(search, "mesh:3x3");
  EXPECT_EQ(settings.tries, 100'000U);
  EXPECT_EQ(settings.time_limit, 10U);
  EXPECT_EQ(refusal(search, "mesh:3x3", search_settings(1, 0)), "--tries 0 is out of range: 1 to 2147483648");
  settings.time_limit = 0;
  EXPECT_EQ(refusal(search, "mesh:3x3", settings), "--time-limit 0 is out of range: 1 to 86400");
}

TEST(AlltoallSearch, CatchesEveryFault) { expect_catches_faults(search, "mesh:3x2", search_settings(2, 100)); }

}  // namespace
}  // namespace lockstep::alltoall_search_test
