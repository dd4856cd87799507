// Thousands of schedule seeds: under every one, random programs give the results of the reference model, and methods of
// the catalogue the same data and digest. LOCKSTEP_STRESS multiplies the seeds (default 1).
#include "../algorithms/built_machine.hpp"
#include "../algorithms/catalogue_cases.hpp"
#include "draw.hpp"
#include "machine_run.hpp"
#include "runs.hpp"
#include "simulation.hpp"

namespace lockstep::schedules_test {
namespace {

const std::uint64_t seeds_of_each = runs::stressed(sanitized ? 40 : 400);

/// Runs the given number of random programs under every schedule seed; some of them fail, but not most.
void expect_no_difference(reference::Draw draw, std::uint64_t programs) {
  std::uint64_t failed = 0;
  std::uint64_t runs = 0;
  for (std::uint64_t number = 1; number <= programs && !testing::Test::HasFailure(); ++number) {
    SCOPED_TRACE("program " + std::to_string(number));
    reference::Dice dice(number);
    const reference::Scenario scenario = draw(dice, 100);
    const reference::Outcome expected = reference::simulate(scenario);
    failed += expected.failure ? 1U : 0U;
    std::optional<reference::MachineOutcome> first;
    for (std::uint64_t seed = 1; seed <= seeds_of_each && !testing::Test::HasFailure(); ++seed, ++runs) {
      SCOPED_TRACE("schedule seed " + std::to_string(seed));
      const auto executor = make_executor(ExecutorKind::seeded, 1, seed);
      const reference::MachineOutcome machine = reference::run_on_machine(scenario, *executor);
      if (!first) first = machine;
      EXPECT_EQ(reference::difference(machine.outcome, expected), "");
      EXPECT_EQ(machine.digest, first->digest);
      EXPECT_EQ(machine.text, first->text);
    }
  }
  EXPECT_EQ(runs, programs * seeds_of_each);
  EXPECT_GT(failed, programs / 8);
  EXPECT_LT(failed, programs * 3 / 4);
}

TEST(Schedules, OfRandomProgramsMakeNoDifference) { expect_no_difference(reference::draw_scenario, 20); }

TEST(Schedules, OfRandomProgramsOnMediaMakeNoDifference) { expect_no_difference(reference::draw_medium_scenario, 8); }

/// Every method on one machine for each family, the smallest on which messages move, so that the catalogue may grow.
std::vector<Case> small_cases() {
  std::vector<Case> chosen;
  for (const Case& one : catalogue_cases()) {
    const MachineSpec spec = parse_machine(one.machine);
    if (spec.processors < 4) continue;
    const bool is_first = chosen.empty() || chosen.back().method != one.method ||
                          parse_machine(chosen.back().machine).family != spec.family;
    if (is_first) chosen.push_back(one);
  }
  return chosen;
}

class SchedulesOf : public testing::TestWithParam<Case> {};

TEST_P(SchedulesOf, AMethodMakeNoDifference) {
  const Method& method = *GetParam().method;
  const BuiltMachine machine(GetParam().machine);
  // A search limited by time finds another schedule on a slow host.
  const Settings settings = required_settings(method);
  const auto run = [&](Executor* executor) {
    return machine.run(method.name, method.defaults, settings, {}, executor);
  };
  const Outcome expected = run(nullptr);
  EXPECT_EQ(expected.wrong, "");
  const std::uint64_t seeds = runs::stressed(sanitized ? 4 : 40);
  for (std::uint64_t seed = 1; seed <= seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("schedule seed " + std::to_string(seed));
    const auto executor = make_executor(ExecutorKind::seeded, 1, seed);
    const Outcome outcome = run(executor.get());
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.report.digest(), expected.report.digest());
    EXPECT_EQ(outcome.data_digest, expected.data_digest);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, SchedulesOf, testing::ValuesIn(small_cases()), test_name);

}  // namespace
}  // namespace lockstep::schedules_test
