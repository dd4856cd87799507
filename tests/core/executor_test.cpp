// What the executors promise to their callers.
#include "lockstep/core/executor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

namespace lockstep::executor_test {
namespace {

/// The order in which an executor that chooses its own goes through `count` items.
std::vector<std::size_t> order_of(Executor& executor, std::size_t count) {
  std::vector<std::size_t> order;
  executor.for_ranges(count, [&](unsigned worker, std::size_t first, std::size_t last) {
    EXPECT_EQ(worker, 0U);
    EXPECT_EQ(last, first + 1);
    order.push_back(first);
  });
  return order;
}

TEST(SeededExecutor, DrawsANewOrderEveryTimeThatItsSeedRepeats) {
  std::vector<std::size_t> ascending(40);
  std::iota(ascending.begin(), ascending.end(), std::size_t{0});
  const auto executor = make_executor(ExecutorKind::seeded, 1, 7);
  const auto same = make_executor(ExecutorKind::seeded, 1, 7);
  const auto other = make_executor(ExecutorKind::seeded, 1, 8);
  std::vector<std::size_t> before = ascending;
  for (int time = 0; time < 5; ++time) {
    const std::vector<std::size_t> order = order_of(*executor, ascending.size());
    EXPECT_EQ(order, order_of(*same, ascending.size()));
    EXPECT_NE(order, order_of(*other, ascending.size()));
    EXPECT_NE(order, before);
    EXPECT_NE(order, ascending);
    EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), ascending.begin()));
    before = order;
  }
}

TEST(SeededExecutor, PutsEveryItemInEveryPlace) {
  const auto executor = make_executor(ExecutorKind::seeded, 1, 1);
  std::vector<int> times(4 * 4);  // of each item in each place
  for (int time = 0; time < 400; ++time) {
    const std::vector<std::size_t> order = order_of(*executor, 4);
    for (std::size_t place = 0; place < 4; ++place) ++times[4 * order[place] + place];
  }
  for (const int often : times) EXPECT_GT(often, 50);  // 100, if no place is preferred
}

TEST(Executors, DoAllWorkOnceByWorkersThatAreBusyOnceAtATime) {
  for (const ExecutorKind kind : {ExecutorKind::sequential, ExecutorKind::threads, ExecutorKind::tbb}) {
    const auto executor = make_executor(kind, 3);
    for (unsigned parts = 1; parts <= executor->workers(); ++parts) {
      for (const std::size_t count : {0U, 1U, 2U, 3U, 10U, 1000U}) {
        std::vector<std::atomic<int>> done(count);
        std::vector<std::atomic<int>> busy(parts);
        executor->for_ranges(count, parts, [&](unsigned worker, std::size_t first, std::size_t last) {
          ASSERT_LT(worker, parts);
          EXPECT_EQ(busy[worker].fetch_add(1), 0);
          for (std::size_t index = first; index < last; ++index) ++done[index];
          --busy[worker];
        });
        for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
      }
    }
  }
}

// Not before all others have ended, as they may use the caller's data.
TEST(Executors, ThrowWhatARangeThrewWhenAllHaveEnded) {
  for (const ExecutorKind kind :
       {ExecutorKind::sequential, ExecutorKind::seeded, ExecutorKind::threads, ExecutorKind::tbb}) {
    const auto executor = make_executor(kind, 3);
    for (std::size_t thrower = 0; thrower < 30; ++thrower) {
      std::atomic<std::size_t> ended = 0;
      const auto body = [&](unsigned, std::size_t first, std::size_t last) {
        if (thrower >= first && thrower < last) throw std::bad_alloc();
        ended += last - first;
      };
      EXPECT_THROW(executor->for_ranges(30, body), std::bad_alloc) << name(kind);
      EXPECT_EQ(ended, kind == ExecutorKind::sequential ? 0U : kind == ExecutorKind::seeded ? 29U : 20U) << name(kind);
    }
  }
}

TEST(Executors, HaveAsManyThreadsAsTheHostByDefault) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  for (const ExecutorKind kind : {ExecutorKind::threads, ExecutorKind::tbb}) {
    EXPECT_EQ(make_executor(kind)->workers(), cores);
    EXPECT_EQ(make_executor(kind, 3)->workers(), 3U);
  }
  for (const ExecutorKind kind : {ExecutorKind::sequential, ExecutorKind::seeded}) {
    EXPECT_EQ(make_executor(kind, 3)->workers(), 1U);
  }
}

}  // namespace
}  // namespace lockstep::executor_test
