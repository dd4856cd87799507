// Address services: bits of the cube, Gray code, mixed radix.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "lockstep/machines/gray_code.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/mixed_radix.hpp"

namespace lockstep::address_test {
namespace {

TEST(HypercubeAddresses, CountAndFindBits) {
  EXPECT_EQ(highest_bit(1), 0U);
  EXPECT_EQ(highest_bit(0b101), 2U);
  EXPECT_EQ(highest_bit(~Rank{0}), 31U);
  EXPECT_EQ(width(0), 0U);
  EXPECT_EQ(width(1), 1U);
  EXPECT_EQ(width(0b101), 3U);
  EXPECT_EQ(width(~Rank{0}), 32U);
  EXPECT_EQ(one_bits(0), 0U);
  EXPECT_EQ(one_bits(0b1011), 3U);
  EXPECT_TRUE(has_bit(0b100, 2));
  EXPECT_FALSE(has_bit(0b100, 1));
}

TEST(HypercubeAddresses, ReadBitsBackwards) {
  EXPECT_EQ(reversed(0b1101, 4), 0b1011U);
  EXPECT_EQ(reversed(0b0001, 4), 0b1000U);
  EXPECT_EQ(reversed(0b1011, 2), 0b11U);
  EXPECT_EQ(reversed(0xffffffff, 0), 0U);
  EXPECT_EQ(reversed(1, 32), 0x80000000U);
  for (Port count = 1; count <= 32; ++count) {
    for (Port place = 0; place < count; ++place) {
      EXPECT_EQ(reversed(Rank{1} << place, count), Rank{1} << (count - 1 - place));
    }
  }
}

TEST(GrayCode, IsTheTableOfTheSpecification) {
  const std::vector<Rank> three_bits = {0b000, 0b001, 0b011, 0b010, 0b110, 0b111, 0b101, 0b100};
  for (Rank i = 0; i < 8; ++i) EXPECT_EQ(gray(i), three_bits[i]);
}

TEST(GrayCode, WalksTheCubeFromNeighbourToNeighbour) {
  for (unsigned n = 1; n <= 12; ++n) {
    const Rank size = Rank{1} << n;
    std::set<Rank> seen;
    for (Rank i = 0; i < size; ++i) {
      seen.insert(gray(i));
      const Rank step = gray(i) ^ gray((i + 1) % size);
      EXPECT_TRUE(step != 0 && (step & (step - 1)) == 0) << "n = " << n << ", i = " << i;
      EXPECT_EQ(inverse_gray(gray(i)), i);
    }
    EXPECT_EQ(seen.size(), size);
    EXPECT_EQ(*seen.rbegin(), size - 1);
  }
}

TEST(GrayCode, HasAnInverseOnAllBits) {
  constexpr unsigned seed = 2;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 1000; ++i) {
    const auto number = static_cast<Rank>(random());
    EXPECT_EQ(inverse_gray(gray(number)), number);
    EXPECT_EQ(gray(inverse_gray(number)), number);
  }
}

TEST(MixedRadix, CountsWithTheLastCoordinateFastest) {
  const MixedRadix radix({3, 1, 4, 2});
  EXPECT_EQ(radix.size(), 24U);
  EXPECT_EQ(radix.dimensions(), 4U);
  EXPECT_EQ(radix.stride(0), 8U);
  EXPECT_EQ(radix.stride(1), 8U);
  EXPECT_EQ(radix.stride(2), 2U);
  EXPECT_EQ(radix.stride(3), 1U);
  Rank rank = 0;
  for (Rank a = 0; a < 3; ++a) {
    for (Rank c = 0; c < 4; ++c) {
      for (Rank d = 0; d < 2; ++d, ++rank) {
        const std::vector<Rank> digits = {a, 0, c, d};
        EXPECT_EQ(radix.digits(rank), digits);
        EXPECT_EQ(radix.rank(digits), rank);
        for (std::size_t dimension = 0; dimension < 4; ++dimension) {
          EXPECT_EQ(radix.digit(rank, dimension), digits[dimension]);
        }
        EXPECT_EQ(radix.with_digit(rank, 2, 3), radix.rank({a, 0, 3, d}));
        EXPECT_EQ(radix.with_digit(rank, 0, 0), radix.rank({0, 0, c, d}));
      }
    }
  }
}

TEST(MixedRadix, HoldsNoSideAndTheLargestSize) {
  const MixedRadix point({});
  EXPECT_EQ(point.size(), 1U);
  EXPECT_EQ(point.rank({}), 0U);
  const MixedRadix large({65535, 65536});
  EXPECT_EQ(large.size(), 4294901760U);
  EXPECT_EQ(large.digits(4294901759U), (std::vector<Rank>{65534, 65535}));
  EXPECT_THROW(MixedRadix({65536, 65536}), std::invalid_argument);
  EXPECT_THROW(MixedRadix({3, 0}), std::invalid_argument);
  EXPECT_THROW(MixedRadix({~Rank{0}, ~Rank{0}, ~Rank{0}}), std::invalid_argument);
}

}  // namespace
}  // namespace lockstep::address_test
