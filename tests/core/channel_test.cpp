// The queue of a link and the two counters that decide what has arrived in it.
#include "lockstep/core/channel.hpp"

#include "lockstep/core/flow.hpp"
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep {
namespace {

using detail::Channel;
using detail::Moves;

TEST(Moves, CountWhatWasMovedBeforeACycle) {
  Moves moves;
  EXPECT_EQ(moves.until(1), 0U);
  moves = moves.plus_one(5);
  EXPECT_EQ(moves.until(5), 0U);
  EXPECT_EQ(moves.until(6), 1U);
  moves = moves.plus_one(5).plus_one(5);
  EXPECT_EQ(moves.until(5), 0U);
  EXPECT_EQ(moves.until(6), 3U);
  moves = moves.plus_one(9);
  EXPECT_EQ(moves.until(9), 3U);
  EXPECT_EQ(moves.until(10), 4U);
  EXPECT_EQ(moves.total, 4U);
}

TEST(Moves, WrapAround) {
  Moves moves{7, 65'534, 65'535};
  moves = moves.plus_one(8);
  EXPECT_EQ(moves.until(8), 65'535U);
  EXPECT_EQ(moves.until(9), 0U);
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

TEST(Moves, SeventyThousandMessagesPassOneLink) {
  constexpr Word count = 70'000;
  const Topology two = wirings::pair();
  for (const Rank sender : {0U, 1U}) {
    const auto executor = make_executor(ExecutorKind::sequential);
    Machine<Word> machine(two, {}, *executor);
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

TEST(Channel, IsAFirstInFirstOutQueueOfItsCapacity) {
  Channel<Word, 3> channel;
  for (Word round = 0; round < 10; ++round) {
    for (Word number = 0; number < 3; ++number) EXPECT_TRUE(channel.push(10 * round + number, 0.5));
    EXPECT_FALSE(channel.push(99, 0));
    for (Word number = 0; number < 3; ++number) {
      const Message<Word> message = channel.pop(4);
      EXPECT_EQ(message.payload, 10 * round + number);
      EXPECT_EQ(message.port, 4U);
      EXPECT_EQ(message.arrival, 0.5);
    }
  }
}

struct Owner {
  std::unique_ptr<runs::Counted> content = std::make_unique<runs::Counted>();
};
[[maybe_unused]] std::uint64_t words(const Owner&) { return 1; }

TEST(Channel, DestroysWhatIsLeftInIt) {
  {
    Channel<Owner, 2> channel;
    EXPECT_TRUE(channel.push(Owner{}, 0));
    EXPECT_TRUE(channel.push(Owner{}, 0));
    EXPECT_FALSE(channel.push(Owner{}, 0));
    EXPECT_EQ(runs::Counted::alive, 2);
    {
      const Message<Owner> taken = channel.pop(0);
      EXPECT_NE(taken.payload.content, nullptr);
    }
    EXPECT_EQ(runs::Counted::alive, 1);
  }
  EXPECT_EQ(runs::Counted::alive, 0);
}

TEST(Message, ConvertsToItsPayload) {
  Message<std::vector<Word>> message{{1, 2, 3}, 5, 0.25};
  const std::vector<Word> payload = std::move(message);
  EXPECT_EQ(payload, (std::vector<Word>{1, 2, 3}));
}

}  // namespace
}  // namespace lockstep
