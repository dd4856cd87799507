#include "lockstep/core/detail/mark_tree.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <random>
#include <set>
#include <thread>

namespace lockstep::detail::mark_tree_test {
namespace {

struct Marks {
  std::vector<Rank> received;
  std::vector<Rank> again;
};

Marks drain(MarkTree& tree) {
  Marks marks;
  std::uint64_t next_group = 0;
  tree.drain([&](const MarkTree::Group& group) {
    EXPECT_GE(group.index, next_group) << "groups come in ascending order";
    next_group = group.index + std::uint64_t{1};
    EXPECT_NE(group.received | group.again, 0U);
    for (unsigned bit = 0; bit < 64; ++bit) {
      const Rank rank = group.index * 64 + bit;
      if ((group.received >> bit & 1U) != 0) marks.received.push_back(rank);
      if ((group.again >> bit & 1U) != 0) marks.again.push_back(rank);
    }
  });
  return marks;
}

TEST(MarkTree, GivesBackWhatWasMarkedOnce) {
  for (const Rank size : {1U, 2U, 63U, 64U, 65U, 4095U, 4096U, 4097U, 262'144U, 262'145U, 1'000'000U}) {
    SCOPED_TRACE("size " + std::to_string(size));
    MarkTree tree(size);
    EXPECT_TRUE(drain(tree).received.empty());
    std::mt19937_64 random(size);
    for (int round = 0; round < 3; ++round) {
      std::set<Rank> received{0, size - 1};
      std::set<Rank> again{size - 1, size / 2};
      for (int mark = 0; mark < 100; ++mark) {
        received.insert(static_cast<Rank>(random() % size));
        again.insert(static_cast<Rank>(random() % size));
      }
      for (int times = 0; times < 2; ++times) {
        for (const Rank rank : received) tree.mark_received(rank);
        for (const Rank rank : again) tree.mark_again(rank);
      }
      const Marks marks = drain(tree);
      EXPECT_EQ(marks.received, std::vector<Rank>(received.begin(), received.end()));
      EXPECT_EQ(marks.again, std::vector<Rank>(again.begin(), again.end()));
      EXPECT_TRUE(drain(tree).again.empty()) << "draining leaves nothing";
    }
  }
}

TEST(MarkTree, OfNoProcessorsIsEmpty) {
  MarkTree tree(0);
  EXPECT_TRUE(drain(tree).received.empty());
}

TEST(MarkTree, EveryRankCanBeMarked) {
  constexpr Rank size = 5000;
  MarkTree tree(size);
  for (Rank rank = 0; rank < size; ++rank) {
    tree.mark_again(rank);
    ASSERT_EQ(drain(tree).again, std::vector<Rank>{rank});
  }
}

TEST(MarkTree, TakesMarksOfSeveralThreadsAtOnce) {
  constexpr Rank size = 10'000;
  MarkTree tree(size);
  for (std::uint64_t round = 0; round < 20; ++round) {
    std::vector<std::set<Rank>> chosen(4);
    {
      std::vector<std::jthread> threads;
      for (std::size_t part = 0; part < 4; ++part) {
        threads.emplace_back([&tree, &mine = chosen[part], seed = 4 * round + part] {
          std::mt19937_64 random(seed);
          for (int mark = 0; mark < 50; ++mark) {
            const auto rank = static_cast<Rank>(random() % size);
            mine.insert(rank);
            tree.mark_received(rank);
          }
        });
      }
    }
    std::set<Rank> all;
    for (const auto& mine : chosen) all.insert(mine.begin(), mine.end());
    EXPECT_EQ(drain(tree).received, std::vector<Rank>(all.begin(), all.end()));
  }
}

TEST(MarkTree, LosesNoMarkWhereSeveralThreadsMarkOneGroup) {
  constexpr Rank first = 4096;  // of the group; every thread has every fourth of its ranks
  MarkTree tree(10'000);
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> ready{0};
    {
      std::vector<std::jthread> threads;
      for (Rank part = 0; part < 4; ++part) {
        threads.emplace_back([&tree, &ready, part] {
          ++ready;
          while (ready != 4) {
          }
          for (Rank rank = first + part; rank < first + 64; rank += 4) {
            tree.mark_again(rank);
            tree.mark_received(rank);
          }
        });
      }
    }
    std::vector<Rank> all(64);
    std::iota(all.begin(), all.end(), first);
    const Marks marks = drain(tree);
    EXPECT_EQ(marks.again, all);
    EXPECT_EQ(marks.received, all);
  }
}

}  // namespace
}  // namespace lockstep::detail::mark_tree_test
