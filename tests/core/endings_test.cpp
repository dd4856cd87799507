// Every way in which a run ends early: nothing is lost, nothing leaks, and the machine can run again.
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::endings_test {
namespace {

using runs::Counted;
using runs::expect_failure;
using runs::failure_of;
using runs::on_every_executor_and_channel;
using runs::options;

using Self = Processor<Word>;

Process swap_once(Self& self, std::array<Word, 2>& got) {
  const Counted local;
  const Word mine = 5 + self.rank();
  got[self.rank()] = co_await self.exchange(0, mine);
}

/// After any end of a run nothing of it is left, and the same machine runs a program to its end.
void expect_fresh(Machine<Word>& machine) {
  EXPECT_EQ(Counted::alive, 0);
  std::array<Word, 2> got{};
  const Report report = machine.run([&](Self& self) { return swap_once(self, got); }, options());
  EXPECT_EQ(got, (std::array<Word, 2>{6, 5}));
  EXPECT_EQ(report.messages, 2U);
  EXPECT_EQ(report.cycles, 1U);
  EXPECT_EQ(report.words, 2U);
  EXPECT_EQ(report.busiest_link_words, 1U);
  EXPECT_EQ(report.time_asynchronous, 2.0);
  EXPECT_EQ(Counted::alive, 0);
}

template <class Body>
void on_a_pair(Body&& body) {
  const Topology two = wirings::pair();
  on_every_executor_and_channel(3, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(two, {}, executor, channels);
    body(machine);
    expect_fresh(machine);
  });
}

/// Rank 0 sends a word in each of three cycles and throws in the last.
Process send_and_throw(Self& self) {
  const Counted local;
  for (int word = 0; self.rank() == 0; ++word) {
    self.send(0, 7);
    if (word == 2) throw std::runtime_error("enough");
    co_await self.cycle();
  }
  while (true) co_await self.message(0);
}

TEST(Endings, LeaveTheCountsUpToAnError) {
  on_a_pair([](Machine<Word>& machine) {
    EXPECT_EQ(machine.until_error().messages, 0U);
    EXPECT_EQ(failure_of(machine, [](Self& self) { return send_and_throw(self); }).cycle(), 2U);
    const Report& report = machine.until_error();
    EXPECT_EQ(report.cycles, 3U);
    EXPECT_EQ(report.steps, 3U);
    EXPECT_EQ(report.messages, 3U);
    EXPECT_EQ(report.words, 3U);
    EXPECT_EQ(report.busiest_link_words, 3U);
    EXPECT_EQ(report.time_synchronous, 6.0);
    expect_fresh(machine);
    EXPECT_EQ(machine.until_error().messages, 0U) << "there was none";
  });
}

Process spin(Self& self, Rank from) {
  const Counted local;
  while (self.rank() >= from) co_await self.cycle();
}

TEST(Endings, ARunPastItsLimitOfCyclesIsALivelock) {
  on_a_pair([](Machine<Word>& machine) {
    RunOptions limited = options();
    limited.max_cycles = 40;
    const RunError error = failure_of(
        machine, [](Self& self) { return spin(self, 1); }, limited);
    expect_failure(error, {ErrorKind::livelock,
                           40,
                           1,
                           {},
                           "test: livelock: not ended within 40 cycles; 1 programs still run, the first is "
                           "that of rank 1"});
  });
}

Process sleep_past(Self& self, Cycle cycle) {
  const Counted local;
  co_await self.until(cycle);
}

TEST(Endings, ASleeperThatJumpsPastTheLimitIsALivelockAtTheLimit) {
  on_a_pair([](Machine<Word>& machine) {
    for (const Cycle wish : {Cycle{41}, Cycle{1'000'000}, ~Cycle{0}}) {
      RunOptions limited = options();
      limited.max_cycles = 40;
      const RunError error = failure_of(
          machine, [&](Self& self) { return sleep_past(self, wish); }, limited);
      expect_failure(error, {ErrorKind::livelock,
                             40,
                             0,
                             {},
                             "test: livelock: not ended within 40 cycles; 2 programs still run, the "
                             "first is that of rank 0"});
    }
  });
}

TEST(Endings, ARunThatEndsWithinItsLimitIsNoLivelock) {
  on_a_pair([](Machine<Word>& machine) {
    RunOptions limited = options();
    limited.max_cycles = 40;
    EXPECT_NO_THROW(machine.run([](Self& self) { return sleep_past(self, 40); }, limited));
    EXPECT_EQ(failure_of(
                  machine, [](Self& self) { return sleep_past(self, 41); }, limited)
                  .kind(),
              ErrorKind::livelock);
  });
}

Process send_some(Self& self, unsigned count) {
  const Counted local;
  for (unsigned message = 0; self.rank() == 0 && message < count; ++message) {
    co_await self.until(3 + message);
    self.send(0, 7);
  }
}

TEST(Endings, AMessageThatIsNeverReceivedIsAnError) {
  on_a_pair([](Machine<Word>& machine) {
    for (const unsigned count : {1U, 2U}) {
      const RunError error = failure_of(machine, [&](Self& self) { return send_some(self, count); });
      expect_failure(error, {ErrorKind::undelivered,
                             2U + count,
                             1,
                             {0},
                             count == 1 ? "test: cycle 3, rank 1, port 0: a message from rank 0 was never received "
                                          "(1 in all)"
                                        : "test: cycle 4, rank 1, port 0: 2 messages, the last of them sent then, "
                                          "from rank 0 were never received (2 in all)"});
    }
  });
}

/// A message is sent to rank 1 in cycle 5 and to each of ranks 0 and 2 in cycle 2; none is taken.
Process send_in_vain(Self& self) {
  co_await self.until(self.rank() == 1 ? 2 : 5);
  if (self.rank() == 1) {
    self.send(0, 1);
    co_await self.cycle();
    co_await self.until(6);
  } else if (self.rank() == 0) {
    self.send(0, 2);
  }
}

TEST(Endings, TheFirstOfSeveralMessagesNeverReceivedIsReported) {
  const Topology row = wirings::path(3);
  runs::on_every_executor_and_channel(2, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(row, {}, executor, channels);
    expect_failure(failure_of(machine, send_in_vain),
                   {ErrorKind::undelivered,
                    2,
                    2,
                    {1},
                    "test: cycle 2, rank 2, port 1: a message from rank 1 was never received (2 in all)"});
  });
}

