// Random programs as in differential_test.cpp, on buses, memories, crossbars and Omega networks.
#include "every_executor.hpp"
#include "runs.hpp"

namespace lockstep::reference::media_differential_test {
namespace {

TEST(MediaDifferential, RandomScenariosComeToTheSameAsInTheReferenceModel) {
  expect_agreement(draw_medium_scenario, runs::stressed(sanitized ? 30'000 : 300'000));
}

}  // namespace
}  // namespace lockstep::reference::media_differential_test
