// Random programs, legal and illegal, on machines and in the reference model: everything that a program observes, the
// counts, both clocks, the phases, the records of cycles and the errors are the same on every executor.
#include "every_executor.hpp"
#include "runs.hpp"

namespace lockstep::reference::differential_test {
namespace {

TEST(Differential, RandomScenariosComeToTheSameAsInTheReferenceModel) {
  expect_agreement(draw_scenario, runs::stressed(sanitized ? 100'000 : 1'000'000));
}

}  // namespace
}  // namespace lockstep::reference::differential_test
