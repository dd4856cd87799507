// The links with both kinds of channel, and the states that decide what has arrived in them.
#include "runs.hpp"
#include "wirings.hpp"

// Boost's own header after ours, as a user may include them: the queues have one type in either order.
#include <array>
#include <boost/lockfree/spsc_queue.hpp>

namespace lockstep::channel_test {
namespace {

using detail::CompactChannel;
using detail::empty;
using detail::filled;
using detail::has_arrived;
using detail::is_free;
using detail::LockfreeChannel;

TEST(Places, AreFreeForASenderOnceEmptiedInAnEarlierCycle) {
  EXPECT_FALSE(is_free(0, 2));        // the channel is not made yet
  EXPECT_TRUE(is_free(empty(0), 2));  // never used, in the first cycle
  EXPECT_TRUE(is_free(empty(0), 900));
  EXPECT_TRUE(is_free(empty(899), 900));
  EXPECT_FALSE(is_free(empty(900), 900));  // taken in this cycle
  for (const detail::Stamp sent : {2U, 899U, 900U}) EXPECT_FALSE(is_free(filled(sent), 900));
  const detail::Stamp last = detail::stamp_of(last_cycle);
  EXPECT_TRUE(is_free(empty(last - 1), last));
  EXPECT_FALSE(is_free(empty(last), last));
  EXPECT_FALSE(is_free(filled(last - 1), last));
}

TEST(Places, HoldAMessageForTheReceiverOnceFilledInAnEarlierCycle) {
  EXPECT_FALSE(has_arrived(0, 900));
  for (const detail::Stamp taken : {0U, 2U, 899U, 900U}) EXPECT_FALSE(has_arrived(empty(taken), 900));
  EXPECT_TRUE(has_arrived(filled(2), 900));
  EXPECT_TRUE(has_arrived(filled(899), 900));
  EXPECT_FALSE(has_arrived(filled(900), 900));  // sent in this cycle
  const detail::Stamp last = detail::stamp_of(last_cycle);
  EXPECT_TRUE(has_arrived(filled(last - 1), last));
  EXPECT_FALSE(has_arrived(filled(last), last));
  EXPECT_FALSE(has_arrived(empty(last - 1), last));
  EXPECT_EQ(detail::cycle_of(last), last_cycle);
  EXPECT_EQ(detail::sent_in(filled(last)), last);
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

/// The payload that take() has left, which the taker destroys.
Word moved_out(detail::Taken taken, double arrival) {
  EXPECT_EQ(taken.arrival, arrival);
  detail::Received<Owner> owner(taken.payload);
  const Word number = *(*owner).content;
  std::destroy_at(&*owner);
  return number;
}

constexpr std::size_t place(std::size_t number, std::size_t capacity) {
  return number % capacity * detail::place_bytes;
}

template <template <Payload, std::size_t> class Channel, std::size_t Capacity>
void expect_first_in_first_out() {
  SCOPED_TRACE("capacity " + std::to_string(Capacity));
  const auto channel = make_channel<Channel<Owner, Capacity>>();
  Word sent = 0;
  Word taken = 0;
  for (int round = 0; round < 10; ++round) {
    for (std::size_t count = 0; count < Capacity; ++count, ++sent) {
      channel->put(place(sent, Capacity), Owner(sent), 0.5 + static_cast<double>(sent));
    }
    EXPECT_EQ(runs::Counted::alive, static_cast<int>(Capacity));
    // The newest is put back, the others come out in order.
    alignas(Owner) std::byte memory[sizeof(Owner)];
    --sent;
    EXPECT_EQ(channel->take_back(place(sent, Capacity), memory), 0.5 + static_cast<double>(sent));
    EXPECT_EQ(moved_out({reinterpret_cast<detail::Passed>(memory), 0}, 0), sent);
    for (; taken < sent; ++taken) {
      EXPECT_EQ(moved_out(channel->take(place(taken, Capacity)), 0.5 + static_cast<double>(taken)), taken);
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

/// Links of the machines that the design names: queues of at most 16 MiB.
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
  using detail::PortUse;
  EXPECT_EQ(sizeof(Link<Word, 2, PortUse::one, ChannelKind::compact>), 48U);
  EXPECT_EQ(sizeof(Link<Word, 2, PortUse::all, ChannelKind::compact>), 56U);
  EXPECT_LT(sizeof(Link<Word, 2, PortUse::one, ChannelKind::compact>),
            sizeof(Link<Word, 2, PortUse::one, ChannelKind::lockfree>));
}

TEST(Payloads, ArePassedAsBitsIfTheyFitARegister) {
  const auto passes = [](auto payload) {
    const detail::Passed passed = detail::pass(payload);
    return *detail::Received<decltype(payload)>(passed) == payload;
  };
  EXPECT_TRUE(passes(Word{0x0123456789abcdef}));
  EXPECT_TRUE(passes(-2.5F));
  EXPECT_TRUE(passes(true));
  EXPECT_TRUE(passes('x'));
  EXPECT_TRUE(passes(std::array<std::uint8_t, 3>{1, 2, 3}));
  EXPECT_TRUE(detail::passed_as_bits<double>);
  EXPECT_TRUE(passes(std::vector<Word>{1, 2, 3}));
  EXPECT_FALSE((detail::passed_as_bits<std::array<Word, 2>>));
  EXPECT_FALSE(detail::passed_as_bits<Owner>);
}

TEST(Message, ConvertsToItsPayload) {
  Message<std::vector<Word>> message{{1, 2, 3}, 5, 0.25};
  const std::vector<Word> payload = std::move(message);
  EXPECT_EQ(payload, (std::vector<Word>{1, 2, 3}));
}

}  // namespace
}  // namespace lockstep::channel_test
