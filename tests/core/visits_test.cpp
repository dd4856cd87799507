// Cost follows work: Report::visits counts how often a processor is visited, in vain or not.
#include <thread>

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::visits_test {
namespace {

using Self = Processor<Word>;

/// Ranks 0, 1 and 2 pass a number round in every cycle.
Process act(Self& self, Cycle cycles) {
  for (Cycle cycle = 0; cycle < cycles; ++cycle) {
    if (self.arrived(1)) self.receive(1);
    if (self.rank() < 2) self.send(0, cycle);
    co_await self.cycle();
  }
  if (self.arrived(1)) self.receive(1);
}

/// The others sleep until the end or wait for a sleeper's message.
Process rest(Self& self, Cycle until) {
  if (self.rank() % 2 == 1 && self.rank() > 3) {
    co_await self.message(1);
  } else {
    co_await self.until(until);
    if (self.rank() > 3) self.send(0, 1);
  }
}

TEST(Visits, ThreeOfAMillionProcessorsActWithoutTouchingTheOthers) {
  constexpr Rank size = sanitized ? Rank{1} << 14 : Rank{1} << 20;
  constexpr Cycle cycles = 1000;
  const Topology row = wirings::path(size);
  Machine<Word> machine(row);
  RunOptions recording;
  recording.record_cycles = true;
  const Report report =
      machine.run([](Self& self) { return self.rank() < 3 ? act(self, cycles) : rest(self, 5000); }, recording);
  // All start; three act for a thousand cycles; then each of the others is woken once.
  EXPECT_EQ(report.visits, size + 3 * cycles + (size - 3));
  ASSERT_EQ(report.per_cycle.size(), 1 + cycles + 2);
  EXPECT_EQ(report.per_cycle[0].visited, size);
  for (Cycle cycle = 1; cycle <= cycles; ++cycle) ASSERT_EQ(report.per_cycle[cycle].visited, 3U);
  EXPECT_EQ(report.per_cycle[cycles + 1].cycle, 5000U);
  EXPECT_EQ(report.per_cycle[cycles + 1].visited, 1U + (size - 4) / 2);  // rank 3 and the even ranks from 4 on
  EXPECT_EQ(report.per_cycle[cycles + 2].visited, (size - 4) / 2);       // the odd ranks from 5 on
}

Process end_at_once(Self&) { co_return; }

TEST(Visits, OfTheFirstCycleGoToEveryProcessorOnce) {
  for (Rank size = 1; size <= 200; ++size) {
    const Topology row = wirings::path(size);
    for (const ExecutorKind kind : {ExecutorKind::sequential, ExecutorKind::seeded}) {
      const auto executor = make_executor(kind);
      Machine<Word> machine(row, {}, *executor);
      ASSERT_EQ(machine.run(end_at_once, runs::options()).visits, size);
    }
  }
}

/// Spanning binomial tree: in cycle j the ranks below 2^j have the item.
Process broadcast(Self& self, Word& item) {
  Port first = 0;
  if (self.rank() != 0) {
    while (self.rank() >> (first + 1) != 0) ++first;
    item = co_await self.message(first);
    ++first;
  }
  for (Port port = first; port < self.ports(); ++port) {
    self.send(port, item);
    co_await self.cycle();
  }
}

TEST(Visits, ABroadcastCostsVisitsInProportionToItsMessages) {
  constexpr Port dimensions = sanitized ? 12 : 16;
  const Topology cube = wirings::cube(dimensions);
  const std::uint64_t size = cube.processors();
  runs::on_every_executor(1, [&](Executor& executor) {
    Machine<Word> machine(cube, {}, executor);
    std::vector<Word> items(size, 0);
    items[0] = 77;
    const Report report = machine.run([&](Self& self) { return broadcast(self, items[self.rank()]); }, runs::options());
    EXPECT_EQ(items, std::vector<Word>(size, 77));
    EXPECT_EQ(report.messages, size - 1);
    EXPECT_EQ(report.steps, dimensions);
    // One visit to start each processor, one for each message received, one after each message sent.
    EXPECT_EQ(report.visits, size + 2 * (size - 1));
  });
}

Process run_a_token(Self& self) {
  if (self.rank() == 0) self.send(0, 1);
  const Word token = co_await self.message(1);
  if (self.rank() != 0) self.send(0, token + 1);
}

TEST(Visits, ATokenOnARingIsOneVisitAHop) {
  constexpr Rank size = 5000;
  const Topology ring = wirings::ring(size);
  Machine<Word> machine(ring);
  const Report report = machine.run(run_a_token);
  EXPECT_EQ(report.messages, size);
  EXPECT_EQ(report.cycles, size);
  EXPECT_EQ(report.visits, size + size);
}

Process send_twice_or_sleep(Self& self) {
  if (self.rank() == 0) {
    for (Word number = 0; number < 2; ++number) {
      self.send(0, number);
      co_await self.cycle();
    }
  } else {
    co_await self.until(10);
    while (self.arrived(0)) self.receive(0);
  }
}

TEST(Visits, OfASleeperThatIsSentMessagesAreInVainAndCounted) {
  const Topology two = wirings::pair();
  Machine<Word> machine(two);
  // Rank 0 in cycles 0, 1 and 2; rank 1 in cycles 0 and 10, and in vain in cycles 1 and 2.
  EXPECT_EQ(machine.run(send_twice_or_sleep).visits, 3U + 4U);
}

/// Hands out processors one by one to three workers in turn.
class InTurns : public Executor {
 public:
  void run(std::size_t count, unsigned, Body body, void* context) override {
    for (std::size_t index = 0; index < count; ++index) body(context, turn_++ % workers(), index, index + 1);
  }
  std::string_view name() const override { return "in turns"; }
  unsigned workers() const override { return 3; }
  bool one_by_one() const override { return true; }

 private:
  unsigned turn_ = 0;
};

Process swap_twice(Self& self, std::array<Word, 2>& got) {
  const Word mine = 5 + self.rank();
  const Word theirs = co_await self.exchange(0, mine);
  got[self.rank()] = co_await self.exchange(0, theirs);
}

TEST(Visits, OfAnExecutorThatChoosesTheOrderGoToItsWorkersEvenIfTheyAreFew) {
  const Topology two = wirings::pair();
  InTurns executor;
  Machine<Word> machine(two, {}, executor);
  std::array<Word, 2> got{};
  const Report report = machine.run([&](Self& self) { return swap_twice(self, got); });
  EXPECT_EQ(got, (std::array<Word, 2>{5, 6}));
  EXPECT_EQ(report.messages, 4U);
  EXPECT_EQ(report.visits, 6U);
}

/// Claims to have 1000 workers and records into how many parts the cycles are cut.
class Cutting : public Executor {
 public:
  void run(std::size_t count, unsigned parts, Body body, void* context) override {
    most_parts = std::max(most_parts, parts);
    if (count > 0) body(context, 0, 0, count);
  }
  std::string_view name() const override { return "cutting"; }
  unsigned workers() const override { return 1000; }

  unsigned most_parts = 0;
};

Process send_on(Self& self) {
  self.send(0, 1);
  co_await self.message(1);
}

/// Parts of the busiest cycle, 0 if all ran on the calling thread, of a ring on which every rank sends one word.
unsigned parts_of(Rank processors, const RunOptions& options) {
  const Topology ring = wirings::ring(processors);
  Cutting executor;
  Machine<Word> machine(ring, {}, executor);
  machine.run(
      [&](Self& self) {
        executor.most_parts = 0;  // set-up shares all workers
        return send_on(self);
      },
      options);
  return executor.most_parts;
}

TEST(Visits, AreSharedOnlyWhereTheyKeepThreadsBusy) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  RunOptions options;
  options.share_from = 512;
  options.oversubscribe_from = 1'000'000;
  EXPECT_EQ(parts_of(400, options), 0U);
  if (cores > 1) {
    EXPECT_EQ(parts_of(1000, options), cores);
  }
  options.oversubscribe_from = 10;
  EXPECT_EQ(parts_of(1000, options), std::max(cores, 106U));  // (1000 + 1000 words / 16) / 10 in the second cycle
  options.share_from = 1;
  options.oversubscribe_from = 1;
  EXPECT_EQ(parts_of(400, options), std::max(cores, 425U));
}

}  // namespace
}  // namespace lockstep::visits_test
