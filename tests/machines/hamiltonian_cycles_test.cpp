#include "lockstep/machines/hamiltonian_cycles.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <stdexcept>
#include <utility>

namespace lockstep::hamiltonian_cycles_test {
namespace {

TEST(HamiltonianCycles, AreRingsThroughAllProcessorsThatHaveEveryLinkOnce) {
  for (const Port n : {0U, 2U, 4U, 6U, 8U, 10U}) {
    const std::vector<std::vector<Rank>> cycles = hamiltonian_cycles(n);
    ASSERT_EQ(cycles.size(), n / 2) << n;
    std::set<std::pair<Rank, Rank>> links;
    for (const std::vector<Rank>& cycle : cycles) {
      ASSERT_EQ(cycle.size(), std::size_t{1} << n);
      EXPECT_EQ(cycle.front(), 0U);
      EXPECT_EQ(std::set<Rank>(cycle.begin(), cycle.end()).size(), cycle.size());
      for (std::size_t place = 0; place < cycle.size(); ++place) {
        const Rank from = cycle[place];
        const Rank to = cycle[(place + 1) % cycle.size()];
        ASSERT_LT(to, Rank{1} << n);
        ASSERT_EQ(std::popcount(from ^ to), 1) << from << " to " << to;
        EXPECT_TRUE(links.emplace(std::min(from, to), std::max(from, to)).second) << from << " to " << to;
      }
    }
    EXPECT_EQ(links.size(), n * (std::size_t{1} << n) / 2);
  }
}

TEST(HamiltonianCycles, AreForAnEvenNumberOfDimensionsThatIsNotTooLarge) {
  EXPECT_THROW(hamiltonian_cycles(3), std::invalid_argument);
  EXPECT_THROW(hamiltonian_cycles(most_dimensions_of_cycles + 2), std::invalid_argument);
}

}  // namespace
}  // namespace lockstep::hamiltonian_cycles_test
