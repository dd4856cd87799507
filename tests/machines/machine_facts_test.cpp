#include "lockstep/machines/machine_facts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "../sanitized.hpp"
#include "lockstep/machines/statuses.hpp"
#include "naive_graph.hpp"

namespace lockstep::machine_facts_test {
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
    EXPECT_EQ(*known.total_exchange_bound, std::max((sum + size - 1) / size, known.tree_bound.value()));
  }
}

TEST(MachineFacts, StatusOfProcessorsAgreesWithBreadthFirstSearch) {
  for (const NaiveMachine& machine : naive_machines()) {
    SCOPED_TRACE(machine.spec);
    const MachineSpec spec = parse_machine(machine.spec);
    for (Rank rank = 0; rank < machine.graph.size(); rank += 1 + machine.graph.size() / 64) {
      const std::vector<std::uint64_t> distances = machine.graph.distances(rank);
      ASSERT_EQ(status(spec, rank), std::accumulate(distances.begin(), distances.end(), std::uint64_t{0})) << rank;
    }
  }
}

/// Each node's sum of distances, by the algorithm of Floyd and Warshall.
std::vector<std::uint64_t> sums_of_distances(const NaiveGraph& graph) {
  const std::size_t n = graph.size();
  std::vector<std::vector<std::uint64_t>> distance(n, std::vector<std::uint64_t>(n, n));
  for (std::size_t node = 0; node < n; ++node) {
    distance[node][node] = 0;
    for (const Rank neighbour : graph.neighbours[node]) distance[node][neighbour] = 1;
  }
  for (std::size_t via = 0; via < n; ++via) {
    for (std::size_t from = 0; from < n; ++from) {
      for (std::size_t to = 0; to < n; ++to) {
        distance[from][to] = std::min(distance[from][to], distance[from][via] + distance[via][to]);
      }
    }
  }
  std::vector<std::uint64_t> sums;
  for (const auto& row : distance) sums.push_back(std::accumulate(row.begin(), row.end(), std::uint64_t{0}));
  return sums;
}

TEST(MachineFacts, StatusesOfAllProcessorsAgreeWithFloydAndWarshall) {
  std::set<bool> seen;
  for (const NaiveMachine& machine : naive_machines()) {
    if (machine.graph.size() > (sanitized ? 64U : 256U)) continue;
    SCOPED_TRACE(machine.spec);
    const std::optional<Statuses> known = statuses(parse_machine(machine.spec));
    ASSERT_TRUE(known);
    seen.insert(known->alike);
    EXPECT_EQ(known->values.size(), known->alike ? 1 : machine.graph.size());
    const std::vector<std::uint64_t> sums = sums_of_distances(machine.graph);
    for (Rank rank = 0; rank < machine.graph.size(); ++rank) ASSERT_EQ(known->of(rank), sums[rank]) << rank;
  }
  EXPECT_EQ(seen.size(), 2U);
}

TEST(MachineFacts, StatusesAreNotKnownOfMediaAndOfLargeMachinesThatAreNotAlike) {
  for (const char* machine : {"bus:4", "omega:8", "path:65537", "mesh:1000x1000", "shuffle-exchange:14"}) {
    EXPECT_FALSE(statuses(parse_machine(machine))) << machine;
  }
  EXPECT_EQ(statuses(parse_machine("torus:60000x60000"))->of(7), std::uint64_t{3'600'000'000} * 30'000);  // n sum m_i/4
}

/// The ordered pairs of other nodes that are disconnected without the node.
std::uint64_t pairs_apart_without(const NaiveGraph& graph, Rank node) {
  std::uint64_t apart = 0;
  for (Rank from = 0; from < graph.size(); ++from) {
    if (from == node) continue;
    std::set<Rank> reached{from};
    std::vector<Rank> queue{from};
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (const Rank neighbour : graph.neighbours[queue[next]]) {
        if (neighbour != node && reached.insert(neighbour).second) queue.push_back(neighbour);
      }
    }
    apart += graph.size() - 1 - reached.size();
  }
  return apart;
}

TEST(MachineFacts, TreeBoundIsWhatANodeHasToSend) {
  constexpr std::size_t largest = sanitized ? 32 : 128;
  unsigned checked = 0;
  for (const NaiveMachine& machine : naive_machines()) {
    if (!parse_machine(machine.spec).factors.empty() || machine.graph.size() > largest) continue;
    SCOPED_TRACE(machine.spec);
    std::uint64_t most = 0;
    for (Rank node = 0; node < machine.graph.size(); ++node) {
      most = std::max(most, pairs_apart_without(machine.graph, node));
    }
    EXPECT_EQ(facts_of(machine.spec).parted_pairs, most);
    EXPECT_EQ(facts_of(machine.spec).tree_bound, machine.graph.size() - 1 + most);
    ++checked;
  }
  EXPECT_GE(checked, sanitized ? 25U : 40U);
}

/// The ordered pairs of nodes that are disconnected without those with this coordinate in a factor.
std::uint64_t pairs_apart_without_copy(const NaiveGraph& graph, std::uint64_t stride, std::uint64_t side,
                                       Rank coordinate) {
  const auto is_gone = [&](Rank node) { return node / stride % side == coordinate; };
  std::uint64_t left = 0;
  for (Rank node = 0; node < graph.size(); ++node) left += is_gone(node) ? 0 : 1;
  std::uint64_t apart = 0;
  for (Rank from = 0; from < graph.size(); ++from) {
    if (is_gone(from)) continue;
    std::set<Rank> reached{from};
    std::vector<Rank> queue{from};
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (const Rank neighbour : graph.neighbours[queue[next]]) {
        if (!is_gone(neighbour) && reached.insert(neighbour).second) queue.push_back(neighbour);
      }
    }
    apart += left - reached.size();
  }
  return apart;
}

