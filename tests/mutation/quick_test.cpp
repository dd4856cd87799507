// The test that finds most mutants: a few of the random programs of the reference model's tests, on every executor but
// with few threads, which cost little even on one shared core.
#include "every_executor.hpp"

namespace lockstep::reference::quick_test {
namespace {

void expect_quick_agreement(Draw draw, std::uint64_t scenarios) {
  const auto sequential = make_executor(ExecutorKind::sequential);
  const auto seeded = make_executor(ExecutorKind::seeded, 1, 1);
  const auto tbb = make_executor(ExecutorKind::tbb, 2);
  const auto threads = make_executor(ExecutorKind::threads, 2);
  for (std::uint64_t seed = 1; seed <= scenarios; ++seed) {
    Dice dice(seed);
    const Scenario scenario = draw(dice, static_cast<int>(seed % 100));
    const Outcome expected = simulate(scenario);
    Executor* const shared = seed % 16 == 0 ? tbb.get() : seed % 16 == 8 ? threads.get() : seeded.get();
    std::optional<MachineOutcome> first;
    for (const ChannelKind channels : channel_kinds(scenario)) {
      const MachineOptions twice{.runs = 2, .channels = channels};
      const MachineOptions observed{.observed = seed % 3 == 0, .channels = channels};
      ASSERT_EQ(compare(scenario, *sequential, twice, expected, first), "") << "seed " << seed;
      ASSERT_EQ(compare(scenario, *shared, observed, expected, first), "") << "seed " << seed;
    }
  }
}

TEST(Quick, RandomScenariosComeToTheSameAsInTheReferenceModel) { expect_quick_agreement(draw_scenario, 500); }

TEST(Quick, RandomScenariosOnMediaDoSoToo) { expect_quick_agreement(draw_medium_scenario, 300); }

}  // namespace
}  // namespace lockstep::reference::quick_test