/// One processor sends a message that is never taken.
Process send_from(Self& self, Rank sender, Port port) {
  if (self.rank() == sender) self.send(port, 1);
  co_return;
}

TEST(Endings, AMessageThatIsNeverReceivedIsFoundOnEveryLink) {
  const Topology cube = wirings::cube(6);  // more links than share one mark of their use
  const auto executor = make_executor(ExecutorKind::sequential);
  for (const ChannelKind channels : runs::channel_kinds) {
    Machine<Word> machine(cube, {}, *executor, channels);
    for (Port port = 0; port < 6; ++port) {
      for (Rank rank = 0; rank < 64; ++rank) {
        const Rank sender = rank ^ (Rank{1} << port);
        const RunError error = failure_of(machine, [=](Self& self) { return send_from(self, sender, port); });
        ASSERT_EQ(error.kind(), ErrorKind::undelivered);
        ASSERT_EQ(error.rank(), rank);
        ASSERT_EQ(error.ports(), std::vector<Port>{port});
      }
    }
  }
}

struct Planned : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Process throw_in(Self& self, Cycle cycle) {
  const Counted local;
  co_await self.until(cycle);
  throw Planned("rank " + std::to_string(self.rank()) + " is unwell");
}

TEST(Endings, AnExceptionInAProgramIsReportedWithItsCause) {
  on_a_pair([](Machine<Word>& machine) {
    for (const Cycle later : {0U, 1U}) {  // both in one cycle, or rank 1 a cycle earlier
      const auto error = failure_of<ProgramError>(
          machine, [&](Self& self) { return throw_in(self, self.rank() == 0 ? 4 + later : 4); });
      const std::string rank = std::to_string(later);
      expect_failure(error, {ErrorKind::exception,
                             4,
                             static_cast<Rank>(later),
                             {},
                             "test: cycle 4, rank " + rank + ": the program threw: rank " + rank + " is unwell"});
      EXPECT_THROW(std::rethrow_exception(error.cause()), Planned);
    }
  });
}

Process throw_a_number(Self& self) {
  const Counted local;
  co_await self.cycle();
  throw 42;
}

TEST(Endings, AnExceptionOfUnknownTypeIsReportedToo) {
  on_a_pair([](Machine<Word>& machine) {
    const auto error = failure_of<ProgramError>(machine, throw_a_number);
    expect_failure(
        error,
        {ErrorKind::exception, 1, 0, {}, "test: cycle 1, rank 0: the program threw an exception of unknown type"});
    EXPECT_THROW(std::rethrow_exception(error.cause()), int);
  });
}

TEST(Endings, AnExceptionWhileAProgramIsMadeIsReportedInCycleZero) {
  on_a_pair([](Machine<Word>& machine) {
    const auto error = failure_of<ProgramError>(machine, [](Self& self) {
      if (self.rank() == 1) throw Planned("cannot be made");
      return spin(self, 0);
    });
    expect_failure(error, {ErrorKind::exception, 0, 1, {}, "test: cycle 0, rank 1: the program threw: cannot be made"});
    EXPECT_THROW(std::rethrow_exception(error.cause()), Planned);
  });
}

Process stay(Processor<std::vector<Word>>& self) {
  const Counted local;
  co_await self.cycle();
}

