#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace lockstep::test {

/// A run that succeeds, and its counts.
struct GoodRun {
  std::string machine;
  std::string algorithm;
  std::string further;
  std::uint64_t steps;
  std::uint64_t messages;
  std::uint64_t words;
  std::uint64_t longest_sum;

  std::string flags() const {
    return "--machine " + machine + " --algorithm " + algorithm + " --beta 0.5 --tau 0.25 " + further;
  }
};

inline void expect_counts(const nlohmann::ordered_json& report, const GoodRun& expected) {
  SCOPED_TRACE(expected.flags());
  ASSERT_TRUE(report.is_object());
  const auto& counted = report["counted"];
  EXPECT_EQ(counted["steps"], expected.steps);
  EXPECT_EQ(counted["messages"], expected.messages);
  EXPECT_EQ(counted["words"], expected.words);
  EXPECT_EQ(counted["longest_sum"], expected.longest_sum);
  EXPECT_EQ(report["verified"], true);
  EXPECT_TRUE(report["problems"].empty()) << report["problems"];
  EXPECT_EQ(report["machine"]["spec"], expected.machine);
  EXPECT_EQ(report["algorithm"]["name"], expected.algorithm);
  const double time = 0.5 * static_cast<double>(expected.steps) + 0.25 * static_cast<double>(expected.longest_sum);
  EXPECT_EQ(report["modelled_time"]["synchronous"], time);
  EXPECT_LE(report["modelled_time"]["asynchronous"], time);
}

}  // namespace lockstep::test
