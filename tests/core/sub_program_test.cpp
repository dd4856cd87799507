// Programs that run other programs on their processor.
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::sub_program_test {
namespace {

using runs::Counted;
using runs::on_every_executor;
using runs::options;

template <class Awaited>
concept CanBeAwaited = requires(Process::promise_type& promise, Awaited&& awaited) {
  promise.await_transform(std::forward<Awaited>(awaited));
};
using Self = Processor<Word>;
static_assert(CanBeAwaited<Process> && !CanBeAwaited<Process&>);
static_assert(CanBeAwaited<decltype(std::declval<Self&>().cycle())>);
static_assert(CanBeAwaited<decltype(std::declval<Self&>().message())>);
static_assert(CanBeAwaited<decltype(std::declval<Self&>().message(0))>);
static_assert(CanBeAwaited<decltype(std::declval<Self&>().exchange(0, 1))>);
static_assert(CanBeAwaited<decltype(std::declval<Self&>().read(0))>);
static_assert(!CanBeAwaited<std::suspend_always>, "the scheduler would not know what the program waits for");
static_assert(!CanBeAwaited<std::suspend_never>);

Process descend(Processor<Word>& self, unsigned levels, bool suspends, std::vector<Cycle>& cycles) {
  const Counted local;
  if (suspends) co_await self.cycle();
  if (levels > 0) co_await descend(self, levels - 1, suspends, cycles);
  cycles.push_back(self.now());
  if (suspends) co_await self.cycle();
}

TEST(SubPrograms, NestSeveralLevelsDeepAcrossCycles) {
  const Topology two = wirings::pair();
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(two, {}, executor);
    std::array<std::vector<Cycle>, 2> cycles;
    machine.run([&](Processor<Word>& self) { return descend(self, 5, self.rank() == 0, cycles[self.rank()]); },
                options());
    // Six levels take one cycle each on the way down and on the way up.
    EXPECT_EQ(cycles[0], (std::vector<Cycle>{6, 7, 8, 9, 10, 11}));
    EXPECT_EQ(cycles[1], std::vector<Cycle>(6, 0));
    EXPECT_EQ(Counted::alive, 0);
  });
}

Process receive_pair(Processor<Word>& self, Word& sum) {
  const Word first = co_await self.message(0);
  const Word second = co_await self.message(0);
  sum = first + second;
}

Process sum_of_two_pairs(Processor<Word>& self, Word& sum) {
  Word one = 0;
  Word two = 0;
  co_await receive_pair(self, one);
  Process later = receive_pair(self, two);  // made now, run when awaited
  EXPECT_EQ(two, 0U);
  co_await std::move(later);
  sum = 1000 * one + two;
}

Process send_numbers(Processor<Word>& self, Word count) {
  for (Word number = 1; number <= count; ++number) {
    self.send(0, number);
    co_await self.cycle();
  }
}

TEST(SubPrograms, TakeMessagesForTheProgramThatAwaitsThem) {
  const Topology two = wirings::pair();
  on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(two, {}, executor);
    Word sum = 0;
    machine.run(
        [&](Processor<Word>& self) { return self.rank() == 0 ? sum_of_two_pairs(self, sum) : send_numbers(self, 4); });
    EXPECT_EQ(sum, 3007U);
  });
}

struct Planned : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Process throw_below(Processor<Word>& self, unsigned levels, bool after_a_cycle) {
  const Counted local;
  if (levels > 0) {
    co_await throw_below(self, levels - 1, after_a_cycle);
    ADD_FAILURE() << "the exception was lost at level " << levels;
  }
  if (after_a_cycle) co_await self.cycle();
  throw Planned("from below");
}

Process catch_from(Processor<Word>& self, unsigned levels, bool after_a_cycle, unsigned& caught) {
  for (unsigned round = 0; round < 3; ++round) {
    try {
      co_await throw_below(self, levels, after_a_cycle);
    } catch (const Planned& error) {
      EXPECT_STREQ(error.what(), "from below");
      ++caught;
    }
  }
  co_await self.cycle();
}

