#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "built_machine.hpp"

// What the tests of transpositions and conversions share.
namespace lockstep {

inline Settings matrix_settings(std::uint64_t rows, std::uint64_t columns) {
  Settings settings;
  settings.matrix = MatrixSize{rows, columns};
  return settings;
}

/// Counts as johnsson-ho.md gives them; empty where it says nothing.
struct SpecCounts {
  std::optional<std::uint64_t> steps{};
  std::optional<std::uint64_t> messages{};
  std::optional<std::uint64_t> words{};
  std::optional<std::uint64_t> longest_sum{};
  std::optional<std::uint64_t> startups{};
  std::optional<std::uint64_t> copied_words{};
};

/// That a clock shows what is predicted, to 1e-9 of it, or at most that where it is no exact time.
inline void expect_time(const ModelledTime& time, double run) {
  const double off = 1e-9 * time.value;
  EXPECT_LE(run, time.value + off) << time.formula;
  if (time.exact) {
    EXPECT_GE(run, time.value - off) << time.formula;
  }
}

/// That both clocks do. A synchronous time has to be predicted.
inline void expect_predicted_times(const Prediction& predicted, const CostModel& cost, const Report& report) {
  const auto synchronous = synchronous_time(predicted, cost);
  ASSERT_TRUE(synchronous);
  EXPECT_TRUE(synchronous->exact);
  expect_time(*synchronous, report.time_synchronous);
  if (predicted.asynchronous) expect_time(*predicted.asynchronous, report.time_asynchronous);
}

/// Runs the method and expects right data, these counts, and predictions that say exactly the same of them and, where
/// they speak of them, of both clocks.
inline Report expect_spec(std::string_view name, const std::string& text, const Model& model, const Settings& given,
                          const SpecCounts& spec) {
  const BuiltMachine machine(text);
  Settings settings = given;
  machine.method(name).resolve(machine.spec, model, settings);
  SCOPED_TRACE(std::string(name) + " on " + text + ", " + (settings.matrix ? to_string(*settings.matrix) : ""));
  const Outcome outcome = machine.run(name, model, settings);
  const Prediction predicted = machine.method(name).predict(machine.spec, model, settings);
  EXPECT_EQ(outcome.wrong, "");
  const auto expect = [](const char* what, const std::optional<std::uint64_t>& right, std::uint64_t counted,
                         const std::optional<Count>& said) {
    if (!right) return;
    EXPECT_EQ(counted, *right) << what;
    ASSERT_TRUE(said) << what;
    EXPECT_TRUE(said->exact) << what;
    EXPECT_EQ(said->value, *right) << what << " = " << said->formula;
  };
  const Report& report = outcome.report;
  expect("steps", spec.steps, report.steps, predicted.steps);
  expect("messages", spec.messages, report.messages, predicted.messages);
  expect("words", spec.words, report.words, predicted.words);
  expect("longest_sum", spec.longest_sum, report.longest_sum, predicted.longest_sum);
  expect("startups", spec.startups, report.startups, predicted.startups);
  expect("copied_words", spec.copied_words, report.copied_words, predicted.copied_words);
  if (const auto time = synchronous_time(predicted, model.cost)) expect_time(*time, report.time_synchronous);
  if (predicted.asynchronous) expect_time(*predicted.asynchronous, report.time_asynchronous);
  const LowerBound bound = machine.method(name).lower_bound(machine.spec, model, settings);
  EXPECT_GE(report.steps, bound.steps.value_or(0));
  EXPECT_GE(report.longest_sum, bound.longest_sum.value_or(0));
  return report;
}

inline std::string cube_text(std::uint64_t n) { return "hypercube:" + std::to_string(n); }

/// ceil(words / limit), 1 if the limit is 0: unlimited.
inline std::uint64_t packets_of(std::uint64_t words, std::uint64_t limit) {
  return limit == 0 ? 1 : (words + limit - 1) / limit;
}

/// beta 3, tau 0.5.
inline Model limited(PortModel ports, std::uint64_t max_packet_words) {
  Model model = model_of(ports);
  model.cost.max_packet_words = max_packet_words;
  return model;
}
inline Model copying(PortModel ports, std::uint64_t max_packet_words, double copy_cost) {
  Model model = limited(ports, max_packet_words);
  model.cost.copy_cost = copy_cost;
  return model;
}

/// n exchanges or the like of so many start-ups and words each, and copies.
inline double time_of(const Model& model, std::uint64_t startups, std::uint64_t words, std::uint64_t copied) {
  return 3 * static_cast<double>(startups) + 0.5 * static_cast<double>(words) +
         model.cost.copy_cost * static_cast<double>(copied);
}

}  // namespace lockstep
