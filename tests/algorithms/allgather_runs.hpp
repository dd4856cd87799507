#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "built_machine.hpp"

// What the tests of the allgather methods share.
namespace lockstep {

inline Settings block_settings(std::uint64_t words) {
  Settings settings;
  settings.words = words;
  return settings;
}

/// The counts of a section of docs/algorithms: S, W, M, V.
struct SpecCounts {
  std::uint64_t steps = 0;
  std::uint64_t longest_sum = 0;
  std::uint64_t messages = 0;
  std::uint64_t words = 0;
};

/// Every message is one send and one start-up, and in the end a processor holds k blocks of m words.
inline void expect_counts(const Report& report, const SpecCounts& spec, std::uint64_t k, std::uint64_t m) {
  EXPECT_EQ(report.steps, spec.steps);
  EXPECT_EQ(report.cycles, spec.steps);
  EXPECT_EQ(report.longest_sum, spec.longest_sum);
  EXPECT_EQ(report.messages, spec.messages);
  EXPECT_EQ(report.sends, spec.messages);
  EXPECT_EQ(report.startups, spec.messages);
  EXPECT_EQ(report.words, spec.words);
  EXPECT_EQ(report.peak_words_held, k * m);
  EXPECT_EQ(report.copied_words, 0U);
  // T = S beta + W tau, with the costs of model_of().
  EXPECT_DOUBLE_EQ(report.time_synchronous,
                   static_cast<double>(spec.steps) * 3 + static_cast<double>(spec.longest_sum) * 0.5);
  EXPECT_LE(report.time_asynchronous, report.time_synchronous);
}

inline void expect_predicted(const Prediction& predicted, const SpecCounts& spec) {
  EXPECT_EQ(predicted.steps.value().value, spec.steps);
  EXPECT_EQ(predicted.longest_sum.value().value, spec.longest_sum);
  EXPECT_EQ(predicted.messages.value().value, spec.messages);
  EXPECT_EQ(predicted.words.value().value, spec.words);
  EXPECT_TRUE(predicted.steps->exact && predicted.longest_sum->exact);
  EXPECT_TRUE(predicted.messages->exact && predicted.words->exact);
}

/// Runs the method and expects right data and the counts given, which it must have predicted too.
inline void expect_run(const BuiltMachine& machine, std::string_view method, const Model& model, std::uint64_t words,
                       const SpecCounts& spec) {
  SCOPED_TRACE(std::string(method) + " on " + machine.spec.text + ", words " + std::to_string(words) + ", " +
               std::string(name(model.ports)) + ", " + std::string(name(model.duplex)));
  const Outcome outcome = machine.run(method, model, block_settings(words));
  EXPECT_EQ(outcome.wrong, "");
  expect_counts(outcome.report, spec, machine.topology.processors(), words);
  expect_predicted(machine.method(method).predict(machine.spec, model, block_settings(words)), spec);
}

/// The rule of the machine that a run of the method breaks in this model; none if it is legal.
inline std::optional<ErrorKind> broken_rule(const std::string& machine, std::string_view method, const Model& model) {
  try {
    BuiltMachine(machine).run(method, model, block_settings(1));
  } catch (const RunError& error) {
    EXPECT_TRUE(error.is_violation()) << error.what();
    return error.kind();
  }
  return {};
}

/// What every allgather method says of its parameters on a machine that it is for.
inline void expect_block_parameters(std::string_view method, const std::string& machine) {
  EXPECT_EQ(refusal(method, machine, block_settings(0)), "--words 0 is out of range: 1 to 2147483648");
  EXPECT_EQ(refusal(method, machine, block_settings(most_words + 1)),
            "--words 2147483649 is out of range: 1 to 2147483648");
  EXPECT_EQ(refusal(method, machine, block_settings(1)), "");
  const MachineSpec spec = parse_machine(machine);
  Settings settings;
  find_method(method, spec.family).resolve(spec, {}, settings);
  EXPECT_EQ(settings.words, 1U);
}

/// What the method says a run needs: at least `gathered` bytes of blocks, and at most so many times that.
inline void expect_bytes(std::string_view method, const std::string& machine, std::uint64_t words,
                         std::uint64_t at_most_times) {
  const MachineSpec spec = parse_machine(machine);
  const Method& entry = find_method(method, spec.family);
  const std::uint64_t gathered = spec.processors * spec.processors * words * sizeof(Word);
  EXPECT_GE(entry.bytes(spec, entry.defaults, block_settings(words)), gathered);
  EXPECT_LE(entry.bytes(spec, entry.defaults, block_settings(words)), at_most_times * gathered);
}

}  // namespace lockstep
