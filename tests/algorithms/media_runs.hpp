#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "built_machine.hpp"

// What the tests of methods on bus, shared memory, switch and Omega network share.
namespace lockstep::media_runs {

/// The counts of a section of docs/algorithms.
struct Counts {
  std::uint64_t S;
  std::uint64_t W;
  std::uint64_t M;
  std::uint64_t V;
};
constexpr Counts nothing{0, 0, 0, 0};

inline std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// ceil(log2 k).
inline std::uint64_t log2_up(std::uint64_t k) {
  std::uint64_t n = 0;
  while (std::uint64_t{1} << n < k) ++n;
  return n;
}

inline std::string machine_text(const std::string& family, std::uint64_t k, std::uint64_t kstar = 0) {
  return family + ":" + std::to_string(k) + (kstar == 0 ? "" : ",kstar=" + std::to_string(kstar));
}

/// Runs the method and expects right data, these counts, and that they were predicted. A transaction or access is one
/// send.
inline Report expect_run(const BuiltMachine& machine, std::string_view method, const Model& model,
                         const Settings& settings, const Counts& expected) {
  SCOPED_TRACE(std::string(method) + " on " + machine.spec.text + ", " + std::string(name(model.ports)) + ", " +
               std::string(name(model.duplex)) + ", words " + std::to_string(settings.words.value_or(0)) + ", root " +
               std::to_string(settings.root.value_or(0)));
  const Outcome outcome = machine.run(method, model, settings);
  const Report& report = outcome.report;
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(report.steps, expected.S);
  EXPECT_EQ(report.cycles, expected.S);
  EXPECT_EQ(report.longest_sum, expected.W);
  EXPECT_EQ(report.messages, expected.M);
  EXPECT_EQ(report.sends, expected.M);
  EXPECT_EQ(report.startups, expected.M);
  EXPECT_EQ(report.words, expected.V);
  EXPECT_EQ(report.copied_words, 0U);
  // T = S beta + W tau.
  EXPECT_DOUBLE_EQ(report.time_synchronous,
                   static_cast<double>(expected.S) * 3 + static_cast<double>(expected.W) * 0.5);
  EXPECT_LE(report.time_asynchronous, report.time_synchronous);

  Settings resolved = settings;
  machine.method(method).resolve(machine.spec, model, resolved);
  const Prediction predicted = machine.method(method).predict(machine.spec, model, resolved);
  EXPECT_EQ(predicted.steps.value().value, expected.S);
  EXPECT_EQ(predicted.longest_sum.value().value, expected.W);
  EXPECT_EQ(predicted.messages.value().value, expected.M);
  EXPECT_EQ(predicted.words.value().value, expected.V);
  EXPECT_TRUE(predicted.steps->exact && predicted.longest_sum->exact);
  EXPECT_TRUE(predicted.messages->exact && predicted.words->exact);
  return report;
}

/// The bounds of the method for a run in this model.
struct Bound {
  std::uint64_t steps;
  std::uint64_t longest_sum;
  friend bool operator==(const Bound&, const Bound&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Bound& bound) {
    return out << bound.steps << " steps, " << bound.longest_sum << " words";
  }
};
inline Bound bound(std::string_view method, const std::string& text, Settings settings, const Model& model) {
  const MachineSpec spec = parse_machine(text);
  const Method& entry = find_method(method, spec.family);
  entry.resolve(spec, model, settings);
  const LowerBound found = entry.lower_bound(spec, model, settings);
  return {found.steps.value(), found.longest_sum.value()};
}

inline Settings words_settings(std::uint64_t words) {
  Settings settings;
  settings.words = words;
  return settings;
}

/// kstar from 1 to k, of which some divide k and some do not.
inline std::vector<std::uint64_t> some_kstar(std::uint64_t k) {
  std::vector<std::uint64_t> all;
  for (const std::uint64_t kstar : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, k - 1, k}) {
    if (kstar >= 1 && kstar <= k && (all.empty() || all.back() < kstar)) all.push_back(kstar);
  }
  return all;
}

}  // namespace lockstep::media_runs
