// Thousands of schedule seeds: random programs come to what the reference model says under every one, and methods of
// the catalogue to the same data and digest. LOCKSTEP_STRESS multiplies the seeds (default 1).
#include <cctype>

#include "../algorithms/built_machine.hpp"
#include "draw.hpp"
#include "machine_run.hpp"
#include "runs.hpp"
#include "simulation.hpp"

namespace lockstep {
namespace {

const std::uint64_t seeds_of_each = runs::stressed(runs::sanitized ? 40 : 400);

TEST(Schedules, OfRandomProgramsMakeNoDifference) {
  std::uint64_t failed = 0;
  std::uint64_t runs = 0;
  for (std::uint64_t number = 1; number <= 20 && !HasFailure(); ++number) {
    SCOPED_TRACE("program " + std::to_string(number));
    reference::Dice dice(number);
    const reference::Scenario scenario = reference::draw_scenario(dice, 100);
    const reference::Outcome expected = reference::simulate(scenario);
    failed += expected.failure ? 1U : 0U;
    std::optional<reference::MachineOutcome> first;
    for (std::uint64_t seed = 1; seed <= seeds_of_each && !HasFailure(); ++seed, ++runs) {
      SCOPED_TRACE("schedule seed " + std::to_string(seed));
      const auto executor = make_executor(ExecutorKind::seeded, 1, seed);
      const reference::MachineOutcome machine = reference::run_on_machine(scenario, *executor);
      if (!first) first = machine;
      EXPECT_EQ(reference::difference(machine.outcome, expected), "");
      EXPECT_EQ(machine.digest, first->digest);
      EXPECT_EQ(machine.text, first->text);
    }
  }
  EXPECT_EQ(runs, 20 * seeds_of_each);
  EXPECT_GT(failed, 2U);
  EXPECT_LT(failed, 15U);
}

struct Job {
  std::string method;
  std::string machine;
  PortModel ports;
};
std::ostream& operator<<(std::ostream& out, const Job& job) { return out << job.method << " on " << job.machine; }

class SchedulesOf : public testing::TestWithParam<Job> {};

TEST_P(SchedulesOf, AMethodMakeNoDifference) {
  const Job& job = GetParam();
  const BuiltMachine machine(job.machine);
  const Outcome expected = machine.run(job.method, model_of(job.ports), {});
  EXPECT_EQ(expected.wrong, "");
  for (std::uint64_t seed = 1; seed <= seeds_of_each && !HasFailure(); ++seed) {
    SCOPED_TRACE("schedule seed " + std::to_string(seed));
    const auto executor = make_executor(ExecutorKind::seeded, 1, seed);
    const Outcome outcome = machine.run(job.method, model_of(job.ports), {}, {}, executor.get());
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.report.digest(), expected.report.digest());
    EXPECT_EQ(outcome.data_digest, expected.data_digest);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, SchedulesOf,
                         testing::Values(Job{"allgather/adea", "hypercube:6", PortModel::one},
                                         Job{"alltoall/product", "hypercube:5", PortModel::one},
                                         Job{"alltoall/product", "torus:4x5", PortModel::all},
                                         Job{"broadcast/sbt", "hypercube:7", PortModel::one},
                                         Job{"broadcast/drbt", "rh:4,2", PortModel::all}),
                         [](const auto& job) { return std::to_string(job.index); });

}  // namespace
}  // namespace lockstep
