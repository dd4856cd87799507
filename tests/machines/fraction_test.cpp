#include "lockstep/machines/fraction.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace lockstep::fraction_test {
namespace {

TEST(Fraction, IsInLowestTerms) {
  const Fraction fraction(136, 6);
  EXPECT_TRUE(fraction.numerator() == 68);
  EXPECT_TRUE(fraction.denominator() == 3);
  EXPECT_EQ(fraction.to_string(), "68/3");
  EXPECT_EQ(Fraction(20, 5).to_string(), "4");
  EXPECT_EQ(Fraction(0, 7).to_string(), "0");
  EXPECT_EQ(Fraction(0, 7), Fraction());
  EXPECT_THROW(Fraction(1, 0), std::invalid_argument);
}

TEST(Fraction, AddsMultipliesDivides) {
  EXPECT_EQ(Fraction(1, 6) + Fraction(1, 10), Fraction(4, 15));
  EXPECT_EQ(Fraction(1, 2) + Fraction(1, 2), Fraction(1));
  EXPECT_EQ(Fraction(0) + Fraction(3, 4), Fraction(3, 4));
  EXPECT_EQ(Fraction(2, 3) * Fraction(9, 4), Fraction(3, 2));
  EXPECT_EQ(Fraction(0) * Fraction(9, 4), Fraction(0));
  EXPECT_EQ(Fraction(2, 3) / Fraction(4, 9), Fraction(3, 2));
  EXPECT_THROW(Fraction(1) / Fraction(0), std::invalid_argument);
}

TEST(Fraction, RoundsUp) {
  EXPECT_TRUE(Fraction(68, 3).ceil() == 23);
  EXPECT_TRUE(Fraction(69, 3).ceil() == 23);
  EXPECT_TRUE(Fraction(0).ceil() == 0);
  EXPECT_DOUBLE_EQ(Fraction(1, 8).to_double(), 0.125);
}

TEST(Fraction, HoldsProductsOf64BitNumbersAndRefusesMore) {
  constexpr std::uint64_t large = std::numeric_limits<std::uint64_t>::max();
  const Fraction square = Fraction(large) * Fraction(large);
  EXPECT_EQ(square.to_string(), "340282366920938463426481119284349108225");  // (2^64 - 1)^2
  EXPECT_EQ(square / Fraction(large), Fraction(large));
  EXPECT_EQ(Fraction(large, 3) * Fraction(3, large), Fraction(1));  // reduced before it is multiplied
  EXPECT_THROW(square * Fraction(2), std::overflow_error);
  EXPECT_THROW(square + square, std::overflow_error);
}

}  // namespace
}  // namespace lockstep::fraction_test
