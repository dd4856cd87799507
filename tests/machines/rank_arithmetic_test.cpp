// Arithmetic on the ranks of media, computed by hand from saad-schultz-1988.md, Switch and Shared memory.
#include "lockstep/machines/rank_arithmetic.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace lockstep::rank_arithmetic_test {
namespace {

TEST(RankArithmetic, LeavesOneRankOut) {
  using Ranks = std::vector<Rank>;
  EXPECT_EQ(all_but(0, 4), (Ranks{1, 2, 3}));
  EXPECT_EQ(all_but(2, 4), (Ranks{0, 1, 3}));
  EXPECT_EQ(all_but(0, 1), Ranks{});
  for (Rank without = 0; without < 6; ++without) {
    const Ranks others = all_but(without, 6);
    for (Rank place = 0; place < others.size(); ++place) EXPECT_EQ(place_without(without, others[place]), place);
  }
}

TEST(RankArithmetic, CountsModuloTheProcessors) {
  EXPECT_EQ(shifted(3, 4, 5), 2U);
  EXPECT_EQ(shifted(3, 0, 5), 3U);
  EXPECT_EQ(offset_from(3, 2, 5), 4U);
  EXPECT_EQ(offset_from(3, 3, 5), 0U);
  EXPECT_EQ(offset_from(1, 4, 5), 3U);
}

TEST(RankArithmetic, CountsTheStepsOfASwitchAndABus) {
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> steps_of{{1, 0}, {2, 1}, {3, 2},
                                                                      {4, 2}, {5, 3}, {1024, 10}};
  for (const auto& [processors, steps] : steps_of) {
    EXPECT_EQ(doublings(processors), steps) << processors;
  }
  const Model alone;
  const Model multicast{.multicast = true};
  EXPECT_EQ(broadcast_steps(parse_machine("switch:9"), multicast), 4U);
  EXPECT_EQ(broadcast_steps(parse_machine("bus:9"), alone), 4U);
  EXPECT_EQ(broadcast_steps(parse_machine("bus:9"), multicast), 1U);
  EXPECT_EQ(broadcast_steps(parse_machine("bus:1"), multicast), 0U);
}

TEST(RankArithmetic, CountsTheRoundsOfAMemory) {
  const Medium four{.kind = MediumKind::memory, .users = 4};
  const Medium two_banks{.kind = MediumKind::memory, .users = 4, .banks = 2};
  const Medium many_banks{.kind = MediumKind::memory, .users = 4, .banks = 16};
  EXPECT_EQ(rounds(four, 8), 2U);
  EXPECT_EQ(rounds(four, 9), 3U);
  EXPECT_EQ(rounds(four, 0), 0U);
  EXPECT_EQ(rounds(two_banks, 9), 5U);
  EXPECT_EQ(rounds(many_banks, 9), 3U);
  EXPECT_EQ(round_of(four, 7), 1U);
  EXPECT_EQ(round_of(two_banks, 7), 3U);
}

}  // namespace
}  // namespace lockstep::rank_arithmetic_test