TEST(SubPrograms, LetExceptionsThroughToTheirHandler) {
  const Topology two = wirings::pair();
  on_every_executor(3, [&](Executor& executor) {
    for (const unsigned levels : {0U, 1U, 4U}) {
      Machine<Word> machine(two, {}, executor);
      std::array<unsigned, 2> caught{};
      machine.run(
          [&](Processor<Word>& self) { return catch_from(self, levels, self.rank() == 0, caught[self.rank()]); },
          options());
      EXPECT_EQ(caught, (std::array<unsigned, 2>{3, 3}));
      EXPECT_EQ(Counted::alive, 0);
    }
  });
}

TEST(SubPrograms, LetAnUncaughtExceptionEndTheRun) {
  const Topology two = wirings::pair();
  Machine<Word> machine(two);
  const auto error =
      runs::failure_of<ProgramError>(machine, [](Processor<Word>& self) { return throw_below(self, 4, true); });
  EXPECT_EQ(error.cycle(), 1U);
  EXPECT_EQ(error.rank(), 0U);
  EXPECT_THROW(std::rethrow_exception(error.cause()), Planned);
  EXPECT_EQ(Counted::alive, 0);
}

Process nothing(Processor<Word>&, std::uint64_t& calls) {
  ++calls;
  co_return;
}

Process call_often(Processor<Word>& self, std::uint64_t times, std::uint64_t& calls) {
  for (std::uint64_t time = 0; time < times; ++time) co_await nothing(self, calls);
  EXPECT_EQ(self.now(), 0U);
}

TEST(SubPrograms, AMillionCallsInARowKeepTheStackFlat) {
  const Topology two = wirings::pair();
  Machine<Word> machine(two);
  std::array<std::uint64_t, 2> calls{};
  const Report report =
      machine.run([&](Processor<Word>& self) { return call_often(self, 1'000'000, calls[self.rank()]); });
  EXPECT_EQ(calls, (std::array<std::uint64_t, 2>{1'000'000, 1'000'000}));
  EXPECT_EQ(report.visits, 2U);
}

Process dive(Processor<Word>& self, unsigned levels, unsigned& deepest) {
  const Counted local;
  ++deepest;
  if (levels > 0) {
    co_await dive(self, levels - 1, deepest);
  } else {
    co_await self.cycle();
  }
}

TEST(SubPrograms, AHundredThousandLevelsKeepTheStackFlat) {
  const Topology one = wirings::single();
  Machine<Word> machine(one);
  unsigned deepest = 0;
  machine.run([&](Processor<Word>& self) { return dive(self, 99'999, deepest); });
  EXPECT_EQ(deepest, 100'000U);
  EXPECT_EQ(Counted::alive, 0);
}

Process make_without_running(Processor<Word>& self, std::uint64_t& calls) {
  const Process never = nothing(self, calls);
  co_await self.cycle();
}

TEST(SubPrograms, OneThatIsNeverAwaitedNeverRuns) {
  const Topology one = wirings::single();
  Machine<Word> machine(one);
  std::uint64_t calls = 0;
  machine.run([&](Processor<Word>& self) { return make_without_running(self, calls); });
  EXPECT_EQ(calls, 0U);
}

Process wait_below(Processor<Word>& self, unsigned levels) {
  const Counted local;
  if (levels > 0) {
    co_await wait_below(self, levels - 1);
  } else {
    const Word never = co_await self.message(0);
    ADD_FAILURE() << never;
  }
}

TEST(SubPrograms, AreDestroyedWithTheirProgramWhenARunFails) {
  const Topology two = wirings::pair();
  Machine<Word> machine(two);
  const RunError error = runs::failure_of(machine, [](Processor<Word>& self) { return wait_below(self, 20); });
  EXPECT_EQ(error.kind(), ErrorKind::deadlock);
  EXPECT_EQ(Counted::alive, 0);
}

}  // namespace
}  // namespace lockstep::sub_program_test
