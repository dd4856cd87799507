// Of several failures in one cycle the one of the lowest (rank, kind) is reported, on every executor.
#include <algorithm>
#include <new>

#include "../threaded_processes.hpp"
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::first_failure_test {
namespace {

using runs::expect_failure;
using runs::failure_of;
using runs::on_every_executor_and_channel;

using Self = Processor<Word>;

/// What one rank of a complete machine does wrong in cycle 1.
enum class Fault { none, second_send, nothing_arrived, no_link, throws, sends_to_zero };

void commit(Self& self, Fault fault) {
  switch (fault) {
    case Fault::none:
      return;
    case Fault::second_send:
      self.send(0, 1);
      self.send(1, 2);
      return;
    case Fault::nothing_arrived:
      self.receive(0);
      return;
    case Fault::no_link:
      self.send(99, 1);
      return;
    case Fault::throws:
      throw std::runtime_error("planned");
    case Fault::sends_to_zero:
      self.send(self.processors() - 1 - self.rank(), 3);
      return;
  }
}

Process commit_in_cycle_one(Self& self, Fault fault, std::atomic<unsigned>& finished) {
  co_await self.until(1);
  ++finished;
  commit(self, fault);
}

struct Scene {
  std::string name;
  std::vector<std::pair<Rank, Fault>> faults;
  ErrorKind kind;
  Rank rank;
};

TEST(FirstFailure, TheLowestRankWins) {
  constexpr Rank size = 40;
  const Topology everybody = wirings::complete(size);
  const std::vector<Scene> scenes{
      {"two sends", {{31, Fault::second_send}, {7, Fault::second_send}}, ErrorKind::send_limit, 7},
      {"a later kind at a lower rank",
       {{30, Fault::no_link}, {5, Fault::nothing_arrived}},
       ErrorKind::nothing_arrived,
       5},
      {"an exception at a lower rank", {{30, Fault::no_link}, {5, Fault::throws}}, ErrorKind::exception, 5},
      {"a violation below an exception", {{3, Fault::no_link}, {5, Fault::throws}}, ErrorKind::no_link, 3},
      {"two exceptions", {{39, Fault::throws}, {38, Fault::throws}}, ErrorKind::exception, 38},
      {"a receiver below a sender",
       {{10, Fault::sends_to_zero}, {20, Fault::sends_to_zero}, {1, Fault::no_link}},
       ErrorKind::receive_limit,
       0},
      {"a sender and its receiver",
       {{0, Fault::throws}, {20, Fault::sends_to_zero}, {21, Fault::sends_to_zero}},
       ErrorKind::receive_limit,
       0},
  };
  for (const Scene& scene : scenes) {
    SCOPED_TRACE(scene.name);
    std::string text;
    on_every_executor_and_channel(20, [&](Executor& executor, ChannelKind channels) {
      Machine<Word> machine(everybody, {}, executor, channels);
      std::atomic<unsigned> finished{0};
      const RunError error = failure_of(machine, [&](Self& self) {
        const auto mine = std::find_if(scene.faults.begin(), scene.faults.end(),
                                       [&](const auto& entry) { return entry.first == self.rank(); });
        return commit_in_cycle_one(self, mine == scene.faults.end() ? Fault::none : mine->second, finished);
      });
      EXPECT_EQ(name(error.kind()), name(scene.kind));
      EXPECT_EQ(error.rank(), scene.rank);
      EXPECT_EQ(error.cycle(), 1U);
      EXPECT_EQ(finished, size) << "the other processors finish the cycle";
      if (text.empty()) text = error.what();
      EXPECT_EQ(text, error.what());
    });
  }
}

template <class Break>
void ignore_violation(Break&& break_rule) {
  try {
    break_rule();
  } catch (const RunError&) {
  }
}

Process break_three_rules(Self& self) {
  ignore_violation([&] { self.receive(0); });
  ignore_violation([&] {
    self.send(0, 1);
    self.send(0, 2);
  });
  if (self.rank() == 0) throw std::runtime_error("and an exception of its own");
  co_await self.cycle();
  ADD_FAILURE() << "the run went on";
}

TEST(FirstFailure, OfOneRankTheLowestKindWins) {
  const Topology two = wirings::pair();
  on_every_executor_and_channel(20, [&](Executor& executor, ChannelKind channels) {
    Machine<Word> machine(two, {}, executor, channels);
    const RunError error = failure_of(machine, break_three_rules);
    expect_failure(error, {ErrorKind::send_limit,
                           0,
                           0,
                           {0},
                           "test: cycle 0, rank 0, port 0: a second send in one cycle (port model one: at most one "
                           "send a cycle)"});
  });
}

Process violate_and_end(Self& self) {
  ignore_violation([&] { self.receive(0); });
  co_return;
}

TEST(FirstFailure, AViolationThatIsCaughtInTheLastCycleStillEndsTheRun) {
  const Topology two = wirings::pair();
  Machine<Word> machine(two);
  EXPECT_EQ(failure_of(machine, violate_and_end).kind(), ErrorKind::nothing_arrived);
}

Process exchange_and_receive_twice(Self& self) {
  if (self.rank() == 0) self.send(0, 1);
  if (self.rank() == 1 || self.rank() == 2) self.send(self.rank() == 1 ? 1 : 0, 1);
  co_await self.cycle();
}

TEST(FirstFailure, TwoSidedKindsOfOneRankAreOrderedToo) {
  // On a complete machine of three, port 0 leads to rank + 1 and port 1 to rank + 2: 1 and 2 send to 0, 0 to 1.
  const Topology three = wirings::complete(3);
  for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
    on_every_executor_and_channel(20, [&](Executor& executor, ChannelKind channels) {
      Machine<Word> one(three, {.ports = PortModel::one_strict, .duplex = duplex}, executor, channels);
      EXPECT_EQ(failure_of(one, exchange_and_receive_twice).kind(), ErrorKind::receive_limit);
      Machine<Word> all(three, {.ports = PortModel::all, .duplex = duplex}, executor, channels);
      const RunError error = failure_of(all, exchange_and_receive_twice);
      EXPECT_EQ(error.rank(), 0U);
      EXPECT_EQ(error.kind(), duplex == Duplex::half_link ? ErrorKind::half_link : ErrorKind::half_node);
    });
  }
}

Process run_out_of_memory(Self& self) {
  co_await self.until(1);
  if (self.rank() == 2) throw std::bad_alloc();
}

TEST(FirstFailure, MemoryThatIsNotThereIsThatInEveryProcess) {
  const Topology three = wirings::complete(3);
  std::atomic<unsigned> told = 0;
  test::ThreadedProcesses processes(3);
  processes.run([&](Processes& all) {
    const Placement placement(3, 3);
    const Division division{all, placement};
    const auto executor = make_executor(ExecutorKind::sequential, 1);
    Machine<Word> machine(three, {}, *executor, ChannelKind::lockfree, &division);
    try {
      machine.run(run_out_of_memory);
    } catch (const ProgramError& error) {
      EXPECT_EQ(error.rank(), 2U);
      EXPECT_THROW(std::rethrow_exception(error.cause()), std::bad_alloc);
      ++told;
    }
  });
  EXPECT_EQ(told, 3U);
}

}  // namespace
}  // namespace lockstep::first_failure_test
