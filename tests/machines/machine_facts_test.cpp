#include "lockstep/machines/machine_facts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "naive_graph.hpp"

namespace lockstep {
namespace {

MachineFacts facts_of(const std::string& spec) { return facts(parse_machine(spec)); }

std::string average_status(const std::string& spec) {
  const MachineFacts known = facts_of(spec);
  return known.average_status ? known.average_status->to_string() : "unknown";
}

TEST(MachineFacts, AgreeWithBreadthFirstSearch) {
  for (const NaiveMachine& machine : naive_machines()) {
    SCOPED_TRACE(machine.spec);
    const std::uint64_t size = machine.graph.size();
    std::uint64_t diameter = 0;
    std::uint64_t sum = 0;
    std::uint64_t degree_min = size;
    std::uint64_t degree_max = 0;
    for (Rank rank = 0; rank < machine.graph.size(); ++rank) {
      const std::vector<std::uint64_t> distances = machine.graph.distances(rank);
      diameter = std::max(diameter, *std::max_element(distances.begin(), distances.end()));
      sum = std::accumulate(distances.begin(), distances.end(), sum);
      const std::uint64_t degree = machine.graph.neighbours[rank].size();
      degree_min = std::min(degree_min, degree);
      degree_max = std::max(degree_max, degree);
    }
    const MachineFacts known = facts_of(machine.spec);
    EXPECT_EQ(known.processors, size);
    EXPECT_EQ(known.links, machine.graph.links());
    EXPECT_EQ(known.degree_min, degree_min);
    EXPECT_EQ(known.degree_max, degree_max);
    EXPECT_EQ(known.diameter, diameter);
    ASSERT_TRUE(known.average_status && known.average_distance && known.total_exchange_bound);
    EXPECT_EQ(known.average_status->to_string(), Fraction(sum, size).to_string());
    EXPECT_EQ(known.average_distance->to_string(),
              Fraction(sum, std::max<std::uint64_t>(1, size * (size - 1))).to_string());
    EXPECT_EQ(*known.total_exchange_bound, (sum + size - 1) / size);
  }
}

TEST(MachineFacts, BisectionWidthIsTheFewestLinksOfAllHalves) {
  unsigned checked = 0;
  for (const NaiveMachine& machine : naive_machines()) {
    if (machine.graph.size() > 16) continue;
    SCOPED_TRACE(machine.spec);
    const MachineFacts known = facts_of(machine.spec);
    if (!known.bisection_width) continue;
    EXPECT_EQ(*known.bisection_width, machine.graph.bisection_width());
    ++checked;
  }
  EXPECT_GE(checked, 60U);
}

TEST(MachineFacts, BisectionWidthIsGivenWhereAFormulaIsKnown) {
  EXPECT_EQ(facts_of("hypercube:10").bisection_width, 512U);
  EXPECT_EQ(facts_of("path:7").bisection_width, 1U);
  EXPECT_EQ(facts_of("ring:7").bisection_width, 2U);
  EXPECT_EQ(facts_of("ring:2").bisection_width, 1U);
  EXPECT_EQ(facts_of("complete:7").bisection_width, 3U * 4U);
  EXPECT_EQ(facts_of("mesh:8x6").bisection_width, 6U);
  EXPECT_EQ(facts_of("torus:8x6").bisection_width, 12U);
  EXPECT_EQ(facts_of("torus:2x2x2").bisection_width, 4U);
  EXPECT_EQ(facts_of("torus:1x9x1").bisection_width, 2U);
  EXPECT_EQ(facts_of("rh:4,0").bisection_width, 16U);
  EXPECT_EQ(facts_of("product:complete:1*hypercube:3*path:1").bisection_width, 4U);
  for (const std::string unknown : {"mesh:3x2", "torus:5x4", "rh:2,1", "product:ring:4*ring:4"}) {
    EXPECT_EQ(facts_of(unknown).bisection_width, std::nullopt) << unknown;
  }
}

// The closed forms of X 1.
TEST(MachineFacts, AverageStatusFollowsTheClosedForms) {
  for (std::uint64_t m = 1; m <= 100; ++m) {
    const std::string size = std::to_string(m);
    EXPECT_EQ(facts_of("ring:" + size).average_status, Fraction(m * m / 4));
    EXPECT_EQ(facts_of("complete:" + size).average_status, Fraction(m - 1));
    EXPECT_EQ(facts_of("path:" + size).average_status, Fraction(m * m - 1, 3));
  }
  for (std::uint64_t d = 1; d <= 31; ++d) {
    EXPECT_EQ(facts_of("hypercube:" + std::to_string(d)).average_status, Fraction(d << (d - 1)));
  }
  // Generalized hypercube of sides 3, 4, 6: n (k - sum 1/m_i) = 72 (3 - 1/3 - 1/4 - 1/6).
  EXPECT_EQ(average_status("product:complete:3*complete:4*complete:6"), "162");
}

// Numbers that X 3 states: where every dimension reaches its average status, T = AS.
TEST(MachineFacts, AverageStatusIsThatOfThePaper) {
  EXPECT_EQ(average_status("torus:4x3"), "20");
  EXPECT_EQ(average_status("torus:3x4x5"), "172");
  EXPECT_EQ(average_status("product:complete:4*ring:5"), "39");
  EXPECT_EQ(average_status("product:path:3*ring:4"), "68/3");
  EXPECT_EQ(average_status("product:star:3*ring:4"), "60");
  EXPECT_EQ(facts_of("mesh:3x2").total_exchange_bound, 9U);
}

TEST(MachineFacts, AnswerForHugeMachines) {
  const MachineFacts cube = facts_of("hypercube:30");
  EXPECT_EQ(cube.links, 30 * (std::uint64_t{1} << 29));
  EXPECT_EQ(cube.diameter, 30U);
  EXPECT_EQ(cube.average_status->to_string(), "16106127360");  // 30 * 2^29

  const MachineFacts square = facts_of("torus:1000x1000");
  EXPECT_EQ(square.links, 2000000U);
  EXPECT_EQ(square.diameter, 1000U);
  EXPECT_EQ(square.average_status->to_string(), "500000000");
  EXPECT_EQ(square.bisection_width, 2000U);

  const MachineFacts circle = facts_of("ring:1000000007");
  EXPECT_EQ(circle.average_status->to_string(), "250000003500000012");  // (m^2 - 1) / 4
  EXPECT_EQ(circle.average_distance->to_string(), "250000002");         // (m + 1) / 4

  const MachineFacts line = facts_of("path:4294967294");
  EXPECT_EQ(line.average_status->to_string(), "6148914685509894145");  // (m^2 - 1) / 3
  EXPECT_EQ(line.average_distance->to_string(), "1431655765");         // (m + 1) / 3
  EXPECT_EQ(line.total_exchange_bound, 6148914685509894145U);

  const MachineFacts all = facts_of("complete:4294967294");
  EXPECT_EQ(all.links, 9223372026117357571U);  // m (m - 1) / 2
  EXPECT_EQ(all.degree_max, 4294967293U);
  EXPECT_EQ(all.bisection_width, 4611686014132420609U);  // (m / 2)^2
  EXPECT_EQ(all.average_distance->to_string(), "1");

  // m_2 (m_1^2 - 1) / 3 + m_1 (m_2^2 - 1) / 3 with m_1 = 65536, m_2 = 65535
  EXPECT_EQ(average_status("mesh:65536x65535"), "562937068453889/3");
}

TEST(MachineFacts, LeaveTheDistancesOfHugeReducedHypercubesOpen) {
  const MachineFacts known = facts_of("rh:10,4");
  EXPECT_EQ(known.processors, std::uint64_t{1} << 26);
  EXPECT_EQ(known.links, (std::uint64_t{1} << 25) * 11);
  EXPECT_EQ(known.diameter, 2U * 16 + 10 - 4);
  EXPECT_EQ(known.average_status, std::nullopt);
  EXPECT_EQ(known.average_distance, std::nullopt);
  EXPECT_EQ(known.total_exchange_bound, std::nullopt);
  EXPECT_EQ(average_status("product:ring:3*rh:10,4"), "unknown");
  EXPECT_EQ(average_status("product:rh:10,4*ring:3"), "unknown");
  EXPECT_EQ(facts_of("rh:20,0").average_status, Fraction(std::uint64_t{21} << 20));  // the 21-cube
}

TEST(MachineFacts, LeaveWhatIsNotSearchedOpenInProductsToo) {
  const MachineFacts known = facts_of("product:ring:3*circulant:2000000,1,1000");
  EXPECT_EQ(known.links, 2000000U * 3 + 3 * 4000000U);
  EXPECT_EQ(known.degree_max, 6U);
  EXPECT_EQ(known.diameter, std::nullopt);
  EXPECT_EQ(known.average_status, std::nullopt);
  EXPECT_EQ(facts_of("product:circulant:2000000,1,1000*ring:3").diameter, std::nullopt);
  EXPECT_EQ(facts_of("product:ring:3*shuffle-exchange:20").diameter, 1U + 39U);
  EXPECT_EQ(facts_of("product:ring:3*shuffle-exchange:20").average_status, std::nullopt);
}

}  // namespace
}  // namespace lockstep