// A copy's processors relay the messages of the pairs that it separates and send n - 1 each: the bound is the average.
TEST(MachineFacts, TreeBoundOfAProductIsCountedByTakingCopiesAway) {
  const auto check = [](const std::string& spec, const NaiveGraph& graph, const std::vector<std::uint64_t>& sides) {
    SCOPED_TRACE(spec);
    const std::uint64_t n = graph.size();
    std::uint64_t most = 0;
    std::uint64_t stride = n;
    for (const std::uint64_t side : sides) {
      stride /= side;
      for (Rank coordinate = 0; coordinate < side; ++coordinate) {
        most = std::max(most, pairs_apart_without_copy(graph, stride, side, coordinate) / (n / side));
      }
    }
    EXPECT_EQ(facts_of(spec).tree_bound, n - 1 + most);
  };
  check("mesh:4x3", naive_product({naive_path(4), naive_path(3)}), {4, 3});
  check("mesh:2x5x3", naive_product({naive_path(2), naive_path(5), naive_path(3)}), {2, 5, 3});
  check("product:path:6*ring:4", naive_product({naive_path(6), naive_ring(4)}), {6, 4});
  check("product:shuffle-exchange:3*path:4", naive_product({naive_shuffle_exchange(3), naive_path(4)}), {8, 4});
  check("product:complete:4*shuffle-exchange:3", naive_product({naive_complete(4), naive_shuffle_exchange(3)}), {4, 8});
  check("torus:3x4", naive_product({naive_ring(3), naive_ring(4)}), {3, 4});
}

// A copy of the other factors replaces a factor's node: n - 1 + (n / n_i) times the pairs that the node separates.
TEST(MachineFacts, TreeBoundOfAProductIsThatOfACopy) {
  const auto bound = [](const std::string& spec) { return facts_of(spec).tree_bound; };
  EXPECT_EQ(bound("mesh:3x3"), 8U + 3 * 2);
  EXPECT_EQ(bound("mesh:4x3"), 11U + 3 * 4);
  EXPECT_EQ(bound("mesh:5x1"), 4U + 8);
  EXPECT_EQ(bound("product:path:16*complete:2"), 31U + 2 * 112);
  EXPECT_EQ(facts_of("product:path:16*complete:2").total_exchange_bound, 255U);
  EXPECT_EQ(bound("product:path:3*ring:2*path:4"), 23U + 6 * 4);
  EXPECT_EQ(bound("torus:5x7"), 34U);
  EXPECT_EQ(bound("product:graph:" LOCKSTEP_GRAPHS "/petersen.json*ring:3"), 29U);
}

TEST(MachineFacts, StatusOfHugeMachinesIsByFormula) {
  EXPECT_EQ(status(parse_machine("path:4000000000"), 0), 7999999998000000000U);  // m (m - 1) / 2
  EXPECT_EQ(status(parse_machine("hypercube:30"), 12345), 16106127360U);         // 30 * 2^29
  EXPECT_EQ(status(parse_machine("torus:1000x1000"), 7), 500000000U);
  EXPECT_EQ(status(parse_machine("mesh:1000x1000"), 0), 999000000U);  // 2 * 1000 * 999 * 1000 / 2
  EXPECT_EQ(status(parse_machine("rh:10,4"), 0), std::nullopt);
  EXPECT_EQ(status(parse_machine("switch:7"), 3), 6U);
  EXPECT_EQ(status(parse_machine("bus:7"), 3), std::nullopt);
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

// The closed forms of dimakopoulos.md, Status and bounds.
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

// Numbers that dimakopoulos.md, Products, states: where every dimension reaches its average status, T = AS.
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
  EXPECT_EQ(line.total_exchange_bound, 9223372028264841217U);          // ceil(m^2 / 2) - 1, the tree bound

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
  EXPECT_EQ(known.total_exchange_bound, known.processors - 1);  // only the tree bound is left
  EXPECT_EQ(average_status("product:ring:3*rh:10,4"), "unknown");
  EXPECT_EQ(average_status("product:rh:10,4*ring:3"), "unknown");
  EXPECT_EQ(facts_of("rh:20,0").average_status, Fraction(std::uint64_t{21} << 20));  // the 21-cube
}

TEST(MachineFacts, LeaveWhatIsNotSearchedOpenInProductsToo) {
  // More than 2^20 processors.
  const MachineFacts known = facts_of("product:ring:3*circulant:1100000,1,1000");
  EXPECT_EQ(known.links, 1100000U * 3 + 3 * 2200000U);
  EXPECT_EQ(known.degree_max, 6U);
  EXPECT_EQ(known.diameter, std::nullopt);
  EXPECT_EQ(known.average_status, std::nullopt);
  EXPECT_EQ(facts_of("product:circulant:1100000,1,1000*ring:3").diameter, std::nullopt);
  EXPECT_EQ(facts_of("product:ring:3*shuffle-exchange:20").diameter, 1U + 39U);
  EXPECT_EQ(facts_of("product:ring:3*shuffle-exchange:20").average_status, std::nullopt);
}

}  // namespace
}  // namespace lockstep::machine_facts_test
