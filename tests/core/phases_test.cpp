// Counts split by the phases that the processors name.
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::phases_test {
namespace {

using runs::on_every_executor;
using runs::options;

using List = std::vector<Word>;
using Self = Processor<List>;

/// Rank 0 sends one message a cycle to rank 1, of the length and in the phase given; an empty name means no phase()
/// call.
struct Sending {
  std::string phase;
  std::size_t length;
};

Process send_in_phases(Self& self, const std::vector<Sending>& sendings, Cycle start) {
  co_await self.until(start);
  for (const Sending& sending : sendings) {
    if (!sending.phase.empty()) self.phase(sending.phase);
    self.send(0, List(sending.length));
    co_await self.cycle();
  }
}

Process take(Self& self, std::size_t count) {
  for (std::size_t message = 0; message < count; ++message) co_await self.message(0);
}

void expect_phase(const PhaseCounts& phase, const std::string& phase_name, std::uint64_t steps, std::uint64_t messages,
                  std::uint64_t words, std::uint64_t longest_sum) {
  EXPECT_EQ(phase.name, phase_name);
  EXPECT_EQ(phase.steps, steps) << phase_name;
  EXPECT_EQ(phase.messages, messages) << phase_name;
  EXPECT_EQ(phase.words, words) << phase_name;
  EXPECT_EQ(phase.longest_sum, longest_sum) << phase_name;
}

TEST(Phases, SplitTheCountsInTheOrderOfTheirFirstMessages) {
  const Topology two = wirings::pair();
  const std::vector<Sending> sendings{{"", 1}, {"up", 2}, {"", 3}, {"down", 4}, {"up", 5}, {"across", 6}};
  on_every_executor(3, [&](Executor& executor) {
    Machine<List> machine(two, {}, executor);
    const Report report = machine.run(
        [&](Self& self) { return self.rank() == 0 ? send_in_phases(self, sendings, 0) : take(self, sendings.size()); },
        options());
    ASSERT_EQ(report.phases.size(), 4U);
    expect_phase(report.phases[0], "", 1, 1, 1, 1);  // before a phase was named
    expect_phase(report.phases[1], "up", 3, 3, 10, 10);
    expect_phase(report.phases[2], "down", 1, 1, 4, 4);
    expect_phase(report.phases[3], "across", 1, 1, 6, 6);
    EXPECT_EQ(report.steps, 6U);
    EXPECT_EQ(report.words, 21U);
  });
}

TEST(Phases, MayOverlapInACycle) {
  // The leaves of a star send in phases of their own, in the same and in different cycles.
  const Topology hub = wirings::star(3);
  const std::vector<std::vector<Sending>> sendings{{}, {{"a", 5}, {"a", 1}}, {{"b", 7}}, {{"a", 2}, {"c", 9}}};
  struct Program {
    static Process drain(Self& self, unsigned messages) {
      for (unsigned message = 0; message < messages; ++message) co_await self.message();
    }
  };
  on_every_executor(20, [&](Executor& executor) {
    Machine<List> machine(hub, {.ports = PortModel::all}, executor);
    const Report report = machine.run(
        [&](Self& self) {
          return self.rank() == 0 ? Program::drain(self, 5) : send_in_phases(self, sendings[self.rank()], 2);
        },
        options());
    ASSERT_EQ(report.phases.size(), 3U);
    expect_phase(report.phases[0], "a", 2, 3, 8, 6);  // cycle 2: 5 and 2 words, cycle 3: 1
    expect_phase(report.phases[1], "b", 1, 1, 7, 7);
    expect_phase(report.phases[2], "c", 1, 1, 9, 9);
    EXPECT_EQ(report.longest_sum, 7U + 9U);
    EXPECT_EQ(report.steps, 2U);
  });
}

TEST(Phases, OfOneCycleComeInTheOrderOfTheirNames) {
  constexpr Rank leaves = 40;
  const Topology hub = wirings::star(leaves);
  struct Program {
    static Process send(Self& self) {
      self.phase(std::string("phase ") + std::to_string(self.rank() % 10));
      self.send(0, List(1));
      co_return;
    }
    static Process drain(Self& self) {
      for (Rank leaf = 0; leaf < leaves; ++leaf) co_await self.message();
    }
  };
  on_every_executor(20, [&](Executor& executor) {
    Machine<List> machine(hub, {.ports = PortModel::all}, executor);
    const Report report = machine.run(
        [](Self& self) { return self.rank() == 0 ? Program::drain(self) : Program::send(self); }, options());
    ASSERT_EQ(report.phases.size(), 10U);
    for (int phase = 0; phase < 10; ++phase) {
      expect_phase(report.phases[static_cast<std::size_t>(phase)], std::string("phase ") + std::to_string(phase), 1, 4,
                   4, 1);
    }
  });
}

Process name_phases(Self& self, unsigned count) {
  for (unsigned phase = 0; phase < count; ++phase) self.phase(std::string("p") + std::to_string(phase));
  co_return;
}

TEST(Phases, AreAtMostSixtyThree) {
  const Topology two = wirings::pair();
  Machine<List> machine(two);
  EXPECT_EQ(machine.run([](Self& self) { return name_phases(self, 63); }).phases.size(), 63U);
  const RunError error = runs::failure_of(machine, [](Self& self) { return name_phases(self, 64); });
  runs::expect_failure(error, {ErrorKind::too_many_phases, 0, no_rank, {}, "test: cycle 0: more than 63 phase names"});
  EXPECT_TRUE(machine.run([](Self& self) { return name_phases(self, 0); }).phases.empty()) << "each run starts afresh";
}

Process name_one_phase(Self& self) {
  self.phase(std::string("of rank ") + std::to_string(self.rank()));
  co_return;
}

TEST(Phases, TooManyEndTheRunAlikeInAnyOrder) {
  const Topology many = wirings::ring(128);
  runs::on_every_executor(20, [&](Executor& executor) {
    Machine<List> machine(many, {}, executor);
    runs::expect_failure(runs::failure_of(machine, name_one_phase),
                         {ErrorKind::too_many_phases, 0, no_rank, {}, "test: cycle 0: more than 63 phase names"});
  });
}

Process name_many_and_fail(Self& self) {
  for (unsigned phase = 0; phase < 64; ++phase) self.phase(std::string("p") + std::to_string(phase));
  if (self.rank() == 1) self.receive(0);
  co_return;
}

TEST(Phases, TooManyBelongToNoRankSoAFailureOfARankComesFirst) {
  const Topology two = wirings::pair();
  runs::on_every_executor(5, [&](Executor& executor) {
    Machine<List> machine(two, {}, executor);
    runs::expect_failure(
        runs::failure_of(machine, name_many_and_fail),
        {ErrorKind::nothing_arrived, 0, 1, {0}, "test: cycle 0, rank 1, port 0: receive, but no message has arrived"});
  });
}

Process name_an_empty_phase_first(Self& self) {
  self.phase("a: empty");
  self.phase("b");
  if (self.rank() == 0) self.send(0, {1});
  co_await self.until(1);
  if (self.rank() == 1) self.receive(0);
}

TEST(Phases, WithoutMessagesComeLast) {
  const Topology two = wirings::pair();
  Machine<List> machine(two);
  const std::vector<PhaseCounts> phases = machine.run(name_an_empty_phase_first).phases;
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].name, "b");
  EXPECT_EQ(phases[1].name, "a: empty");
}

// Every processor names phases of its own and common ones in the same cycles as the others.
Process name_many_phases(Self& self) {
  for (unsigned round = 0; round < 20; ++round) {
    self.phase(std::string("phase ") + std::to_string((self.rank() + round) % 40));
    self.send(0, {round});
    co_await self.cycle();
    self.receive(1);
  }
}

TEST(Phases, NamedByManyAtOnceKeepTheirCounts) {
  const Topology circle = wirings::ring(40);
  runs::on_every_executor(5, [&](Executor& executor) {
    for (int repeat = 0; repeat < 10; ++repeat) {
      Machine<List> machine(circle, {}, executor);
      const Report report = machine.run(name_many_phases, runs::options());
      ASSERT_EQ(report.phases.size(), 40U);
      for (const PhaseCounts& phase : report.phases) ASSERT_EQ(phase.messages, 20U) << phase.name;
    }
  });
}

}  // namespace
}  // namespace lockstep::phases_test
