// The random scenarios reach all that they are to test: every way to fail, every verb and model, and plenty of clean
// runs; and making them smaller keeps them well formed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "property.hpp"
#include "runs.hpp"
#include "simulation.hpp"

namespace lockstep::reference::draw_test {
namespace {

constexpr int scenarios_drawn = sanitized ? 1000 : 3000;
constexpr int medium_scenarios_drawn = 1500;

/// Calls body(scenario) for many scenarios of all sizes.
template <class Body>
void for_many(Draw draw, int scenarios, Body&& body) {
  for (int number = 0; number < scenarios; ++number) {
    Dice dice(static_cast<std::uint64_t>(number));
    body(draw(dice, number % 101));
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// Whether every link joins two different processors and both ends agree on it.
bool is_well_formed(const Scenario& scenario) {
  if (scenario.medium) return !scenario.programs.empty() && scenario.wiring.empty();
  if (scenario.programs.size() != scenario.wiring.size() || scenario.wiring.empty()) return false;
  for (Rank rank = 0; rank < scenario.wiring.size(); ++rank) {
    if (scenario.wiring[rank].size() != scenario.addresses()) return false;
    for (Port port = 0; port < scenario.addresses(); ++port) {
      const End to = scenario.wiring[rank][port];
      if (to.rank == nobody) continue;
      if (to.rank == rank || to.rank >= scenario.wiring.size() || to.port >= scenario.addresses()) return false;
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

/// Every kind of failure except the given ones, every verb, and many clean runs.
void expect_everything(Draw draw, int scenarios, const std::set<Kind>& impossible) {
  std::map<Kind, int> failures;
  int clean = 0;
  std::uint64_t messages = 0;
  std::set<Verb> verbs;
  for_many(draw, scenarios, [&](const Scenario& scenario) {
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
    if (impossible.contains(kind)) {
      EXPECT_EQ(failures[kind], 0) << kind_name;
    } else {
      EXPECT_GE(failures[kind], scenarios / 400) << kind_name;
    }
    std::cout << kind_name << ' ' << failures[kind] << ", ";
  }
  std::cout << "none " << clean << '\n';
  EXPECT_GT(clean, scenarios / 3);
  EXPECT_GT(messages / static_cast<unsigned>(clean), 8U) << "messages of an average clean run";
  EXPECT_EQ(verbs.size(), static_cast<std::size_t>(Verb::compute) + 1);
}

TEST(Draw, ReachesEveryKindOfFailureAndManyCleanRuns) {
  expect_everything(draw_scenario, scenarios_drawn,
                    {Kind::medium_limit, Kind::blocked, Kind::write_conflict, Kind::bank_conflict});
}

TEST(Draw, ReachesEveryKindOfFailureAndManyCleanRunsOnMedia) {
  expect_everything(draw_medium_scenario, medium_scenarios_drawn, {Kind::one_strict});
}

TEST(Draw, LegalProgramsFailInNoModel) {
  std::map<std::pair<Ports, Duplex>, std::uint64_t> messages;
  for (std::uint64_t seed = 0; seed < scenarios_drawn; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    Scenario scenario;
    scenario.wiring = draw_wiring(dice, static_cast<Rank>(dice.between(1, 20)));
    scenario.rules = draw_rules(dice);
    limit_ports(dice, scenario.rules, 25);
    scenario.programs = draw_legal_programs(dice, scenario.wiring, scenario.rules, dice.below(15));
    const Outcome outcome = simulate(scenario);
    ASSERT_FALSE(outcome.failure) << name(outcome.failure->kind);
    messages[{scenario.rules.ports, scenario.rules.duplex}] += outcome.counts.messages;
  }
  EXPECT_EQ(messages.size(), 4U * 3U);
  for (const auto& [model, count] : messages) {
    EXPECT_GT(count, static_cast<std::uint64_t>(scenarios_drawn) / 4)
        << static_cast<int>(model.first) << ' ' << static_cast<int>(model.second);
  }
}

TEST(Draw, LegalProgramsFailOnNoMedium) {
  std::map<std::tuple<Shared, bool, Duplex>, std::uint64_t> messages;
  for (std::uint64_t seed = 0; seed < medium_scenarios_drawn; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    Scenario scenario;
    scenario.programs.resize(dice.between(1, 20));
    scenario.medium = draw_medium(dice, scenario.processors());
    scenario.rules = draw_medium_rules(dice);
    scenario.programs =
        draw_legal_programs(dice, *scenario.medium, scenario.processors(), scenario.rules, dice.below(15));
    const Outcome outcome = simulate(scenario);
    ASSERT_FALSE(outcome.failure) << name(outcome.failure->kind);
    messages[{scenario.medium->kind, scenario.medium->omega, scenario.rules.duplex}] += outcome.counts.messages;
  }
  EXPECT_EQ(messages.size(), 4U * 3U);
  for (const auto& [machine, count] : messages) {
    EXPECT_GT(count, static_cast<std::uint64_t>(medium_scenarios_drawn) / 3)
        << static_cast<int>(std::get<0>(machine)) << ' ' << static_cast<int>(std::get<2>(machine));
  }
}

TEST(Draw, EqualSeedsDrawEqualScenarios) {
  for (const Draw draw : {draw_scenario, draw_medium_scenario}) {
    std::ostringstream one;
    std::ostringstream other;
    Dice first(1);
    Dice second(1);
    one << draw(first, 80);
    other << draw(second, 80);
    EXPECT_EQ(one.str(), other.str());
  }
}

TEST(Cuts, KeepScenariosWellFormedAndChangeThem) {
  int number = 0;
  const auto cut_some = [&](const Scenario& scenario) {
    ASSERT_TRUE(is_well_formed(scenario));
    if (++number % 150 != 0 || scenario.processors() > 30) return;  // larger ones have too many cuts
    std::ostringstream before;
    before << scenario;
    for (const Cut& one : cuts(scenario)) {
      const Scenario smaller = cut(scenario, one);
      ASSERT_TRUE(is_well_formed(smaller));
      std::ostringstream after;
      after << smaller;
      ASSERT_NE(after.str(), before.str());
    }
  };
  for_many(draw_scenario, scenarios_drawn, cut_some);
  for_many(draw_medium_scenario, medium_scenarios_drawn, cut_some);
}

}  // namespace
}  // namespace lockstep::reference::draw_test
