// Payloads that a message may carry: values that can only be moved, that own memory, that have no or many words.
#include <numeric>

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::payload_test {
namespace {

/// A payload that can only be moved, and that counts how many of its kind own something.
struct Parcel {
  std::unique_ptr<Word> content;
  std::unique_ptr<runs::Counted> counted = std::make_unique<runs::Counted>();
};
std::uint64_t words(const Parcel& parcel) { return *parcel.content; }

using Self = Processor<Parcel>;
static_assert(Payload<Parcel> && !std::copyable<Parcel>);

Process pass_on(Self& self, std::vector<Word>& taken) {
  if (self.rank() == 0) {
    for (const Word size : {3U, 5U}) {
      Parcel parcel{std::make_unique<Word>(size)};
      self.send(0, std::move(parcel));
      co_await self.cycle();
    }
    co_return;
  }
  for (int count = 0; count < 2; ++count) {
    Message<Parcel> message = co_await self.message(1);
    taken.push_back(*message.payload.content);
    if (!self.has_link(0)) continue;
    if (count == 0) {
      self.forward(0, std::move(message));
    } else {
      Parcel parcel = std::move(message);
      self.send(0, std::move(parcel));
    }
  }
}

/// A payload whose move may throw.
struct Throwing {
  constexpr Throwing() = default;
  constexpr Throwing(Throwing&&) noexcept(false) {}
  Throwing& operator=(Throwing&&) noexcept(false) { return *this; }
};
constexpr std::uint64_t words(const Throwing&) { return 1; }
static_assert(words(Throwing()) == 1);
static_assert(!Payload<Throwing>);

static_assert(!std::is_constructible_v<Machine<Word>, Topology>, "a machine needs a topology that outlives it");
static_assert(!std::is_constructible_v<Machine<Word>, Topology, Model, Executor&>);
static_assert(!std::is_constructible_v<Machine<Word>, Topology, Model, Executor&, ChannelKind>);
static_assert(std::is_constructible_v<Machine<Word>, Topology&, Model, Executor&, ChannelKind>);

TEST(Payloads, ThatCanOnlyBeMovedTravelByOwnership) {
  const Topology row = wirings::path(4);
  runs::on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    Machine<Parcel> machine(row, {}, executor, channels);
    std::array<std::vector<Word>, 4> taken;
    const Report report = machine.run([&](Self& self) { return pass_on(self, taken[self.rank()]); }, runs::options());
    for (const Rank rank : {1U, 2U, 3U}) EXPECT_EQ(taken[rank], (std::vector<Word>{3, 5}));
    EXPECT_EQ(report.messages, 6U);
    EXPECT_EQ(report.words, 3U * 8U);
    EXPECT_EQ(runs::Counted::alive, 0);
  });
}

Process send_and_end(Self& self, unsigned count) {
  if (self.rank() != 0) co_return;
  for (unsigned number = 0; number < count; ++number) {
    Parcel parcel{std::make_unique<Word>(1)};
    self.send(0, std::move(parcel));
    co_await self.cycle();
  }
}

TEST(Payloads, ThatWereNotReceivedAreDestroyed) {
  const Topology two = wirings::pair();
  runs::on_every_executor_and_channel(2, [&](Executor& executor, ChannelKind channels) {
    Machine<Parcel> machine(two, {}, executor, channels);
    for (const unsigned count : {1U, 2U, 3U}) {  // two undelivered, then an overflow
      const RunError error = runs::failure_of(machine, [&](Self& self) { return send_and_end(self, count); });
      EXPECT_EQ(error.kind(), count < 3 ? ErrorKind::undelivered : ErrorKind::overflow);
      EXPECT_EQ(runs::Counted::alive, 0);
    }
  });
}

Process throw_while_on_the_way(Self& self) {
  Parcel parcel{std::make_unique<Word>(1)};
  self.send(0, std::move(parcel));
  co_await self.cycle();
  const Message<Parcel> kept = self.receive(0);
  Parcel another{std::make_unique<Word>(1)};
  self.send(0, std::move(another));
  throw std::runtime_error("planned");
}

struct Nobody : Observer<Parcel> {
  void barrier(Cycle, std::vector<Transfer<Parcel>>&) override {}
};

TEST(Payloads, OnTheirWayWhenAProgramThrowsAreDestroyed) {
  const Topology two = wirings::pair();
  runs::on_every_executor_and_channel(2, [&](Executor& executor, ChannelKind channels) {
    Machine<Parcel> machine(two, {}, executor, channels);
    Nobody observer;
    for (Observer<Parcel>* seen_by :
         {static_cast<Observer<Parcel>*>(nullptr), static_cast<Observer<Parcel>*>(&observer)}) {
      machine.observe(seen_by);
      const auto error = runs::failure_of<ProgramError>(machine, throw_while_on_the_way);
      EXPECT_EQ(error.cycle(), 1U);
      EXPECT_EQ(runs::Counted::alive, 0);
    }
  });
}

using List = std::vector<Word>;

Process send_lists(Processor<List>& self, std::size_t longest) {
  for (std::size_t length = 0; length <= longest; ++length) {
    List list(length);
    std::iota(list.begin(), list.end(), Word{length});
    self.send(0, std::move(list));
    co_await self.cycle();
  }
}

Process take_lists(Processor<List>& self, std::size_t longest) {
  for (std::size_t length = 0; length <= longest; ++length) {
    const List list = co_await self.message(0);
    EXPECT_EQ(list.size(), length);
    for (std::size_t index = 0; index < list.size(); ++index) EXPECT_EQ(list[index], length + index);
  }
}

TEST(Payloads, OfAnyLengthArriveWhole) {
  const Topology two = wirings::pair();
  runs::on_every_executor_and_channel(3, [&](Executor& executor, ChannelKind channels) {
    Machine<List> machine(two, {}, executor, channels);
    const Report report = machine.run(
        [](Processor<List>& self) { return self.rank() == 0 ? send_lists(self, 20) : take_lists(self, 20); });
    EXPECT_EQ(report.words, 210U);  // 0 + 1 + ... + 20; the empty list is a message, too
    EXPECT_EQ(report.messages, 21U);
    EXPECT_EQ(report.longest_sum, 210U);
  });
}

constexpr std::array<Port, 3> leaves{0, 1, 2};

Process scatter_copies(Processor<List>& self, std::array<List, 4>& got) {
  if (self.rank() == 0) {
    List list{4, 5, 6};
    self.send(leaves, list);
    list[0] = 99;  // the sender's value is unchanged
    got[0] = list;
  } else {
    got[self.rank()] = co_await self.message(0);
    got[self.rank()][1] += self.rank();
  }
}

TEST(Payloads, OfAMulticastAreCopiesOfTheirOwn) {
  const Topology hub = wirings::star(3);
  Machine<List> machine(hub, {.multicast = true});
  std::array<List, 4> got;
  machine.run([&](Processor<List>& self) { return scatter_copies(self, got); });
  EXPECT_EQ(got, (std::array<List, 4>{List{99, 5, 6}, List{4, 6, 6}, List{4, 7, 6}, List{4, 8, 6}}));
}

}  // namespace
}  // namespace lockstep::payload_test
