#pragma once

#include <gtest/gtest.h>

#include <cctype>

#include "draw.hpp"
#include "every_order.hpp"
#include "machine_run.hpp"
#include "runs.hpp"
#include "simulation.hpp"

// Scenarios on tiny machines in every order in which their processors can be resumed.
namespace lockstep::reference {

inline std::uint64_t factorial(std::uint64_t number) { return number < 2 ? 1 : number * factorial(number - 1); }

/// The number of orders of a run with these numbers of visited processors in its cycles.
inline std::uint64_t orders_of(const std::vector<std::uint64_t>& visited) {
  std::uint64_t product = 1;
  for (const std::uint64_t processors : visited) product *= factorial(processors);
  return product;
}

/// The number of processors visited in each cycle.
inline std::vector<std::uint64_t> visited_in(const Outcome& outcome) {
  std::vector<std::uint64_t> visited;
  for (const CycleCounts& in_cycle : outcome.per_cycle) visited.push_back(in_cycle.visited);
  return visited;
}

/// Runs the scenario in every order; returns how many there were.
inline std::uint64_t explore(const Scenario& scenario, const Outcome& expected) {
  EveryOrder executor;
  std::uint64_t orders = 0;
  std::optional<MachineOutcome> first;
  const std::vector<ChannelKind> kinds = channel_kinds(scenario);
  do {
    // The kinds of channel alternate, so that over many scenarios every order meets both.
    MachineOutcome machine = run_on_machine(
        scenario, executor, {.channels = kinds[orders++ % kinds.size()], .when_made = [&] { executor.start(); }});
    const std::string wrong = difference(machine.outcome, expected);
    if (!first) first = machine;
    EXPECT_EQ(wrong, "") << "order " << orders << " of " << scenario;
    EXPECT_EQ(machine.digest, first->digest);
    EXPECT_EQ(machine.text, first->text);
  } while (executor.next() && !testing::Test::HasFailure());
  return orders;
}

/// Runs the scenario in every order, with messages of any length and of one word: it visits the given number of
/// processors in each cycle, and fails as expected or not at all.
inline void expect_in_every_order(Scenario scenario, const std::vector<std::uint64_t>& visited,
                                  std::optional<Kind> failure) {
  for (const bool single_words : {false, true}) {
    scenario.single_words = single_words;
    const Outcome expected = simulate(scenario);
    EXPECT_EQ(expected.failure ? name(expected.failure->kind) : "", failure ? name(*failure) : "");
    EXPECT_EQ(visited_in(expected), visited);
    EXPECT_EQ(explore(scenario, expected), orders_of(visited));
  }
}

/// Draws small scenarios until enough orders have been explored.
inline void expect_of_random_programs(Draw draw, std::uint64_t enough) {
  constexpr std::uint64_t most_orders = sanitized ? 150 : 3500;
  std::uint64_t orders = 0;
  std::uint64_t explored = 0;
  std::uint64_t failed = 0;
  for (std::uint64_t seed = 1; orders < enough && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const Scenario scenario = draw(dice, 15);  // at most 4 processors
    const Outcome expected = simulate(scenario);
    const std::uint64_t number = orders_of(visited_in(expected));
    if (number < 20 || number > most_orders) continue;
    EXPECT_EQ(explore(scenario, expected), number);
    orders += number;
    ++explored;
    failed += expected.failure ? 1U : 0U;
  }
  std::cout << orders << " orders of " << explored << " programs, of which " << failed << " fail\n";
  EXPECT_GT(explored, enough / 2000);
  EXPECT_GT(failed, explored / 10);
}

inline std::string test_name(std::string text) {
  for (char& letter : text) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return text;
}

}  // namespace lockstep::reference
