// Many threads on few cores: hundreds of runs of random programs on machines of up to 256 processors, with
// sub-programs, phases that are registered at the same time, exceptions and violations, and pauses of random lengths.
// All results are those of the reference model. LOCKSTEP_STRESS multiplies the rounds (default 1).
#include "delaying_executor.hpp"
#include "draw.hpp"
#include "machine_run.hpp"
#include "runs.hpp"
#include "shapes.hpp"
#include "simulation.hpp"
#include "wirings.hpp"

namespace lockstep {

void PrintTo(ExecutorKind kind, std::ostream* out) { *out << name(kind); }

}  // namespace lockstep

namespace lockstep::stress_test {
namespace {

using reference::Dice;
using reference::MachineOutcome;
using reference::Scenario;
using runs::stressed;

constexpr unsigned many_threads = 16;
const std::uint64_t programs = stressed(sanitized ? 20 : 60);
const std::uint64_t programs_on_media = stressed(sanitized ? 8 : 24);

/// Legal programs on a machine of 8 to 256 processors, another every round.
Scenario large_scenario(std::uint64_t round, Dice& dice) {
  Scenario scenario;
  switch (round % 5) {
    case 0:
      scenario.wiring = reference::cube(3 + static_cast<Port>(round / 5 % 6));
      break;
    case 1:
      scenario.wiring = reference::ring(8 + static_cast<Rank>(round % 120));
      break;
    case 2:
      scenario.wiring = reference::draw_wiring(dice, 8 + static_cast<Rank>(round % 30));
      break;
    case 3:
      scenario.wiring = reference::star(7 + static_cast<Rank>(round % 30));
      break;
    default:
      scenario.wiring = reference::path(8 + static_cast<Rank>(round % 200));
  }
  scenario.rules = reference::draw_rules(dice);
  scenario.single_words = dice.chance(30);
  scenario.programs = reference::draw_legal_programs(dice, scenario.wiring, scenario.rules, 20);
  return scenario;
}

/// The same with a medium for 8 to 70 processors.
Scenario large_medium_scenario(std::uint64_t round, Dice& dice) {
  Scenario scenario;
  scenario.programs.resize(8 + round * 13 % 63);
  scenario.medium = reference::draw_medium(dice, scenario.processors());
  scenario.rules = reference::draw_medium_rules(dice);
  scenario.single_words = dice.chance(30);
  scenario.programs = reference::draw_legal_programs(dice, *scenario.medium, scenario.processors(), scenario.rules, 20);
  return scenario;
}

/// Runs the scenario a few times, each with its own pauses.
void expect_as_in_the_reference(const Scenario& scenario, Executor& executor, std::uint64_t seed) {
  const reference::Outcome expected = reference::simulate(scenario);
  std::optional<MachineOutcome> first;
  for (std::uint64_t repeat = 0; repeat < 3; ++repeat) {
    DelayingExecutor delaying(executor, seed + repeat);
    MachineOutcome machine = repeat == 0 ? reference::run_on_machine(scenario, executor)
                                         : reference::run_on_machine(scenario, delaying, {.pauses = seed + repeat});
    if (!first) first = machine;
    EXPECT_EQ(reference::difference(machine.outcome, expected), "");
    EXPECT_EQ(machine.digest, first->digest);
    EXPECT_EQ(machine.text, first->text);
  }
}

using DrawLarge = Scenario (*)(std::uint64_t round, Dice& dice);

void expect_legal_programs_as_in_the_reference(DrawLarge draw, std::uint64_t rounds, Executor& executor) {
  for (std::uint64_t round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    Dice dice(1000 + round);
    const Scenario scenario = draw(round, dice);
    EXPECT_FALSE(reference::simulate(scenario).failure);
    expect_as_in_the_reference(scenario, executor, round);
  }
}

void expect_faults_as_in_the_reference(DrawLarge draw, std::uint64_t rounds, Executor& executor) {
  std::uint64_t failed = 0;
  for (std::uint64_t round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    Dice dice(2000 + round);
    Scenario scenario = draw(round, dice);
    for (auto count = 1 + round % 4; count > 0; --count) reference::spoil(dice, scenario);
    failed += reference::simulate(scenario).failure ? 1U : 0U;
    expect_as_in_the_reference(scenario, executor, round);
  }
  EXPECT_GT(failed, rounds / 2);
}

class Stress : public testing::TestWithParam<ExecutorKind> {};

TEST_P(Stress, RandomProgramsComeToTheSame) {
  const auto executor = make_executor(GetParam(), many_threads);
  expect_legal_programs_as_in_the_reference(large_scenario, programs, *executor);
}

TEST_P(Stress, RandomProgramsOnMediaComeToTheSame) {
  const auto executor = make_executor(GetParam(), many_threads);
  expect_legal_programs_as_in_the_reference(large_medium_scenario, programs_on_media, *executor);
}

TEST_P(Stress, FaultsInTheMiddleAreReportedAlike) {
  const auto executor = make_executor(GetParam(), many_threads);
  expect_faults_as_in_the_reference(large_scenario, programs, *executor);
}

TEST_P(Stress, FaultsInTheMiddleOnMediaAreReportedAlike) {
  const auto executor = make_executor(GetParam(), many_threads);
  expect_faults_as_in_the_reference(large_medium_scenario, programs_on_media, *executor);
}

Word mix(Word a, Word b) {
  const Word value = (a ^ (b * 0x9e3779b97f4a7c15U)) * 0xbf58476d1ce4e5b9U;
  return value ^ (value >> 29);
}

/// Swaps with every neighbour in turn, round after round; all processors act in all cycles.
Process swap_with_all(Processor<Word>& self, unsigned swaps, Word& state) {
  const runs::Counted local;
  for (unsigned swap = 0; swap < swaps; ++swap) {
    const Word mine = state;
    const Word theirs = co_await self.exchange(swap % self.ports(), mine);
    state = mix(mine + theirs, swap);
  }
}

TEST_P(Stress, LongExchangesLoseNothing) {
  const auto executor = make_executor(GetParam(), many_threads);
  const unsigned swaps = static_cast<unsigned>(stressed(300));
  for (const Port dimensions : {3U, 5U, 8U}) {
    const Topology cube = wirings::cube(dimensions);
    Machine<Word> machine(cube, {}, *executor);
    std::vector<Word> states(cube.processors());
    for (Rank rank = 0; rank < cube.processors(); ++rank) states[rank] = rank;
    std::vector<Word> expected = states;
    for (unsigned swap = 0; swap < swaps; ++swap) {
      const std::vector<Word> before = expected;
      for (Rank rank = 0; rank < cube.processors(); ++rank) {
        expected[rank] = mix(before[rank] + before[rank ^ (Rank{1} << swap % dimensions)], swap);
      }
    }
    const Report report = machine.run(
        [&](Processor<Word>& self) { return swap_with_all(self, swaps, states[self.rank()]); }, runs::options());
    EXPECT_EQ(states, expected);
    EXPECT_EQ(report.messages, std::uint64_t{swaps} * cube.processors());
    EXPECT_EQ(runs::Counted::alive, 0);
  }
}

Process name_a_phase(Processor<Word>& self, unsigned different) {
  for (unsigned turn = 0; turn < different; ++turn) {
    self.phase(std::string("phase ") + std::to_string((self.rank() + turn) % different));
    const Word mine = turn;
    co_await self.exchange(0, mine);
  }
}

TEST_P(Stress, PhasesRegisteredAtTheSameTimeAreOnePhaseEach) {
  const auto executor = make_executor(GetParam(), many_threads);
  const Topology cube = wirings::cube(7);
  constexpr unsigned different = 48;
  for (std::uint64_t round = 0; round < stressed(10); ++round) {
    Machine<Word> machine(cube, {}, *executor);
    const Report report =
        machine.run([](Processor<Word>& self) { return name_a_phase(self, different); }, runs::options());
    ASSERT_EQ(report.phases.size(), different);
    for (const PhaseCounts& phase : report.phases) {
      EXPECT_EQ(phase.messages, cube.processors()) << phase.name;
      EXPECT_EQ(phase.steps, different) << phase.name;
    }
  }
}

Process wait_for_ever(Processor<Word>& self, Rank waits_from, Cycle until) {
  const runs::Counted local;
  co_await self.until(until + self.rank() % 3);
  if (self.rank() >= waits_from) co_await self.message();
}

TEST_P(Stress, ManyShortRunsThatFailLeaveNothingBehind) {
  const auto executor = make_executor(GetParam(), many_threads);
  const Topology ring = wirings::ring(64);
  Machine<Word> machine(ring, {}, *executor);
  for (std::uint64_t round = 0; round < stressed(100); ++round) {
    const auto program = [&](Processor<Word>& self) {
      return wait_for_ever(self, static_cast<Rank>(round % 64), round % 5);
    };
    const auto error = runs::failure_of<DeadlockError>(machine, program);
    EXPECT_EQ(error.cycle(), round % 5 + 2);
    EXPECT_EQ(runs::Counted::alive, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(OnManyThreads, Stress, testing::Values(ExecutorKind::tbb, ExecutorKind::threads),
                         [](const auto& kind) { return std::string(name(kind.param)); });

}  // namespace
}  // namespace lockstep::stress_test