TEST(Endings, WhatAProcessorDoesWhileItsProgramIsMadeIsRefused) {
  using List = std::vector<Word>;
  using ListProcessor = Processor<List>;
  constexpr std::array<Port, 2> both{0, 1};
  const std::vector<std::pair<std::string, std::function<void(ListProcessor&)>>> deeds{
      {"charges", [](ListProcessor& self) { self.charge(7); }},
      {"computes", [](ListProcessor& self) { self.compute(7); }},
      {"scans", [](ListProcessor& self) { self.scan(7); }},
      {"sends", [](ListProcessor& self) { self.send(0, List(40)); }},
      {"sends in a phase of its own",
       [](ListProcessor& self) {
         self.phase("before");
         self.send(0, List(40));
       }},
      {"sends to several", [&](ListProcessor& self) { self.send(both, List(40)); }},
  };
  const Topology circle = wirings::ring(100);
  for (const auto& named : deeds) {
    SCOPED_TRACE(named.first);
    const std::function<void(ListProcessor&)>& deed = named.second;
    on_every_executor_and_channel(3, [&](Executor& executor, ChannelKind channels) {
      Machine<List> machine(circle, {.ports = PortModel::all}, executor, channels);
      const auto error = failure_of<ProgramError>(machine, [&](ListProcessor& self) {
        if (self.rank() >= 70) deed(self);
        return stay(self);
      });
      expect_failure(error, {ErrorKind::exception,
                             0,
                             70,
                             {},
                             "test: cycle 0, rank 70: the program threw: a send, an access or a charge before the "
                             "program has started"});
      EXPECT_EQ(Counted::alive, 0);
    });
  }
}

TEST(Endings, AProgramThatIsGivenAwayIsNone) {
  const Topology two = wirings::pair();
  const auto executor = make_executor(ExecutorKind::sequential);
  Machine<Word> machine(two, {}, *executor);
  const auto error = failure_of<ProgramError>(machine, [](Self& self) {
    Process program = spin(self, 1);
    if (self.rank() == 1) const Process taken = std::move(program);
    return program;  // NOLINT: the moved-from payload
  });
  expect_failure(
      error,
      {ErrorKind::exception, 0, 1, {}, "test: cycle 0, rank 1: the program threw: the program made no coroutine"});
  EXPECT_EQ(Counted::alive, 0);
}

TEST(Endings, WhatAProcessorHoldsMayBeSaidWhileItsProgramIsMade) {
  const Topology circle = wirings::ring(100);
  on_every_executor_and_channel(3, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(circle, {}, executor, channels);
    const Report report = machine.run([&](Self& self) {
      self.hold(self.rank());
      return spin(self, 100);
    });
    EXPECT_EQ(report.peak_words_held, 99U);
  });
}

TEST(Endings, ARunErrorOfTheProgramsOwnIsAnException) {
  on_a_pair([](Machine<Word>& machine) {
    struct Program {
      static Process run(Self& self) {
        const Counted local;
        co_await self.cycle();
        throw RunError(ErrorKind::overflow, 77, 1, {}, "made up");
      }
    };
    const RunError error = failure_of(machine, Program::run);
    expect_failure(error, {ErrorKind::exception, 1, 0, {}, "test: cycle 1, rank 0: the program threw: made up"});
  });
}

TEST(Endings, TheStopFlagInterruptsAtTheNextBarrier) {
  on_a_pair([](Machine<Word>& machine) {
    std::atomic<bool> stop{false};
    RunOptions stoppable = options();
    stoppable.stop = &stop;
    std::vector<Cycle> barriers;
    stoppable.on_barrier = [&](const Progress& progress) {
      barriers.push_back(progress.cycle);
      if (progress.cycle == 6) stop = true;
    };
    const RunError error = failure_of(
        machine, [](Self& self) { return spin(self, 0); }, stoppable);
    expect_failure(error, {ErrorKind::interrupted, 6, no_rank, {}, "test: interrupted after cycle 6"});
    EXPECT_EQ(barriers, (std::vector<Cycle>{0, 1, 2, 3, 4, 5, 6}));
  });
}

TEST(Endings, AnExceptionAtTheBarrierLeavesNothingBehind) {
  on_a_pair([](Machine<Word>& machine) {
    RunOptions watched = options();
    watched.on_barrier = [](const Progress&) { throw Planned("no more"); };
    std::array<Word, 2> got{};
    EXPECT_THROW(machine.run([&](Self& self) { return swap_once(self, got); }, watched), Planned);
  });
}

TEST(Endings, EveryProcessorFinishesTheCycleOfAFailure) {
  struct Program {
    static Process run(Self& self, std::atomic<unsigned>& in_cycle_two) {
      const Counted local;
      co_await self.until(2);
      ++in_cycle_two;
      if (self.rank() == 17) throw Planned("one of many");
      co_await self.cycle();
      ADD_FAILURE() << "the run went on";
    }
  };
  const Topology many = wirings::ring(100);
  on_every_executor_and_channel(5, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(many, {}, executor, channels);
    std::atomic<unsigned> in_cycle_two{0};
    EXPECT_EQ(failure_of(machine, [&](Self& self) { return Program::run(self, in_cycle_two); }).rank(), 17U);
    EXPECT_EQ(in_cycle_two, 100U);
    EXPECT_EQ(Counted::alive, 0);
  });
}

TEST(Endings, AMachineWithoutProcessorsEndsAtOnce) {
  const Topology none("none", 0, 3, [](Rank, Port) { return End{}; });
  Machine<Word> machine(none);
  EXPECT_EQ(machine.run([](Self& self) { return spin(self, 0); }).cycles, 0U);
}

}  // namespace
}  // namespace lockstep::endings_test
