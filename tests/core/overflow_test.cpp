// Channels are bounded: a send in cycle c overflows if messages sent before c and not taken before c fill the channel;
// a take in c frees its place from c+1 (docs/semantics.md).
#include <optional>
#include <random>

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::overflow_test {
namespace {

using runs::expect_failure;
using runs::failure_of;
using runs::on_every_executor_and_channel;
using runs::options;

template <std::size_t Capacity>
Process send_in(Processor<Word, Capacity>& self, const std::vector<Cycle>& cycles) {
  Word number = 0;
  for (const Cycle cycle : cycles) {
    co_await self.until(cycle);
    self.send(0, number++);
  }
}

template <std::size_t Capacity>
Process take_in(Processor<Word, Capacity>& self, const std::vector<Cycle>& cycles) {
  Word expected = 0;
  for (const Cycle cycle : cycles) {
    co_await self.until(cycle);
    const Word number = self.receive(0);
    EXPECT_EQ(number, expected++);
  }
  co_await self.until(10'000);
}

/// When messages are sent over one link and when they are taken.
struct Traffic {
  std::vector<Cycle> sends;
  std::vector<Cycle> takes;
};

/// The first cycle whose send overflows by the rule above, if there is one.
std::optional<Cycle> first_overflow(const Traffic& traffic, std::size_t capacity) {
  for (const Cycle cycle : traffic.sends) {
    const auto before = [cycle](Cycle other) { return other < cycle; };
    const auto sent = std::count_if(traffic.sends.begin(), traffic.sends.end(), before);
    const auto taken = std::count_if(traffic.takes.begin(), traffic.takes.end(), before);
    if (static_cast<std::size_t>(sent - taken) >= capacity) return cycle;
  }
  return {};
}

/// Runs the traffic with the sender as the lower and as the higher rank and checks how it ends.
template <std::size_t Capacity>
void check(const Traffic& traffic, std::optional<Cycle> overflow, std::uint64_t schedule_seeds) {
  const Topology two = wirings::pair();
  for (const Rank sender : {0U, 1U}) {
    SCOPED_TRACE("capacity " + std::to_string(Capacity) + ", sender " + std::to_string(sender));
    on_every_executor_and_channel(schedule_seeds, [&](Executor& executor, ChannelKind channels) {
      Machine<Word, Capacity> machine(two, {}, executor, channels);
      const auto program = [&](Processor<Word, Capacity>& self) {
        return self.rank() == sender ? send_in(self, traffic.sends) : take_in(self, traffic.takes);
      };
      if (overflow) {
        expect_failure(
            failure_of(machine, program),
            {ErrorKind::overflow,
             *overflow,
             sender,
             {0},
             "test: cycle " + std::to_string(*overflow) + ", rank " + std::to_string(sender) +
                 ", port 0: the channel is full: " +
                 (Capacity == 1 ? std::string("1 message sent before this cycle was not taken")
                                : std::to_string(Capacity) + " messages sent before this cycle were not taken")});
      } else {
        EXPECT_EQ(machine.run(program, options()).messages, traffic.sends.size());
      }
    });
  }
}

/// A message a cycle, each taken `lag` cycles after it was sent.
Traffic stream(Cycle messages, Cycle lag, Cycle period = 1) {
  Traffic traffic;
  for (Cycle message = 0; message < messages; ++message) {
    traffic.sends.push_back(message * period);
    traffic.takes.push_back(message * period + lag);
  }
  return traffic;
}

TEST(Overflow, ChannelsThatAreNotEmptiedFillUp) {
  const Traffic traffic{{0, 1, 2, 3, 4}, {}};
  check<1>(traffic, 1, 5);
  check<2>(traffic, 2, 5);
  check<3>(traffic, 3, 5);
}

TEST(Overflow, AChannelOfOneCannotStream) {
  // The receiver takes each message as soon as it arrives, in the cycle of the next send.
  check<1>(stream(5, 1), 1, 20);
  check<1>(stream(5, 1, 2), {}, 20);  // a send every other cycle is accepted
  check<1>(stream(5, 2, 2), 2, 20);   // but not if the message is taken in the cycle of the next send
}

TEST(Overflow, AChannelOfTwoStreams) {
  check<2>(stream(50, 1), {}, 20);
  check<2>(stream(5, 2), 2, 20);
  check<3>(stream(50, 2), {}, 20);
  check<3>(stream(5, 3), 3, 20);
}

TEST(Overflow, TakesOfOneCycleFreeTheirPlacesFromTheNext) {
  check<2>({{0, 1, 2}, {2, 2, 3}}, 2, 20);
  check<2>({{0, 1, 3, 4}, {2, 2, 5, 5}}, {}, 20);
  check<3>({{0, 1, 2, 3}, {3, 3, 3, 4}}, 3, 20);
  check<3>({{0, 1, 2, 4, 5, 6}, {3, 3, 3, 7, 7, 7}}, {}, 20);
}

/// Sends at random cycles; takes, at random cycles, what has arrived by then.
Traffic random_traffic(std::mt19937_64& random) {
  Traffic traffic;
  std::size_t taken = 0;
  for (Cycle cycle = 0; cycle < 40; ++cycle) {
    const std::size_t arrived = traffic.sends.size();
    for (auto takes = random() % 4; takes > 1 && taken < arrived; --takes, ++taken) traffic.takes.push_back(cycle);
    if (random() % 2 == 0) traffic.sends.push_back(cycle);
  }
  for (; taken < traffic.sends.size(); ++taken) traffic.takes.push_back(50);
  return traffic;
}

TEST(Overflow, RandomTrafficOverflowsWhereTheSentenceSays) {
  constexpr std::uint64_t seeds = sanitized ? 6 : 40;
  std::uint64_t overflows = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("traffic seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const Traffic traffic = random_traffic(random);
    overflows += first_overflow(traffic, 3).has_value() ? 1U : 0U;
    check<1>(traffic, first_overflow(traffic, 1), 2);
    check<2>(traffic, first_overflow(traffic, 2), 2);
    check<3>(traffic, first_overflow(traffic, 3), 2);
  }
  EXPECT_GT(overflows, 0U);
  EXPECT_LT(overflows, seeds);
}

TEST(Overflow, EveryLinkHasItsOwnChannel) {
  // Both links of a pair carry two messages each; neither is full.
  const Topology links = wirings::pair(2);
  Machine<Word> machine(links, {.ports = PortModel::all});
  struct Program {
    static Process run(Processor<Word>& self) {
      for (Word round = 0; round < 2; ++round) {
        self.send(0, round);
        self.send(1, round);
        co_await self.cycle();
      }
      for (int round = 0; round < 2; ++round) {
        self.receive(0);
        self.receive(1);
      }
    }
  };
  EXPECT_EQ(machine.run(Program::run).messages, 8U);
}

}  // namespace
}  // namespace lockstep::overflow_test
