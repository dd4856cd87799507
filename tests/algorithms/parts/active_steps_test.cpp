// A schedule that says between which steps a rank has messages has none outside them, and one in the first.
#include <gtest/gtest.h>

#include "lockstep/machines/rank_arithmetic.hpp"
#include "operations/broadcast/schedules.hpp"

namespace lockstep::active_steps_test {
namespace {

using parts::PartSchedule;
using parts::PartStep;
using parts::StepRange;

bool has_message(const PartSchedule& schedule, Rank rank, Cycle step) {
  for (Cycle lane = 0; lane < schedule.lanes; ++lane) {
    const PartStep one = schedule.at(rank, step * schedule.lanes + lane);
    if (one.to != no_rank || one.from != no_rank) return true;
  }
  return false;
}

void expect_no_message_outside(const PartSchedule& schedule, Rank ranks) {
  ASSERT_TRUE(schedule.active);
  for (Rank rank = 0; rank < ranks; ++rank) {
    const auto [first, end] = schedule.active_steps(rank);
    ASSERT_LE(first, end);
    ASSERT_LE(end, schedule.steps);
    for (Cycle step = 0; step < schedule.steps; ++step) {
      if (step < first || step >= end) {
        EXPECT_FALSE(has_message(schedule, rank, step)) << rank << " in " << step;
      } else if (step == first) {
        EXPECT_TRUE(has_message(schedule, rank, step)) << rank << " in " << step;
      }
    }
  }
}

/// Forth, from another root, and backwards.
void expect_no_message_outside_in_any(const PartSchedule& schedule, Rank ranks) {
  expect_no_message_outside(schedule, ranks);
  const Rank root = ranks / 3;
  const PartSchedule from_root = parts::moved(
      schedule, [=](Rank rank) { return shifted(rank, ranks - root, ranks); },
      [=](Rank place) { return shifted(place, root, ranks); });
  expect_no_message_outside(from_root, ranks);
  const PartSchedule twice = parts::reversed(parts::reversed(from_root));
  expect_no_message_outside(twice, ranks);
  for (Rank rank = 0; rank < ranks; ++rank) {
    const StepRange forth = from_root.active_steps(rank);
    const StepRange back = parts::reversed(from_root).active_steps(rank);
    EXPECT_EQ(back.first, schedule.steps - forth.end);
    EXPECT_EQ(back.end, schedule.steps - forth.first);
  }
}

TEST(ActiveSteps, OfAChainAreThoseOfItsPackets) {
  for (const Rank ranks : {1U, 2U, 3U, 7U, 16U}) {
    for (const std::uint64_t packets : {1U, 2U, 5U, 30U}) {
      SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(packets) + " packets");
      const PartSchedule schedule = broadcast::chain(ranks, packets);
      expect_no_message_outside_in_any(schedule, ranks);
      for (Rank rank = 1; rank + 1 < ranks; ++rank) {
        const auto [first, end] = schedule.active_steps(rank);
        EXPECT_EQ(end - first, packets + 1) << "a receipt, and the sends a step later";
      }
    }
  }
}

TEST(ActiveSteps, OfAKNomialTreeBeginWithTheReceipt) {
  for (const Rank ranks : {1U, 2U, 3U, 8U, 9U, 26U, 81U, 100U}) {
    for (const std::uint64_t radix : {2U, 3U, 5U, 100U}) {
      for (const std::uint64_t at_once : {1U, 2U, 4U}) {
        SCOPED_TRACE(std::to_string(ranks) + " ranks, radix " + std::to_string(radix) + ", " + std::to_string(at_once) +
                     " at once");
        expect_no_message_outside_in_any(broadcast::KNomial{ranks, radix, at_once}.schedule(), ranks);
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::active_steps_test
