// Many threads on few cores: hundreds of runs of random traffic on small machines, with sub-programs, phases that are
// registered at the same time, exceptions and violations. Data, counts, digests and errors equal those of the
// sequential executor. LOCKSTEP_STRESS multiplies the rounds (default 1).
#include <cstdlib>

#include "random_traffic.hpp"
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep {
namespace {

using traffic::Fault;
using traffic::Self;
using traffic::Step;
using traffic::Traffic;

constexpr unsigned many_threads = 16;

std::uint64_t rounds(std::uint64_t at_first) {
  const char* factor = std::getenv("LOCKSTEP_STRESS");
  return at_first * (factor == nullptr ? 1 : std::max(1UL, std::strtoul(factor, nullptr, 10)));
}

/// Everything that a run comes to.
struct Result {
  std::vector<Word> states;
  std::uint64_t digest = 0;
  std::uint64_t messages = 0;
  std::string error;
  std::vector<PhaseCounts> phases;
};

Result run(const Topology& topology, const Model& model, const Traffic& traffic, Executor& executor) {
  Machine<traffic::List> machine(topology, model, executor);
  Result result;
  result.states.resize(topology.processors());
  try {
    Report report = machine.run(
        [&](Self& self) { return traffic::take_part(self, traffic, result.states[self.rank()]); }, runs::options());
    result.digest = report.digest();
    result.messages = report.messages;
    result.phases = std::move(report.phases);
  } catch (const RunError& error) {
    result.error = error.what();
  }
  return result;
}

void expect_equal(const Result& result, const Result& expected) {
  EXPECT_EQ(result.states, expected.states);
  EXPECT_EQ(result.digest, expected.digest);
  EXPECT_EQ(result.messages, expected.messages);
  EXPECT_EQ(result.error, expected.error);
  ASSERT_EQ(result.phases.size(), expected.phases.size());
  for (std::size_t index = 0; index < result.phases.size(); ++index) {
    EXPECT_EQ(result.phases[index].name, expected.phases[index].name);
    EXPECT_EQ(result.phases[index].words, expected.phases[index].words);
  }
}

/// A machine of 8 to 256 processors, another every round.
Topology topology_of(std::uint64_t round) {
  switch (round % 5) {
    case 0:
      return wirings::cube(3 + static_cast<Port>(round / 5 % 6));
    case 1:
      return wirings::ring(8 + static_cast<Rank>(round % 120));
    case 2:
      return wirings::complete(8 + static_cast<Rank>(round % 9));
    case 3:
      return wirings::star(7 + static_cast<Rank>(round % 30));
    default:
      return wirings::path(8 + static_cast<Rank>(round % 200));
  }
}

Model model_of(std::uint64_t round) {
  Model model;
  model.ports = round % 3 == 0 ? PortModel::one : PortModel::all;
  model.multicast = round % 2 == 0;
  model.cost = {.beta = 0.5, .tau = 0.25, .max_packet_words = 3, .copy_cost = 0.125};
  return model;
}

class Stress : public testing::TestWithParam<ExecutorKind> {};

TEST_P(Stress, RandomTrafficComesToTheSame) {
  const auto executor = make_executor(GetParam(), many_threads);
  const auto sequential = make_executor(ExecutorKind::sequential);
  for (std::uint64_t round = 0; round < rounds(60); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const Topology topology = topology_of(round);
    const Model model = model_of(round);
    const Traffic traffic = traffic::draw(topology, model, 20, round % 4 == 1, 1000 + round);
    const Result expected = run(topology, model, traffic, *sequential);
    EXPECT_EQ(expected.error, "");
    EXPECT_EQ(expected.states, traffic::simulate(topology, traffic).states);
    for (int repeat = 0; repeat < 2; ++repeat) expect_equal(run(topology, model, traffic, *executor), expected);
    if (HasFailure()) return;
  }
}

/// Plants faults in about one step of `every`; the first of them is to end the run.
void plant_faults(Traffic& traffic, unsigned every, std::mt19937_64& random) {
  for (auto& steps : traffic.steps) {
    for (Step& step : steps) {
      if (random() % every != 0) continue;
      const auto kind = random() % 3;
      step.fault = kind == 0 ? Fault::exception : kind == 1 || step.sends.empty() ? Fault::no_link : Fault::second_send;
    }
  }
}

/// "test: cycle C, rank R" of the fault that comes first by (cycle, rank), or nothing.
std::string first_fault(const Traffic& traffic) {
  std::optional<std::pair<Cycle, Rank>> first;
  for (Rank rank = 0; rank < traffic.steps.size(); ++rank) {
    for (const Step& step : traffic.steps[rank]) {
      if (step.fault == Fault::none) continue;
      if (!first || std::pair(step.cycle, rank) < *first) first = {step.cycle, rank};
      break;
    }
  }
  if (!first) return "";
  return "test: cycle " + std::to_string(first->first) + ", rank " + std::to_string(first->second);
}

TEST_P(Stress, FaultsInTheMiddleAreReportedAlike) {
  const auto executor = make_executor(GetParam(), many_threads);
  const auto sequential = make_executor(ExecutorKind::sequential);
  unsigned failed = 0;
  for (std::uint64_t round = 0; round < rounds(60); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const Topology topology = topology_of(round);
    const Model model = model_of(round);
    Traffic traffic = traffic::draw(topology, model, 20, round % 4 == 1, 2000 + round);
    std::mt19937_64 random(round);
    plant_faults(traffic, round % 2 == 0 ? 20 : 500, random);
    const std::string where = first_fault(traffic);
    failed += where.empty() ? 0U : 1U;

    const Result expected = run(topology, model, traffic, *sequential);
    EXPECT_EQ(expected.error.substr(0, where.size()), where);
    EXPECT_EQ(expected.error.empty(), where.empty());
    for (int repeat = 0; repeat < 2; ++repeat) expect_equal(run(topology, model, traffic, *executor), expected);
    if (HasFailure()) return;
  }
  EXPECT_GT(failed, 10U);
}

/// Swaps with every neighbour in turn, round after round; all processors act in all cycles.
Process swap_with_all(Processor<Word>& self, unsigned swaps, Word& state) {
  const runs::Counted local;
  for (unsigned swap = 0; swap < swaps; ++swap) {
    const Word mine = state;
    const Word theirs = co_await self.exchange(swap % self.ports(), mine);
    state = traffic::mix(mine + theirs, swap);
  }
}

TEST_P(Stress, LongExchangesLoseNothing) {
  const auto executor = make_executor(GetParam(), many_threads);
  const unsigned swaps = static_cast<unsigned>(rounds(300));
  for (const Port dimensions : {3U, 5U, 8U}) {
    const Topology cube = wirings::cube(dimensions);
    Machine<Word> machine(cube, {}, *executor);
    std::vector<Word> states(cube.processors());
    for (Rank rank = 0; rank < cube.processors(); ++rank) states[rank] = rank;
    std::vector<Word> expected = states;
    for (unsigned swap = 0; swap < swaps; ++swap) {
      const std::vector<Word> before = expected;
      for (Rank rank = 0; rank < cube.processors(); ++rank) {
        expected[rank] = traffic::mix(before[rank] + before[rank ^ (Rank{1} << swap % dimensions)], swap);
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
  for (std::uint64_t round = 0; round < rounds(10); ++round) {
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
  for (std::uint64_t round = 0; round < rounds(100); ++round) {
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
}  // namespace lockstep
