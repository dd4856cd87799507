// When messages become visible, and how the verbs that wait treat the clock.
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::timing_test {
namespace {

using runs::on_every_executor_and_channel;
using runs::options;

/// The two processors of a pair, with the sender as the lower and as the higher rank.
constexpr std::array<Rank, 2> either_rank{0, 1};

Process send_once(Processor<Word>& self, Cycle cycle, Word item) {
  co_await self.until(cycle);
  self.send(0, item);
}

Process watch(Processor<Word>& self, Cycle until, std::vector<bool>& seen, std::vector<bool>& listed) {
  while (self.now() < until) {
    seen.push_back(self.arrived(0));
    listed.push_back(self.arrivals().begin() != self.arrivals().end());
    co_await self.cycle();
  }
  const Message<Word> message = self.receive(0);
  EXPECT_EQ(message.payload, 7U);
  EXPECT_EQ(message.port, 0U);
}

TEST(Timing, AMessageIsSeenFromTheNextCycleOnAndNeverEarlier) {
  const Topology two = wirings::pair();
  for (const Rank sender : either_rank) {
    on_every_executor_and_channel(20, [&](Executor& executor, ChannelKind channels) {
      Machine<Word> machine(two, {}, executor, channels);
      std::vector<bool> seen;
      std::vector<bool> listed;
      machine.run(
          [&](Processor<Word>& self) {
            return self.rank() == sender ? send_once(self, 3, 7) : watch(self, 7, seen, listed);
          },
          options());
      const std::vector<bool> from_four_on{false, false, false, false, true, true, true};
      EXPECT_EQ(seen, from_four_on);
      EXPECT_EQ(listed, from_four_on);
    });
  }
}

enum class Verb { message, any_message, receive };

Process take_when_there(Processor<Word>& self, Verb verb, Cycle from, Cycle& taken_in, Word& item) {
  co_await self.until(from);
  if (verb == Verb::message) {
    item = co_await self.message(0);
  } else if (verb == Verb::any_message) {
    item = co_await self.message();
  } else {
    while (!self.arrived(0)) co_await self.cycle();
    item = self.receive(0);
  }
  taken_in = self.now();
}

TEST(Timing, EveryVerbTakesAMessageInTheSameCycle) {
  const Topology two = wirings::pair();
  for (const Verb verb : {Verb::message, Verb::any_message, Verb::receive}) {
    for (const Rank sender : either_rank) {
      // The receiver comes before, in the cycle of sending, when the message arrives, and later.
      for (const Cycle from : {0U, 2U, 3U, 6U}) {
        on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
          Machine<Word> machine(two, {}, executor, channels);
          Cycle taken_in = 0;
          Word item = 0;
          machine.run(
              [&](Processor<Word>& self) {
                return self.rank() == sender ? send_once(self, 2, 9)
                                             : take_when_there(self, verb, from, taken_in, item);
              },
              options());
          EXPECT_EQ(taken_in, std::max<Cycle>(3, from));
          EXPECT_EQ(item, 9U);
        });
      }
    }
  }
}

Process leaf(Processor<Word>& self, Cycle cycle) {
  co_await self.until(cycle);
  self.send(0, Word{self.rank()});
}

Process take_three(Processor<Word>& self, std::vector<Port>& order, std::vector<Cycle>& cycles) {
  for (int count = 0; count < 3; ++count) {
    const Message<Word> message = co_await self.message();
    order.push_back(message.port);
    cycles.push_back(self.now());
    EXPECT_EQ(message.payload, Word{message.port} + 1);
  }
}

TEST(Timing, MessageOfAnyPortTakesTheLowest) {
  const Topology hub = wirings::star(3);
  on_every_executor_and_channel(20, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(hub, {.ports = PortModel::all}, executor, channels);
    std::vector<Port> order;
    std::vector<Cycle> cycles;
    // Leaf 3 (port 2) sends a cycle before the others.
    machine.run(
        [&](Processor<Word>& self) {
          return self.rank() == 0 ? take_three(self, order, cycles) : leaf(self, self.rank() == 3 ? 1 : 2);
        },
        options());
    EXPECT_EQ(order, (std::vector<Port>{2, 0, 1}));
    EXPECT_EQ(cycles, (std::vector<Cycle>{2, 3, 3}));
  });
}

Process take_by_arrivals(Processor<Word>& self, std::vector<Port>& order) {
  co_await self.until(5);
  for (const Port port : self.arrivals()) {
    order.push_back(port);
    if (port == 1) self.receive(port);
  }
  for (const Port port : self.arrivals()) order.push_back(self.receive(port).port);
  EXPECT_TRUE(self.arrivals().begin() == self.arrivals().end());
}

