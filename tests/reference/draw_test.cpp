// The random scenarios reach what they are to test: every way to fail, every verb and model, and plenty of clean runs;
// and making them smaller keeps them well formed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "property.hpp"
#include "runs.hpp"
#include "simulation.hpp"

namespace lockstep::reference {
namespace {

constexpr int scenarios_drawn = runs::sanitized ? 1000 : 3000;

/// Calls body(scenario) for many scenarios of all sizes.
template <class Body>
void for_many(Body&& body) {
  for (int number = 0; number < scenarios_drawn; ++number) {
    Dice dice(static_cast<std::uint64_t>(number));
    body(draw_scenario(dice, number % 101));
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// Whether every link joins two different processors and both ends agree on it.
bool is_well_formed(const Scenario& scenario) {
  if (scenario.programs.size() != scenario.wiring.size() || scenario.wiring.empty()) return false;
  for (Rank rank = 0; rank < scenario.wiring.size(); ++rank) {
    if (scenario.wiring[rank].size() != scenario.ports()) return false;
    for (Port port = 0; port < scenario.ports(); ++port) {
      const End to = scenario.wiring[rank][port];
      if (to.rank == nobody) continue;
      if (to.rank == rank || to.rank >= scenario.wiring.size() || to.port >= scenario.ports()) return false;
      const End back = scenario.wiring[to.rank][to.port];
      if (back.rank != rank || back.port != port) return false;
    }
  }
  return true;
}

void collect(const Program& program, std::set<Verb>& verbs) {
  for (const Operation& operation : program) {
    verbs.insert(operation.verb);
    collect(operation.body, verbs);
  }
}

TEST(Draw, ReachesEveryKindOfFailureAndManyCleanRuns) {
  std::map<Kind, int> failures;
  int clean = 0;
  std::uint64_t messages = 0;
  std::set<Verb> verbs;
  for_many([&](const Scenario& scenario) {
    const Outcome outcome = simulate(scenario);
    if (outcome.failure) {
      ++failures[outcome.failure->kind];
    } else {
      ++clean;
      messages += outcome.counts.messages;
    }
    for (const Program& program : scenario.programs) collect(program, verbs);
  });
  for (const std::string_view kind_name : kind_names) {
    const auto kind =
        static_cast<Kind>(std::find(kind_names.begin(), kind_names.end(), kind_name) - kind_names.begin());
    EXPECT_GE(failures[kind], scenarios_drawn / 300) << kind_name;
    std::cout << kind_name << ' ' << failures[kind] << ", ";
  }
  std::cout << "none " << clean << '\n';
  EXPECT_GT(clean, scenarios_drawn / 3);
  EXPECT_GT(messages / static_cast<unsigned>(clean), 10U) << "messages of an average clean run";
  EXPECT_EQ(verbs.size(), static_cast<std::size_t>(Verb::call) + 1);
}

TEST(Draw, LegalProgramsFailInNoModel) {
  std::map<std::pair<Ports, Duplex>, std::uint64_t> messages;
  for (std::uint64_t seed = 0; seed < scenarios_drawn; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    Scenario scenario;
    scenario.wiring = draw_wiring(dice, static_cast<Rank>(dice.between(1, 20)));
    scenario.rules = draw_rules(dice);
    scenario.programs = draw_legal_programs(dice, scenario.wiring, scenario.rules, dice.below(15));
    const Outcome outcome = simulate(scenario);
    ASSERT_FALSE(outcome.failure) << name(outcome.failure->kind);
    messages[{scenario.rules.ports, scenario.rules.duplex}] += outcome.counts.messages;
  }
  EXPECT_EQ(messages.size(), 9U);
  for (const auto& [model, count] : messages) {
    EXPECT_GT(count, static_cast<std::uint64_t>(scenarios_drawn) / 3)
        << static_cast<int>(model.first) << ' ' << static_cast<int>(model.second);
  }
}

TEST(Draw, EqualSeedsDrawEqualScenarios) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::ostringstream one;
    std::ostringstream other;
    Dice first(seed);
    Dice second(seed);
    one << draw_scenario(first, 80);
    other << draw_scenario(second, 80);
    EXPECT_EQ(one.str(), other.str());
  }
}

TEST(Cuts, KeepScenariosWellFormedAndChangeThem) {
  int number = 0;
  for_many([&](const Scenario& scenario) {
    ASSERT_TRUE(is_well_formed(scenario));
    if (++number % 150 != 0) return;
    std::ostringstream before;
    before << scenario;
    for (const Cut& one : cuts(scenario)) {
      const Scenario smaller = cut(scenario, one);
      ASSERT_TRUE(is_well_formed(smaller));
      std::ostringstream after;
      after << smaller;
      ASSERT_NE(after.str(), before.str());
    }
  });
}

}  // namespace
}  // namespace lockstep::reference
