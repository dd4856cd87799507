// Quartiles against those of NumPy, and intervals of the median against a published table.
#include "host/spread.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace lockstep::cli::spread_test {
namespace {

TEST(Spread, HasTheQuartilesOfNumPy) {
  const host::Spread four = host::spread_of({3, 1, 2, 4});
  EXPECT_EQ(four.least, 1);
  EXPECT_EQ(four.lower_quartile, 1.75);
  EXPECT_EQ(four.median, 2.5);
  EXPECT_EQ(four.upper_quartile, 3.25);
  const host::Spread five = host::spread_of({10, 50, 20, 40, 30});
  EXPECT_EQ(five.lower_quartile, 20);
  EXPECT_EQ(five.median, 30);
  EXPECT_EQ(five.upper_quartile, 40);
  const host::Spread one = host::spread_of({7});
  EXPECT_EQ(one.lower_quartile, 7);
  EXPECT_EQ(one.upper_quartile, 7);
}

// Places of the two measurements, counted from 1, in the table of the sign test at 95 %.
TEST(Spread, BoundsTheMedianByTheTableOfTheSignTest) {
  const std::map<int, std::pair<double, double>> table{
      {6, {1, 6}},   {8, {1, 8}},    {9, {2, 8}},    {10, {2, 9}},    {15, {4, 12}},     {20, {6, 15}},
      {25, {8, 18}}, {30, {10, 21}}, {50, {18, 33}}, {100, {40, 61}}, {1000, {469, 532}}};
  for (const auto& [count, places] : table) {
    std::vector<double> measurements(static_cast<std::size_t>(count));
    std::iota(measurements.rbegin(), measurements.rend(), 1.0);
    EXPECT_EQ(host::spread_of(measurements).interval, places) << count;
  }
  for (int count = 1; count <= 5; ++count) {
    EXPECT_FALSE(host::spread_of(std::vector<double>(static_cast<std::size_t>(count), 1.0)).interval) << count;
  }
}

}  // namespace
}  // namespace lockstep::cli::spread_test