TEST(Timing, ArrivalsAreListedAscendingAndMayBeTakenOnTheWay) {
  const Topology hub = wirings::star(3);
  Machine<Word> machine(hub, {.ports = PortModel::all});
  std::vector<Port> order;
  machine.run([&](Processor<Word>& self) {
    return self.rank() == 0 ? take_by_arrivals(self, order) : leaf(self, 3 - self.rank());
  });
  EXPECT_EQ(order, (std::vector<Port>{0, 1, 2, 0, 2}));
}

Process sleep_and_note(Processor<Word>& self, std::vector<Cycle> wishes, std::vector<Cycle>& noted) {
  for (const Cycle wish : wishes) {
    co_await self.until(wish);
    noted.push_back(self.now());
  }
}

TEST(Timing, UntilSleepsAndGoesOnAtOnceWhenItIsPast) {
  const Topology two = wirings::pair();
  on_every_executor_and_channel(3, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(two, {}, executor, channels);
    std::array<std::vector<Cycle>, 2> noted;
    const Report report = machine.run(
        [&](Processor<Word>& self) {
          std::vector<Cycle> wishes = self.rank() == 0 ? std::vector<Cycle>{0, 4, 2, 4, 5, 1'000'000}
                                                       : std::vector<Cycle>{3, 900'000, 900'001, 1'000'000};
          return sleep_and_note(self, std::move(wishes), noted[self.rank()]);
        },
        options());
    EXPECT_EQ(noted[0], (std::vector<Cycle>{0, 4, 4, 4, 5, 1'000'000}));
    EXPECT_EQ(noted[1], (std::vector<Cycle>{3, 900'000, 900'001, 1'000'000}));
    // The clock jumps: each processor is resumed at the start and at every later wish.
    EXPECT_EQ(report.visits, 4U + 5U);
    EXPECT_EQ(report.cycles, 0U);
    EXPECT_EQ(report.steps, 0U);
  });
}

Process sleep_through(Processor<Word>& self, Cycle& woken, std::vector<Word>& items) {
  co_await self.until(10);
  woken = self.now();
  while (self.arrived(0)) items.push_back(self.receive(0));
}

Process send_two(Processor<Word>& self) {
  self.send(0, Word{1});
  co_await self.until(4);
  self.send(0, Word{2});
}

TEST(Timing, AMessageDoesNotWakeASleeperEarly) {
  const Topology two = wirings::pair();
  on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(two, {}, executor, channels);
    Cycle woken = 0;
    std::vector<Word> items;
    machine.run(
        [&](Processor<Word>& self) { return self.rank() == 1 ? sleep_through(self, woken, items) : send_two(self); },
        options());
    EXPECT_EQ(woken, 10U);
    EXPECT_EQ(items, (std::vector<Word>{1, 2}));
  });
}

Process swap_rounds(Processor<Word>& self, unsigned rounds, std::vector<Word>& got) {
  for (unsigned round = 0; round < rounds; ++round) {
    const Cycle before = self.now();
    const Word sent = 100 * self.rank() + round;
    got.push_back(co_await self.exchange(0, sent));
    EXPECT_EQ(self.now(), before + 1);
  }
}

TEST(Timing, ExchangeSendsEndsTheCycleAndReceives) {
  const Topology two = wirings::pair();
  on_every_executor_and_channel(20, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(two, {}, executor, channels);
    std::array<std::vector<Word>, 2> got;
    const Report report =
        machine.run([&](Processor<Word>& self) { return swap_rounds(self, 3, got[self.rank()]); }, options());
    EXPECT_EQ(got[0], (std::vector<Word>{100, 101, 102}));
    EXPECT_EQ(got[1], (std::vector<Word>{0, 1, 2}));
    EXPECT_EQ(report.cycles, 3U);
    EXPECT_EQ(report.messages, 6U);
  });
}

Process exchange_from(Processor<Word>& self, Cycle start, Cycle& taken_in, Word& got) {
  co_await self.until(start);
  const Word sent = 10 + self.rank();
  got = co_await self.exchange(0, sent);
  taken_in = self.now();
}

TEST(Timing, ExchangeWaitsForALateNeighbourAndTakesWhatCameBefore) {
  const Topology two = wirings::pair();
  on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(two, {}, executor, channels);
    std::array<Cycle, 2> taken_in{};
    std::array<Word, 2> got{};
    machine.run(
        [&](Processor<Word>& self) {
          const Rank rank = self.rank();
          return exchange_from(self, rank == 0 ? 1 : 4, taken_in[rank], got[rank]);
        },
        options());
    EXPECT_EQ(taken_in, (std::array<Cycle, 2>{5, 5}));  // both end the cycle in which they send
    EXPECT_EQ(got, (std::array<Word, 2>{11, 10}));
  });
}

}  // namespace
}  // namespace lockstep::timing_test
