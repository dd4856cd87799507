// Processors that would wait forever end the run, and the error names the processors that they wait for.
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::deadlock_test {
namespace {

using runs::failure_of;
using runs::on_every_executor;
using runs::options;

using Self = Processor<Word>;

constexpr Port any = ~Port{0};

/// The ports on which a rank waits, and its first cycle of waiting.
struct Wish {
  bool waits = false;
  Port port = 0;
  Cycle since = 0;
};

Process wait_for(Self& self, Wish wish) {
  const runs::Counted local;
  co_await self.until(wish.since);
  if (!wish.waits) co_return;
  if (wish.port == any) {
    co_await self.message();
  } else {
    co_await self.message(wish.port);
  }
  ADD_FAILURE() << "a message came";
}

void expect_deadlock(const Topology& topology, const std::vector<Wish>& wishes, Cycle cycle, const std::string& text,
                     const std::string& dot, const std::vector<Rank>& ranks) {
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(topology, {}, executor);
    const auto error = failure_of<DeadlockError>(
        machine, [&](Self& self) { return wait_for(self, wishes[self.rank()]); }, options("op/method"));
    EXPECT_EQ(error.kind(), ErrorKind::deadlock);
    EXPECT_FALSE(error.is_violation());
    EXPECT_EQ(error.cycle(), cycle);
    EXPECT_EQ(error.rank(), ranks.front());
    EXPECT_STREQ(error.what(), text.c_str());
    EXPECT_EQ(error.dot(), dot);
    std::vector<Rank> named;
    for (const Wait& wait : error.waits()) {
      named.push_back(wait.rank);
      EXPECT_EQ(wait.since, wishes[wait.rank].since);
      EXPECT_EQ(wait.any_port, wishes[wait.rank].port == any);
    }
    EXPECT_EQ(named, ranks);
    EXPECT_EQ(runs::Counted::alive, 0);
  });
}

TEST(Deadlock, NamesTheCycleOfWaits) {
  // Ring of five: 1 waits for 2, 2 for 3, 3 for 2: the cycle is 2, 3; rank 1 only waits for it.
  expect_deadlock(wirings::ring(5), {{}, {true, 0, 1}, {true, 0, 4}, {true, 1, 2}, {}}, 4,
                  "op/method: deadlock in cycle 4: rank 2 waits on port 0 for rank 3 since cycle 4; "
                  "rank 3 waits on port 1 for rank 2 since cycle 2",
                  "digraph deadlock {\n"
                  "  2 -> 3 [label=\"port 0 since cycle 4\"];\n"
                  "  3 -> 2 [label=\"port 1 since cycle 2\"];\n"
                  "}\n",
                  {2, 3});
}

TEST(Deadlock, StartsTheCycleAtItsLowestRankWhereverItIsFound) {
  // Ring of five: 0 waits for 4, which waits for 3, which waits for 4.
  expect_deadlock(wirings::ring(5), {{true, 1, 0}, {}, {}, {true, 0, 1}, {true, 1, 2}}, 2,
                  "op/method: deadlock in cycle 2: rank 3 waits on port 0 for rank 4 since cycle 1; "
                  "rank 4 waits on port 1 for rank 3 since cycle 2",
                  "digraph deadlock {\n"
                  "  3 -> 4 [label=\"port 0 since cycle 1\"];\n"
                  "  4 -> 3 [label=\"port 1 since cycle 2\"];\n"
                  "}\n",
                  {3, 4});
}

TEST(Deadlock, StartsTheCycleAtItsLowestRankAndCutsALongOneShort) {
  // Each rank waits for the rank below: 0 for 7, 7 for 6, ...
  std::string dot = "digraph deadlock {\n  0 -> 7 [label=\"port 1 since cycle 0\"];\n";
  for (int rank = 7; rank > 0; --rank) {
    dot += "  " + std::to_string(rank) + " -> " + std::to_string(rank - 1) + " [label=\"port 1 since cycle 0\"];\n";
  }
  expect_deadlock(wirings::ring(8), std::vector<Wish>(8, {true, 1, 0}), 0,
                  "op/method: deadlock in cycle 0: rank 0 waits on port 1 for rank 7 since cycle 0; "
                  "rank 7 waits on port 1 for rank 6 since cycle 0; rank 6 waits on port 1 for rank 5 since cycle 0; "
                  "rank 5 waits on port 1 for rank 4 since cycle 0; rank 4 waits on port 1 for rank 3 since cycle 0; "
                  "rank 3 waits on port 1 for rank 2 since cycle 0; and 2 more",
                  dot + "}\n", {0, 7, 6, 5, 4, 3, 2, 1});
}

