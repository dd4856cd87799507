// The dimension over which each token arrives in TEA2: the properties that Saad & Schultz 1985, section 4.3, state.
#include "lockstep/machines/selection_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace lockstep::selection_table_test {
namespace {

/// C(n,i), the size of the class of distance i.
std::uint64_t tokens(Port n, Port distance) {
  std::uint64_t count = 1;
  for (Port factor = 0; factor < distance; ++factor) count = count * (n - factor) / (factor + 1);
  return count;
}

TEST(SelectionTable, OfThreeDimensionsIsTheOneOfItsHeader) {
  const std::vector<Port> table = selection_table(3);
  ASSERT_EQ(table.size(), 8U);
  EXPECT_EQ(table[0b001], 0U);
  EXPECT_EQ(table[0b010], 1U);
  EXPECT_EQ(table[0b100], 2U);
  EXPECT_EQ(table[0b011], 0U);
  EXPECT_EQ(table[0b110], 1U);
  EXPECT_EQ(table[0b101], 2U);
  EXPECT_EQ(table[0b111], 0U);
}

// Also where a rotation maps an address to itself, 0101 for n = 4 and more for 6, 8, 9, 10 and 12.
TEST(SelectionTable, LeadsNearerAndSharesTokensOutEvenly) {
  for (Port n = 1; n <= 12; ++n) {
    SCOPED_TRACE(n);
    const std::vector<Port> table = selection_table(n);
    std::vector<std::vector<std::uint64_t>> loads(n + 1, std::vector<std::uint64_t>(n));
    for (Rank relative = 1; relative < table.size(); ++relative) {
      ASSERT_LT(table[relative], n);
      ASSERT_TRUE(relative >> table[relative] & 1U) << relative;
      ++loads[static_cast<std::size_t>(std::popcount(relative))][table[relative]];
    }
    for (Port distance = 1; distance <= n; ++distance) {
      EXPECT_EQ(*std::ranges::max_element(loads[distance]), (tokens(n, distance) + n - 1) / n) << distance;
      if (distance == n) continue;
      std::uint64_t most = 0;
      for (Port dimension = 0; dimension < n; ++dimension) {
        most = std::max(most, loads[distance][dimension] + loads[distance + 1][dimension]);
      }
      const std::uint64_t both = tokens(n, distance) + tokens(n, distance + 1);
      EXPECT_EQ(most, (both + n - 1) / n) << distance << " and the next";
    }
  }
}

}  // namespace
}  // namespace lockstep::selection_table_test
