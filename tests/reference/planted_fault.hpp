#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "machine_run.hpp"
#include "property.hpp"
#include "simulation.hpp"

// The comparison can fail: with any one rule of the reference model broken, a scenario is found on which a machine
// gives another result, and it is made small.
namespace lockstep::reference {

/// A small scenario on which a machine and the faulty model differ, of those drawn from that seed; none if they never
/// do.
template <class Faulty>
std::optional<Scenario> smallest_difference(Draw draw, std::uint64_t seed) {
  const auto executor = make_executor(ExecutorKind::sequential);
  std::optional<Scenario> smallest;
  check(draw, seed, 3000, [&](const Scenario& scenario) {
    std::string wrong = difference(run_on_machine(scenario, *executor).outcome, Faulty(scenario).run());
    if (!wrong.empty()) smallest = scenario;
    return wrong;
  });
  return smallest;
}

/// Some scenarios cannot be made smaller step by step, so several are.
template <class Faulty>
void expect_to_be_found(Draw draw) {
  constexpr std::uint64_t most_tries = 5;
  std::string found;
  for (std::uint64_t seed = 1; seed <= most_tries; ++seed) {
    const std::optional<Scenario> smallest = smallest_difference<Faulty>(draw, seed);
    ASSERT_TRUE(smallest);
    if (smallest->programs.size() <= 4 && count_operations(*smallest) <= 8) return;
    std::ostringstream text;
    text << *smallest;
    found = text.str();
  }
  FAIL() << "no small scenario is found, but\n" << found;
}

}  // namespace lockstep::reference
