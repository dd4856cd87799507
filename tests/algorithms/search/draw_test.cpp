// Random numbers made from the bits of an engine: the same with every standard library.
#include "search/draw.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace lockstep::search {
namespace {

/// An engine that gives these bits, one after the other.
struct Given {
  std::vector<std::uint64_t> bits;
  std::size_t next = 0;
  std::uint64_t operator()() { return bits.at(next++); }
};

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

TEST(Draw, BelowABoundIsTheRemainder) {
  Given engine{{12345, 7, most, most - 5}};
  EXPECT_EQ(draw_below(10, engine), 5U);
  EXPECT_EQ(draw_below(10, engine), 7U);
  EXPECT_EQ(draw_below(10, engine), 5U);  // 2^64 = 18446744073709551616
  EXPECT_EQ(draw_below(10, engine), 0U);
}

// 2^64 is 6 modulo 10: without the 6 lowest, every remainder is equally frequent.
TEST(Draw, RejectsBitsThatWouldFavourSomeNumbers) {
  Given engine{{0, 5, 6, 0, 1, most, 0}};
  EXPECT_EQ(draw_below(10, engine), 6U);
  EXPECT_EQ(engine.next, 3U);
  EXPECT_EQ(draw_below(8, engine), 0U) << "8 divides 2^64";
  EXPECT_EQ(engine.next, 4U);
  EXPECT_EQ(draw_below(10, engine), 5U);
  EXPECT_EQ(engine.next, 6U);
  EXPECT_EQ(draw_below(1, engine), 0U);
}

TEST(Draw, AFractionIsBelowOne) {
  Given engine{{0, std::uint64_t{1} << 63, std::uint64_t{3} << 62, std::uint64_t{1} << 11, (1 << 11) - 1, most}};
  EXPECT_EQ(draw_fraction(engine), 0);
  EXPECT_EQ(draw_fraction(engine), 0.5);
  EXPECT_EQ(draw_fraction(engine), 0.75);
  EXPECT_EQ(draw_fraction(engine), 0x1p-53);
  EXPECT_EQ(draw_fraction(engine), 0);
  EXPECT_EQ(draw_fraction(engine), 1 - 0x1p-53);
}

// From the last place on, each element is swapped with one before it or with itself: 9 mod 4 = 1, 11 mod 3 = 2, 8 mod 2
// = 0.
TEST(Draw, AnOrderIsMadeFromTheEnd) {
  Given engine{{9, 11, 8}};
  std::array<char, 4> letters{'a', 'b', 'c', 'd'};  // adcb, adcb, dacb
  draw_order(letters, engine);
  EXPECT_EQ(letters, (std::array<char, 4>{'d', 'a', 'c', 'b'}));
  EXPECT_EQ(engine.next, 3U);
  std::vector<int> none;
  draw_order(none, engine);
  std::vector<int> one{7};
  draw_order(one, engine);
  EXPECT_EQ(one, std::vector<int>{7});
  EXPECT_EQ(engine.next, 3U) << "these need no draw";
}

// Computed by another program from the definition of the engine (Nishimura and Matsumoto's MT19937-64, seed 1).
TEST(Draw, FromTheTwisterGivesTheseNumbers) {
  std::mt19937_64 engine(1);
  std::vector<std::uint64_t> numbers;
  for (int count = 0; count < 10; ++count) numbers.push_back(draw_below(10, engine));
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{8, 2, 0, 6, 4, 9, 8, 5, 8, 4}));
  engine.seed(1);
  for (const double expected : {1205853608176909.0, 1228645356299039.0, 4064182545636552.0}) {
    EXPECT_EQ(draw_fraction(engine), expected / 9007199254740992.0);
  }
  engine.seed(1);
  std::vector<int> order(8);
  std::iota(order.begin(), order.end(), 0);
  draw_order(order, engine);
  EXPECT_EQ(order, (std::vector<int>{4, 6, 3, 5, 1, 7, 2, 0}));
}

}  // namespace
}  // namespace lockstep::search
