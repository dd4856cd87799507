// Permutations, and the star and pancake graphs built from them.
#include "lockstep/machines/permutation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "lockstep/machines/topologies.hpp"
#include "naive_graph.hpp"

namespace lockstep::permutation_test {
namespace {

TEST(Permutation, AreRankedInLexicographicOrder) {
  for (unsigned n = 1; n <= 8; ++n) {
    std::vector<unsigned> symbols(n);
    std::iota(symbols.begin(), symbols.end(), 0);
    Rank rank = 0;
    do {
      const Permutation permutation(n, rank);
      for (unsigned place = 0; place < n; ++place) ASSERT_EQ(permutation[place], symbols[place]);
      ASSERT_EQ(permutation.rank(), rank);
      ++rank;
    } while (std::next_permutation(symbols.begin(), symbols.end()));
    EXPECT_EQ(rank, factorial(n));
  }
}

TEST(Permutation, HoldUpToTenSymbols) {
  EXPECT_EQ(factorial(0), 1U);
  EXPECT_EQ(factorial(10), 3628800U);
  EXPECT_EQ(Permutation(0, 0).to_string(), "");
  EXPECT_EQ(Permutation(10, 0).to_string(), "0123456789");
  const Permutation last(10, 3628799);
  EXPECT_EQ(last.to_string(), "9876543210");
  EXPECT_EQ(last.rank(), 3628799U);
  EXPECT_THROW(Permutation(10, 3628800), std::invalid_argument);
  EXPECT_THROW(Permutation(11, 0), std::invalid_argument);
  EXPECT_THROW(Permutation(3, 6), std::invalid_argument);
}

TEST(Permutation, MoveSymbols) {
  Permutation permutation(5, 0);
  permutation.swap(0, 3);
  EXPECT_EQ(permutation.to_string(), "31204");
  permutation.reverse_first(4);
  EXPECT_EQ(permutation.to_string(), "02134");
  permutation.reverse_first(1);
  EXPECT_EQ(permutation.to_string(), "02134");
}

TEST(StarGraph, PortsExchangeTheFirstSymbolWithAnother) {
  const Topology machine = star(4);
  EXPECT_EQ(machine.name(), "star:4");
  EXPECT_EQ(machine.processors(), 24U);
  EXPECT_EQ(machine.ports(), 3U);
  EXPECT_EQ(machine.label(9), "1230");
  // 1230 -> 2130, 3210, 0231; ranks by counting: 2130 is 2*6+1*2+1, 3210 is 23, 0231 is 0*6+1*2+1.
  EXPECT_EQ(machine.peer(9, 0), (End{15, 0}));
  EXPECT_EQ(machine.peer(9, 1), (End{23, 1}));
  EXPECT_EQ(machine.peer(9, 2), (End{3, 2}));
}

TEST(PancakeGraph, PortsReverseTheFirstSymbols) {
  const Topology machine = pancake(4);
  EXPECT_EQ(machine.name(), "pancake:4");
  EXPECT_EQ(machine.ports(), 3U);
  // 1230 -> 2130, 3210, 0321; 0321 is 0*6+2*2+1.
  EXPECT_EQ(machine.peer(9, 0), (End{15, 0}));
  EXPECT_EQ(machine.peer(9, 1), (End{23, 1}));
  EXPECT_EQ(machine.peer(9, 2), (End{5, 2}));
}

TEST(StarAndPancakeGraph, AreTheSameRingOfThreeSymbols) {
  EXPECT_EQ(graph_of(star(3)), graph_of(pancake(3)));
  EXPECT_EQ(graph_of(star(2)), naive_path(2));
}

void expect_facts(const Topology& machine, std::uint64_t diameter) {
  SCOPED_TRACE(machine.name());
  const std::vector<std::uint64_t> distances = graph_of(machine).distances(machine.processors() / 3);
  EXPECT_EQ(*std::max_element(distances.begin(), distances.end()), diameter);
  const MachineFacts known = facts(parse_machine(machine.name()));
  EXPECT_EQ(known.diameter, diameter);
  EXPECT_EQ(known.links, machine.links());
  EXPECT_EQ(known.average_status, Fraction(std::accumulate(distances.begin(), distances.end(), std::uint64_t{0})));
}

TEST(StarGraph, HasTheDiameterAndStatusOfTheFormula) {
  for (unsigned n = 2; n <= 8; ++n) expect_facts(star(n), 3 * (n - 1) / 2);
  EXPECT_EQ(facts(parse_machine("star:9")).diameter, 12U);
  EXPECT_EQ(facts(parse_machine("star:10")).diameter, 13U);
  // 10! (10 + 2/10 + H_10 - 4), H_10 = 7381/2520: 3628800 * 6.2 + 1440 * 7381
  EXPECT_EQ(facts(parse_machine("star:10")).average_status, Fraction(33127200));
}

TEST(PancakeGraph, HasTheDiameterAndStatusOfTheTable) {
  // How many of the n! piles need 0, 1, 2, .. flips: n = 9 and 10 as published (OEIS A092113).
  const std::vector<std::uint64_t> nine = {1, 8, 56, 391, 2278, 10666, 38015, 93585, 132697, 79379, 5804};
  const std::vector<std::uint64_t> ten = {1, 9, 72, 575, 3963, 22825, 106461, 377863, 919365, 1309756, 814678, 73232};
  for (const auto& [n, turns] : {std::pair{9U, nine}, std::pair{10U, ten}}) {
    std::uint64_t status = 0;
    for (std::size_t distance = 0; distance < turns.size(); ++distance) status += distance * turns[distance];
    const MachineFacts known = facts(parse_machine("pancake:" + std::to_string(n)));
    EXPECT_EQ(std::accumulate(turns.begin(), turns.end(), std::uint64_t{0}), factorial(n));
    EXPECT_EQ(known.diameter, turns.size() - 1);
    EXPECT_EQ(known.average_status, Fraction(status));
  }
  const std::vector<std::uint64_t> diameters = {1, 3, 4, 5, 7, 8, 9};
  for (unsigned n = 2; n <= 8; ++n) expect_facts(pancake(n), diameters[n - 2]);
}

}  // namespace
}  // namespace lockstep::permutation_test
