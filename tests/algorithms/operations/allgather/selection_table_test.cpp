// The table by which TEA2 distributes the tokens (dim_of of saad-schultz-1985.md, TEA2).
#include "lockstep/machines/selection_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "lockstep/machines/hypercube.hpp"

namespace lockstep::selection_table_test {
namespace {

std::uint64_t binomial(unsigned n, unsigned k) { return k > n ? 0 : k == 0 ? 1 : binomial(n - 1, k - 1) * n / k; }

std::uint64_t rounded_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

class SelectionTable : public testing::TestWithParam<Port> {
 protected:
  /// Tokens at these distances, by dimension.
  std::vector<std::uint64_t> loads(Port least, Port most) const {
    std::vector<std::uint64_t> sums(n);
    for (Rank relative = 1; relative < table.size(); ++relative) {
      if (one_bits(relative) >= least && one_bits(relative) <= most) ++sums[table[relative]];
    }
    return sums;
  }

  const Port n = GetParam();
  const std::vector<Port> table = selection_table(n);
};

// One entry for each relative address: every token arrives over exactly one dimension, from a nearer neighbour.
TEST_P(SelectionTable, GivesEachTokenADimensionThatLeadsToIt) {
  ASSERT_EQ(table.size(), std::size_t{1} << n);
  for (Rank relative = 1; relative < table.size(); ++relative) {
    ASSERT_LT(table[relative], n);
    EXPECT_TRUE(has_bit(relative, table[relative])) << relative;
  }
}

TEST_P(SelectionTable, LoadsTheDimensionsEvenly) {
  for (Port i = 1; i <= n; ++i) {
    const std::vector<std::uint64_t> sums = loads(i, i);
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}), binomial(n, i));
    EXPECT_EQ(*std::max_element(sums.begin(), sums.end()), rounded_up(binomial(n, i), n)) << "distance " << i;
    EXPECT_EQ(*std::min_element(sums.begin(), sums.end()), binomial(n, i) / n) << "distance " << i;
  }
}

// The tokens that the grouped form sends in one pass.
TEST_P(SelectionTable, LoadsTheDimensionsEvenlyWithTwoDistancesTogether) {
  for (Port i = 1; i < n; ++i) {
    const std::vector<std::uint64_t> sums = loads(i, i + 1);
    EXPECT_EQ(*std::max_element(sums.begin(), sums.end()), rounded_up(binomial(n + 1, i + 1), n)) << "distance " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, SelectionTable, testing::Range(1U, 14U));

TEST(SelectionTableValues, AreThoseWorkedOutByHand) {
  EXPECT_EQ(selection_table(0).size(), 1U);
  //                                                   000 001 010 011 100 101 110 111
  EXPECT_EQ(selection_table(3), (std::vector<Port>{0, 0, 1, 0, 2, 2, 1, 0}));
  // 0101 and 1010 are an orbit of two: it takes the dimensions 0 and 1, after those of 0011 and its rotations.
  const std::vector<Port> table = selection_table(4);
  EXPECT_EQ(table[0b0101], 0U);
  EXPECT_EQ(table[0b1010], 1U);
  // So the distance 3 begins with dimension 2, with the smallest of 0111, 1110, 1101, 1011 that has bit 2.
  EXPECT_EQ(table[0b0111], 2U);
  EXPECT_EQ(table[0b1110], 3U);
  EXPECT_EQ(table[0b1101], 0U);
  EXPECT_EQ(table[0b1011], 1U);
  EXPECT_EQ(table[0b1111], 2U);
}

}  // namespace
}  // namespace lockstep::selection_table_test
