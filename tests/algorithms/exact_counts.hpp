#pragma once

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/algorithms/method.hpp"

// What the tests of scatters on trees and of some-to-all share.
namespace lockstep {

/// Words of the longest message of each step.
using Lengths = std::vector<std::uint64_t>;

inline std::uint64_t sum_of(const Lengths& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
}

inline std::string cube(std::uint64_t n) { return "hypercube:" + std::to_string(n); }

inline void expect_exactly(const std::optional<Count>& predicted, std::uint64_t counted) {
  ASSERT_TRUE(predicted);
  EXPECT_TRUE(predicted->exact);
  EXPECT_EQ(predicted->value, counted) << predicted->formula;
}

/// That the counts of every step and message are predicted exactly; start-ups if they are predicted.
inline void expect_predicted(const Prediction& predicted, const Report& report) {
  expect_exactly(predicted.steps, report.steps);
  expect_exactly(predicted.messages, report.messages);
  expect_exactly(predicted.words, report.words);
  expect_exactly(predicted.longest_sum, report.longest_sum);
  if (predicted.startups) expect_exactly(predicted.startups, report.startups);
}

}  // namespace lockstep