TEST(Deadlock, PrefersACycleToAChain) {
  // Path of six: 0 waits for 1, whose program ends; 3 and 4 wait for each other.
  expect_deadlock(wirings::path(6), {{true, 0, 0}, {}, {}, {true, 0, 0}, {true, 1, 3}, {}}, 3,
                  "op/method: deadlock in cycle 3: rank 3 waits on port 0 for rank 4 since cycle 0; "
                  "rank 4 waits on port 1 for rank 3 since cycle 3",
                  "digraph deadlock {\n"
                  "  3 -> 4 [label=\"port 0 since cycle 0\"];\n"
                  "  4 -> 3 [label=\"port 1 since cycle 3\"];\n"
                  "}\n",
                  {3, 4});
}

TEST(Deadlock, FollowsAChainToAProgramThatHasEnded) {
  expect_deadlock(wirings::path(4), {{true, 0, 0}, {true, 0, 2}, {false, 0, 5}, {}}, 5,
                  "op/method: deadlock in cycle 5: rank 0 waits on port 0 for rank 1 since cycle 0; "
                  "rank 1 waits on port 0 for rank 2 since cycle 2, whose program has ended",
                  "digraph deadlock {\n"
                  "  0 -> 1 [label=\"port 0 since cycle 0\"];\n"
                  "  2 [style=dashed];\n"
                  "  1 -> 2 [label=\"port 0 since cycle 2\"];\n"
                  "}\n",
                  {0, 1});
}

TEST(Deadlock, OfOneThatWaitsOnAnyPortNamesANeighbourThatStillRuns) {
  // Rank 1 waits on any port; rank 2 has ended, rank 0 waits for rank 1.
  expect_deadlock(wirings::path(3), {{true, 0, 0}, {true, any, 3}, {}}, 3,
                  "op/method: deadlock in cycle 3: rank 0 waits on port 0 for rank 1 since cycle 0; "
                  "rank 1 waits on any port for rank 0 since cycle 3",
                  "digraph deadlock {\n"
                  "  0 -> 1 [label=\"port 0 since cycle 0\"];\n"
                  "  1 -> 0 [label=\"any port since cycle 3\"];\n"
                  "}\n",
                  {0, 1});
}

TEST(Deadlock, OfOneThatWaitsOnAnyPortOfEndedNeighbours) {
  expect_deadlock(wirings::path(3), {{}, {true, any, 2}, {}}, 2,
                  "op/method: deadlock in cycle 2: rank 1 waits on any port for rank 2 since cycle 2, whose program "
                  "has ended",
                  "digraph deadlock {\n"
                  "  2 [style=dashed];\n"
                  "  1 -> 2 [label=\"any port since cycle 2\"];\n"
                  "}\n",
                  {1});
}

TEST(Deadlock, OfOneWithoutNeighbours) {
  expect_deadlock(wirings::single(), {{true, any, 7}}, 7,
                  "op/method: deadlock in cycle 7: rank 0 waits on any port since cycle 7", "digraph deadlock {\n}\n",
                  {0});
}

Process exchange_alone(Self& self) {
  if (self.rank() == 0) co_await self.exchange(0, Word{1});
  co_await self.until(3);
  if (self.arrived(0)) self.receive(0);
}

TEST(Deadlock, AnExchangeWaitsSinceTheCycleOfItsSending) {
  const Topology two = wirings::pair();
  Machine<Word> machine(two);
  const auto error = failure_of<DeadlockError>(machine, exchange_alone);
  ASSERT_EQ(error.waits().size(), 1U);
  EXPECT_EQ(error.waits()[0].since, 0U);
  EXPECT_TRUE(error.waits()[0].neighbour_ended);
}

TEST(Deadlock, IsFoundAfterMessagesForOthersHaveComeAndGone) {
  // Rank 1 is woken by messages on port 1 but waits on port 0.
  struct Program {
    static Process run(Self& self) {
      if (self.rank() == 0) {
        self.send(0, 1);
        co_await self.cycle();
        self.send(0, 2);
      } else if (self.rank() == 1) {
        co_await self.message(0);
      }
    }
  };
  const Topology three = wirings::path(3);
  on_every_executor(3, [&](Executor& executor) {
    Machine<Word> machine(three, {}, executor);
    const auto error = failure_of<DeadlockError>(machine, Program::run);
    EXPECT_STREQ(error.what(),
                 "test: deadlock in cycle 2: rank 1 waits on port 0 for rank 2 since cycle 0, whose program has ended");
  });
}

}  // namespace
}  // namespace lockstep::deadlock_test
