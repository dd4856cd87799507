#pragma once

#include <gtest/gtest.h>

#include <string>

#include "built_machine.hpp"

// What the tests of alltoall/factor and alltoall/product share.
namespace lockstep {

inline Settings block_settings(std::uint64_t words) {
  Settings settings;
  settings.words = words;
  return settings;
}

/// Runs the method in its default model with these words a block, and expects T steps with S messages, all of one
/// block (dimakopoulos.md, Conventions), and a prediction that says the same.
inline Report expect_total_exchange(std::string_view name, const BuiltMachine& machine, std::uint64_t T,
                                    std::uint64_t S, std::uint64_t b) {
  const Settings settings = block_settings(b);
  const Outcome outcome = machine.run(name, model_of(PortModel::one), settings);
  const Report& report = outcome.report;
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(report.steps, T);
  EXPECT_EQ(report.cycles, T);
  EXPECT_EQ(report.messages, S);
  EXPECT_EQ(report.sends, S);
  EXPECT_EQ(report.startups, S);
  EXPECT_EQ(report.words, S * b);
  EXPECT_EQ(report.longest_sum, T * b);
  EXPECT_DOUBLE_EQ(report.time_synchronous, static_cast<double>(T) * (3 + static_cast<double>(b) * 0.5));
  EXPECT_LE(report.time_asynchronous, report.time_synchronous);

  const Prediction predicted = machine.method(name).predict(machine.spec, model_of(PortModel::one), settings);
  EXPECT_EQ(predicted.steps.value().value, T);
  EXPECT_EQ(predicted.messages.value().value, S);
  EXPECT_EQ(predicted.words.value().value, S * b);
  EXPECT_EQ(predicted.longest_sum.value().value, T * b);
  EXPECT_EQ(predicted.message_words, b);
  EXPECT_TRUE(predicted.steps->exact && predicted.messages->exact);
  EXPECT_TRUE(predicted.words->exact && predicted.longest_sum->exact);
  return report;
}

/// The lower bound with that port model and blocks of 3 words.
inline void expect_bound(std::string_view name, const std::string& machine, PortModel ports, std::uint64_t steps,
                         std::uint64_t longest_sum) {
  SCOPED_TRACE(machine + ", " + std::string(lockstep::name(ports)));
  const MachineSpec spec = parse_machine(machine);
  const LowerBound bound = find_method(name, spec.family).lower_bound(spec, model_of(ports), block_settings(3));
  EXPECT_EQ(bound.steps, steps);
  EXPECT_EQ(bound.longest_sum, longest_sum);
}

}  // namespace lockstep
