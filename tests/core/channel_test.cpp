// The channels of both kinds, and the two counters that decide what has arrived in them.
#include "lockstep/core/channels.hpp"
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep {
namespace {

using detail::Channels;
using detail::Sent;
using detail::Stamp;
using detail::Taken;
using detail::Total;

TEST(Taken, CountsWhatWasMovedBeforeACycle) {
  Taken taken;
  EXPECT_EQ(taken.until(1), 0U);
  taken = taken.plus_one(5);
  EXPECT_EQ(taken.until(5), 0U);
  EXPECT_EQ(taken.until(6), 1U);
  taken = taken.plus_one(5).plus_one(5);
  EXPECT_EQ(taken.until(5), 0U);
  EXPECT_EQ(taken.until(6), 3U);
  taken = taken.plus_one(9);
  EXPECT_EQ(taken.until(9), 3U);
  EXPECT_EQ(taken.until(10), 4U);
  EXPECT_EQ(taken.total, 4U);
}

TEST(Taken, WrapsAround) {
  Taken taken{7, 65'534, 65'535};
  taken = taken.plus_one(8);
  EXPECT_EQ(taken.until(8), 65'535U);
  EXPECT_EQ(taken.until(9), 0U);
}

TEST(Sent, CountsWhatWasMovedBeforeACycle) {
  Sent sent;
  EXPECT_EQ(sent.until(1), 0U);
  sent = sent.plus_one(5);
  EXPECT_EQ(sent.latest(), 5U);
  EXPECT_EQ(sent.until(5), 0U);
  EXPECT_EQ(sent.until(6), 1U);
  sent = sent.plus_one(9);
  EXPECT_EQ(sent.until(9), 1U);
  EXPECT_EQ(sent.until(10), 2U);
  EXPECT_EQ(Sent(8, 65'536).until(8), 65'535U);
  EXPECT_EQ(Sent(8, 65'536).until(9), 0U);
  EXPECT_EQ(Sent(4'294'967'294U, 4'294'967'295U).total(), 4'294'967'295U);
}

/// Every state that a link can be in with totals near `base`: was_full() against the definition.
TEST(Sent, ChannelIsFullWhenWhatWasSentWasNotTakenBefore) {
  constexpr Stamp now = 100;
  for (const std::uint32_t base : {0U, 65'533U, 65'536U, 4'000'000'000U}) {
    for (std::size_t capacity = 1; capacity <= 4; ++capacity) {
      for (std::uint32_t in_channel = 0; in_channel <= capacity; ++in_channel) {
        for (std::uint32_t taken_now = 0; taken_now + in_channel <= capacity; ++taken_now) {
          const std::uint32_t sent_total = base + 8;
          const std::uint32_t taken_total = sent_total - in_channel;
          // `before` of a latest cycle that is past may be anything from the total on down.
          for (std::uint32_t taken_last = 0; taken_last <= 3; ++taken_last) {
            const Taken taken =
                taken_now > 0
                    ? Taken{now, static_cast<Total>(taken_total - taken_now), static_cast<Total>(taken_total)}
                    : Taken{now - 1, static_cast<Total>(taken_total - taken_last), static_cast<Total>(taken_total)};
            EXPECT_EQ(detail::was_full(Sent(now - 1, sent_total), taken, now, capacity),
                      in_channel + taken_now >= capacity);
          }
        }
      }
    }
  }
}

Process send_numbers(Processor<Word>& self, Word count) {
  for (Word number = 0; number < count; ++number) {
    self.send(0, number);
    co_await self.cycle();
  }
}

Process take_numbers(Processor<Word>& self, Word count, Word& in_order) {
  for (Word number = 0; number < count; ++number) {
    const Word got = co_await self.message(0);
    in_order += got == number ? 1 : 0;
  }
}

TEST(Channels, PassSeventyThousandMessagesOnOneLink) {
  constexpr Word count = 70'000;
  const Topology two = wirings::pair();
  for (const ChannelKind kind : {ChannelKind::lockfree, ChannelKind::compact}) {
    for (const Rank sender : {0U, 1U}) {
      SCOPED_TRACE(std::string(name(kind)));
      const auto executor = make_executor(ExecutorKind::sequential);
      Machine<Word> machine(two, {}, *executor, kind);
      Word in_order = 0;
      const Report report = machine.run([&](Processor<Word>& self) {
        return self.rank() == sender ? send_numbers(self, count) : take_numbers(self, count, in_order);
      });
      EXPECT_EQ(in_order, count);
      EXPECT_EQ(report.messages, count);
      EXPECT_EQ(report.cycles, count);
      EXPECT_EQ(report.busiest_link_words, count);
    }
  }
}

/// Fills and empties the second of three channels, whose totals begin at `base`.
template <std::size_t Capacity>
void expect_first_in_first_out(ChannelKind kind, Total base) {
  SCOPED_TRACE(std::string(name(kind)) + ", capacity " + std::to_string(Capacity) + ", from " + std::to_string(base));
  Channels<Word, Capacity> channels(kind, 3);
  channels.construct(0, 3);
  Total sent = base;
  Total taken = base;
  for (Word round = 0; round < 10; ++round) {
    for (std::size_t number = 0; number < Capacity; ++number) {
      channels.put(1, sent++, 10 * round + number, 0.5 + static_cast<double>(number));
    }
    for (std::size_t number = 0; number < Capacity; ++number) {
      const Message<Word> message = channels.take(1, taken++, 4);
      EXPECT_EQ(message.payload, 10 * round + number);
      EXPECT_EQ(message.port, 4U);
      EXPECT_EQ(message.arrival, 0.5 + static_cast<double>(number));
    }
  }
}

TEST(Channels, AreFirstInFirstOutQueuesOfTheirCapacity) {
  for (const ChannelKind kind : {ChannelKind::lockfree, ChannelKind::compact}) {
    for (const Total base : {Total{0}, Total{65'530}}) {
      expect_first_in_first_out<1>(kind, base);
      expect_first_in_first_out<2>(kind, base);
      expect_first_in_first_out<3>(kind, base);
      expect_first_in_first_out<5>(kind, base);
    }
  }
}

struct Owner {
  std::unique_ptr<runs::Counted> content = std::make_unique<runs::Counted>();
};
[[maybe_unused]] std::uint64_t words(const Owner&) { return 1; }

TEST(Channels, HandOverAndDestroyWhatIsInThem) {
  for (const ChannelKind kind : {ChannelKind::lockfree, ChannelKind::compact}) {
    SCOPED_TRACE(std::string(name(kind)));
    Channels<Owner, 3> channels(kind, 2);
    channels.construct(0, 2);
    Total sent = 65'534;
    for (int message = 0; message < 3; ++message) channels.put(1, sent++, Owner{}, 0);
    EXPECT_EQ(runs::Counted::alive, 3);
    {
      const Message<Owner> taken = channels.take(1, 65'534, 0);
      EXPECT_NE(taken.payload.content, nullptr);
    }
    EXPECT_EQ(runs::Counted::alive, 2);
    channels.clear(1, 65'535, sent);
    EXPECT_EQ(runs::Counted::alive, 0);
  }
}

TEST(Channels, AreCompactWhereThereAreManyPorts) {
  constexpr std::size_t lockfree = sizeof(detail::Channel<Word, 2>);
  constexpr std::size_t compact = sizeof(detail::CompactChannel<Word, 2>);
  static_assert(compact < lockfree);
  for (const std::uint64_t ports : {2U, 6U, 9U, 20U}) {
    EXPECT_EQ(Machine<Word>::bytes(1, ports + 1, PortModel::one) - Machine<Word>::bytes(1, ports, PortModel::one),
              sizeof(detail::Flow) + (channel_kind(ports) == ChannelKind::compact ? compact : lockfree));
  }
  EXPECT_EQ(channel_kind(20), ChannelKind::compact);
}

TEST(Channels, AreCompactFromEightPortsOnUnlessTheBuildSaysOtherwise) {
  EXPECT_EQ(channel_kind(0), LOCKSTEP_COMPACT_CHANNELS_FROM == 0 ? ChannelKind::compact : ChannelKind::lockfree);
  EXPECT_EQ(channel_kind(7), LOCKSTEP_COMPACT_CHANNELS_FROM == 0 ? ChannelKind::compact : ChannelKind::lockfree);
  EXPECT_EQ(channel_kind(8), ChannelKind::compact);
}

TEST(Message, ConvertsToItsPayload) {
  Message<std::vector<Word>> message{{1, 2, 3}, 5, 0.25};
  const std::vector<Word> payload = std::move(message);
  EXPECT_EQ(payload, (std::vector<Word>{1, 2, 3}));
}

}  // namespace
}  // namespace lockstep
