#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "machine_run.hpp"
#include "property.hpp"
#include "simulation.hpp"

// The comparison can fail: with any one rule of the reference model broken, a scenario is found on which a machine
// gives another result, and it is made small.
namespace lockstep::reference {

/// The smallest scenario on which a machine and the faulty model differ; none if they never do.
template <class Faulty>
std::optional<Scenario> smallest_difference(Draw draw) {
  const auto executor = make_executor(ExecutorKind::sequential);
  std::optional<Scenario> smallest;
  check(draw, 1, 3000, [&](const Scenario& scenario) {
    std::string wrong = difference(run_on_machine(scenario, *executor).outcome, Faulty(scenario).run());
    if (!wrong.empty()) smallest = scenario;
    return wrong;
  });
  return smallest;
}

template <class Faulty>
void expect_to_be_found(Draw draw) {
  const std::optional<Scenario> smallest = smallest_difference<Faulty>(draw);
  ASSERT_TRUE(smallest);
  EXPECT_LE(smallest->programs.size(), 4U) << *smallest;
  EXPECT_LE(count_operations(*smallest), 8U) << *smallest;
}

}  // namespace lockstep::reference
