// The links with channels of both kinds, and the states that decide what has arrived in them.
#include "runs.hpp"
#include "wirings.hpp"

// Boost's own header after ours, as a user may have it: the queues are of one type whatever the order.
#include <boost/lockfree/spsc_queue.hpp>

namespace lockstep {
namespace {

using detail::CompactChannel;
using detail::filled;
using detail::has_arrived;
using detail::is_free;
using detail::LockfreeChannel;

TEST(Places, AreFreeForASenderOnceEmptiedInAnEarlierCycle) {
  EXPECT_FALSE(is_free(0, 2));  // the channel is not made yet
  EXPECT_TRUE(is_free(1, 2));   // never used, in the first cycle
  EXPECT_TRUE(is_free(1, 900));
  EXPECT_TRUE(is_free(899, 900));
  EXPECT_FALSE(is_free(900, 900));  // taken in this cycle
  for (const detail::Stamp sent : {2U, 899U, 900U}) EXPECT_FALSE(is_free(filled | sent, 900));
  const detail::Stamp last = detail::stamp_of(last_cycle);
  EXPECT_TRUE(is_free(last - 1, last));
  EXPECT_FALSE(is_free(last, last));
  EXPECT_FALSE(is_free(filled | (last - 1), last));
}

TEST(Places, HoldAMessageForTheReceiverOnceFilledInAnEarlierCycle) {
  for (const std::uint32_t empty : {0U, 1U, 2U, 899U, 900U}) EXPECT_FALSE(has_arrived(empty, 900));
  EXPECT_TRUE(has_arrived(filled | 2, 900));
  EXPECT_TRUE(has_arrived(filled | 899, 900));
  EXPECT_FALSE(has_arrived(filled | 900, 900));  // sent in this cycle
  const detail::Stamp last = detail::stamp_of(last_cycle);
  EXPECT_TRUE(has_arrived(filled | (last - 1), last));
  EXPECT_FALSE(has_arrived(filled | last, last));
  EXPECT_FALSE(has_arrived(last - 1, last));
  EXPECT_EQ(detail::cycle_of(last), last_cycle);
  EXPECT_LT(last, filled);
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
  for (const ChannelKind kind : runs::channel_kinds) {
    for (const Rank sender : {0U, 1U}) {
      SCOPED_TRACE(std::string(name(kind)));
      const auto executor = make_executor(ExecutorKind::sequential);
      Machine<Word> machine(two, {}, *executor, kind);
      for (int run = 0; run < 2; ++run) {
        Word in_order = 0;
        const Report report = machine.run([&](Processor<Word>& self) {
          return self.rank() == sender ? send_numbers(self, count) : take_numbers(self, count, in_order);
        });
        EXPECT_EQ(in_order, count);
        EXPECT_EQ(report.messages, count);
        EXPECT_EQ(report.cycles, count);
        EXPECT_EQ(report.busiest_link_words, count);
        EXPECT_EQ(report.channels, kind);
      }
    }
  }
}

struct Owner {
  explicit Owner(Word number) : content(std::make_unique<Word>(number)) {}
  std::unique_ptr<Word> content;
  std::unique_ptr<runs::Counted> counted = std::make_unique<runs::Counted>();
};
[[maybe_unused]] std::uint64_t words(const Owner&) { return 1; }

template <class Channel>
std::unique_ptr<Channel> make_channel() {
  auto channel = std::make_unique<Channel>();
  if constexpr (requires { channel->begin(); }) channel->begin();
  return channel;
}

/// What take() has left, which its taker destroys.
Word moved_out(std::pair<void*, double> taken, double arrival) {
  EXPECT_EQ(taken.second, arrival);
  auto* owner = static_cast<Owner*>(taken.first);
  const Word number = *owner->content;
  std::destroy_at(owner);
  return number;
}

template <template <Payload, std::size_t> class Channel, std::size_t Capacity>
void expect_first_in_first_out() {
  SCOPED_TRACE("capacity " + std::to_string(Capacity));
  const auto channel = make_channel<Channel<Owner, Capacity>>();
  Word sent = 0;
  Word taken = 0;
  for (int round = 0; round < 10; ++round) {
    for (std::size_t count = 0; count < Capacity; ++count, ++sent) {
      channel->put(sent % Capacity, Owner(sent), 0.5 + static_cast<double>(sent));
    }
    EXPECT_EQ(runs::Counted::alive, static_cast<int>(Capacity));
    // The newest goes back, the others come out in their order.
    alignas(Owner) std::byte memory[sizeof(Owner)];
    --sent;
    EXPECT_EQ(channel->take_back(sent % Capacity, memory), 0.5 + static_cast<double>(sent));
    EXPECT_EQ(moved_out({memory, 0}, 0), sent);
    for (; taken < sent; ++taken) {
      EXPECT_EQ(moved_out(channel->take(taken % Capacity), 0.5 + static_cast<double>(taken)), taken);
    }
    EXPECT_EQ(runs::Counted::alive, 0);
  }
}

TEST(Channels, AreFirstInFirstOutQueuesOfTheirCapacity) {
  expect_first_in_first_out<CompactChannel, 1>();
  expect_first_in_first_out<CompactChannel, 2>();
  expect_first_in_first_out<CompactChannel, 3>();
  expect_first_in_first_out<CompactChannel, 5>();
  expect_first_in_first_out<LockfreeChannel, 1>();
  expect_first_in_first_out<LockfreeChannel, 2>();
  expect_first_in_first_out<LockfreeChannel, 3>();
  expect_first_in_first_out<LockfreeChannel, 5>();
}

/// Links of the machines that the design names: queues of 16 MiB at the most.
TEST(Channels, AreBoostsUpTo16MebibytesOfQueues) {
  const auto cube = [](unsigned n) { return std::uint64_t{n} << n; };
  EXPECT_EQ(Machine<Word>::default_channels(0), ChannelKind::lockfree);
  EXPECT_EQ(Machine<Word>::default_channels(cube(13)), ChannelKind::lockfree);
  EXPECT_EQ(Machine<Word>::default_channels(cube(14)), ChannelKind::compact);
  EXPECT_EQ(Machine<Word>::default_channels(4U << 15), ChannelKind::lockfree);  // a torus
  EXPECT_EQ(Machine<Word>::default_channels(4U << 16), ChannelKind::compact);
  EXPECT_EQ(channel_kind(std::uint64_t{16} << 20), ChannelKind::lockfree);
  EXPECT_EQ(channel_kind((std::uint64_t{16} << 20) + 1), ChannelKind::compact);
}

TEST(Channels, OfCompactLinksOfWordsTakeFortyEightBytes) {
  using detail::Link;
  EXPECT_EQ(sizeof(Link<Word, 2, false, ChannelKind::compact>), 48U);
  EXPECT_EQ(sizeof(Link<Word, 2, true, ChannelKind::compact>), 56U);
  EXPECT_LT(sizeof(Link<Word, 2, false, ChannelKind::compact>), sizeof(Link<Word, 2, false, ChannelKind::lockfree>));
}

TEST(Message, ConvertsToItsPayload) {
  Message<std::vector<Word>> message{{1, 2, 3}, 5, 0.25};
  const std::vector<Word> payload = std::move(message);
  EXPECT_EQ(payload, (std::vector<Word>{1, 2, 3}));
}

}  // namespace
}  // namespace lockstep
