#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "built_machine.hpp"
#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/core/error.hpp"

// Shared by the tests of methods: runs with the counts of a spec, refusals, ranges of parameters, planted faults.
namespace lockstep {

// ---- Counts.

/// Words of the longest message of each step.
using Lengths = std::vector<std::uint64_t>;

inline std::uint64_t sum_of(const Lengths& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
}

/// Counts as a spec gives them: S, W, M and V, and others where it states them. An empty one is not stated.
struct SpecCounts {
  std::optional<std::uint64_t> steps{};
  std::optional<std::uint64_t> longest_sum{};
  std::optional<std::uint64_t> messages{};
  std::optional<std::uint64_t> words{};
  std::optional<std::uint64_t> sends{};     ///< as many as messages, unless stated
  std::optional<std::uint64_t> startups{};  ///< as many as messages, unless stated, sends are, or packets limited
  std::optional<std::uint64_t> copied_words{};
  std::optional<std::uint64_t> operations{};
  std::optional<std::uint64_t> scanned_blocks{};
  std::optional<std::uint64_t> peak_words_held{};
  std::optional<std::uint64_t> busiest_link_words{};
  std::optional<std::uint64_t> message_words{};  ///< of every message
  std::optional<Lengths> longest{};              ///< of each step; then longest_sum is their sum
};

/// Counts of a run in which nothing moves.
inline const SpecCounts nothing{.steps = 0, .longest_sum = 0, .messages = 0, .words = 0, .sends = 0};

/// The counts of a run, in the form of a spec.
inline SpecCounts counts_of(const Report& report) {
  return {.steps = report.steps, .longest_sum = report.longest_sum, .messages = report.messages, .words = report.words};
}

/// Words of the longest message of every cycle in which one was sent; the cycles of the report are recorded.
inline Lengths longest_of_each_cycle(const Report& report) {
  Lengths longest;
  for (const CycleCounts& cycle : report.per_cycle) {
    if (cycle.messages > 0) longest.push_back(cycle.longest);  // in the last cycle messages only arrive
  }
  return longest;
}

/// Expects a run in this model to have the counts of the spec: one cycle a step, no clock ahead of the synchronous one,
/// and T = S beta + W tau where a message is one start-up and nothing is copied.
inline void expect_counts(const Report& report, const SpecCounts& spec, const CostModel& cost) {
  const auto expect = [](const char* what, const std::optional<std::uint64_t>& right, std::uint64_t counted) {
    if (right) {
      EXPECT_EQ(counted, *right) << what;
    }
  };
  const auto longest_sum = spec.longest ? sum_of(*spec.longest) : spec.longest_sum;
  expect("steps", spec.steps, report.steps);
  expect("cycles", spec.steps, report.cycles);
  expect("longest_sum", longest_sum, report.longest_sum);
  expect("messages", spec.messages, report.messages);
  expect("words", spec.words, report.words);
  expect("sends", spec.sends ? spec.sends : spec.messages, report.sends);
  const bool one_each = !spec.sends && cost.max_packet_words == 0;
  expect("startups", spec.startups || !one_each ? spec.startups : spec.messages, report.startups);
  expect("copied_words", spec.copied_words, report.copied_words);
  expect("operations", spec.operations, report.operations);
  expect("scanned_blocks", spec.scanned_blocks, report.scanned_blocks);
  expect("peak_words_held", spec.peak_words_held, report.peak_words_held);
  expect("busiest_link_words", spec.busiest_link_words, report.busiest_link_words);
  if (spec.message_words) {
    EXPECT_EQ(report.words, report.messages * *spec.message_words);
  }
  if (spec.longest) {
    EXPECT_EQ(longest_of_each_cycle(report), *spec.longest);
  }
  if (spec.steps && longest_sum && report.startups <= report.messages && report.copied_words == 0 && cost.flop == 0 &&
      cost.scan_cost == 0) {
    EXPECT_DOUBLE_EQ(report.time_synchronous,
                     static_cast<double>(*spec.steps) * cost.beta + static_cast<double>(*longest_sum) * cost.tau);
  }
  EXPECT_LE(report.time_asynchronous, report.time_synchronous * (1 + 1e-9));
}

/// Expects exact predictions equal to the spec.
inline void expect_predicted(const Prediction& predicted, const SpecCounts& spec) {
  const auto expect = [](const char* what, const std::optional<std::uint64_t>& right,
                         const std::optional<Count>& said) {
    if (!right) return;
    ASSERT_TRUE(said) << what;
    EXPECT_TRUE(said->exact) << what;
    EXPECT_EQ(said->value, *right) << what << " = " << said->formula;
  };
  expect("steps", spec.steps, predicted.steps);
  expect("longest_sum", spec.longest ? sum_of(*spec.longest) : spec.longest_sum, predicted.longest_sum);
  expect("messages", spec.messages, predicted.messages);
  expect("words", spec.words, predicted.words);
  expect("startups", spec.startups, predicted.startups);
  expect("copied_words", spec.copied_words, predicted.copied_words);
  expect("operations", spec.operations, predicted.operations);
  expect("scanned_blocks", spec.scanned_blocks, predicted.scanned_blocks);
  if (spec.message_words) {
    EXPECT_EQ(predicted.message_words, *spec.message_words);
  }
}

/// Expects the run's counts to equal the predictions, or to be at most those that are not exact; times to 1e-9. Words
/// are copied, operations charged and blocks scanned only if that is predicted.
inline void expect_kept(const Prediction& predicted, const Report& report, const CostModel& cost) {
  const auto expect = [](const char* what, const std::optional<Count>& said, std::uint64_t counted) {
    if (!said) return;
    EXPECT_LE(counted, said->value) << what << " = " << said->formula;
    if (said->exact) {
      EXPECT_EQ(counted, said->value) << what << " = " << said->formula;
    }
  };
  const auto expect_time = [](const std::optional<ModelledTime>& said, double taken) {
    if (!said) return;
    const double off = 1e-9 * said->value;
    EXPECT_LE(taken, said->value + off) << said->formula;
    if (said->exact) {
      EXPECT_GE(taken, said->value - off) << said->formula;
    }
  };
  expect("steps", predicted.steps, report.steps);
  expect("longest_sum", predicted.longest_sum, report.longest_sum);
  expect("messages", predicted.messages, report.messages);
  expect("words", predicted.words, report.words);
  expect("startups", predicted.startups, report.startups);
  expect("copied_words", predicted.copied_words ? predicted.copied_words : Count{}, report.copied_words);
  expect("operations", predicted.operations ? predicted.operations : Count{}, report.operations);
  expect("scanned_blocks", predicted.scanned_blocks ? predicted.scanned_blocks : Count{}, report.scanned_blocks);
  expect_time(synchronous_time(predicted, cost), report.time_synchronous);
  expect_time(predicted.asynchronous, report.time_asynchronous);
}

/// Runs the method and expects right data, the counts of the spec, exact predictions, and kept lower bounds.
inline Report expect_run(const BuiltMachine& machine, std::string_view method, const Model& model, Settings settings,
                         const SpecCounts& spec) {
  const Method& entry = machine.method(method);
  entry.resolve(machine.spec, model, settings);
  std::string trace = std::string(method) + " on " + machine.spec.text;
  trace += ", " + std::string(name(model.ports)) + ", " + std::string(name(model.duplex));
  const auto say = [&trace](const char* what, const std::optional<std::uint64_t>& value) {
    if (value) trace += std::string(", ") + what + " " + std::to_string(*value);
  };
  say("words", settings.words);
  say("packets", settings.packets);
  say("root", settings.root);
  say("source", settings.source);
  say("destination", settings.destination);
  if (settings.matrix) trace += ", " + to_string(*settings.matrix);
  SCOPED_TRACE(trace);
  const Outcome outcome = machine.run(method, model, settings);
  const Prediction predicted = entry.predict(machine.spec, model, settings);
  EXPECT_EQ(outcome.wrong, "");
  expect_counts(outcome.report, spec, model.cost);
  expect_predicted(predicted, spec);
  expect_kept(predicted, outcome.report, model.cost);
  const LowerBound bound = lower_bound(entry, machine.spec, model, settings);
  EXPECT_GE(outcome.report.steps, bound.steps.value_or(0));
  EXPECT_GE(outcome.report.longest_sum, bound.longest_sum.value_or(0));
  return outcome.report;
}

/// Steps and words that no method can beat.
using Bound = std::pair<std::uint64_t, std::uint64_t>;

/// The bounds of the method in this model for complete settings, in range or not.
inline Bound bound_as_given(std::string_view method, const std::string& machine, const Settings& settings,
                            const Model& model) {
  const MachineSpec spec = parse_machine(machine);
  const LowerBound found = lower_bound(find_method(method, spec.family), spec, model, settings);
  return {found.steps.value(), found.longest_sum.value()};
}

/// The bounds of the method for a run in this model.
inline Bound bound(std::string_view method, const std::string& machine, Settings settings, const Model& model) {
  const MachineSpec spec = parse_machine(machine);
  find_method(method, spec.family).resolve(spec, model, settings);
  return bound_as_given(method, machine, settings, model);
}

// ---- Refusals and ranges.

/// The error of resolve() for the settings; empty if there is none.
inline std::string refusal(std::string_view method, const std::string& machine, Settings settings) {
  const MachineSpec spec = parse_machine(machine);
  try {
    const Method& entry = find_method(method, spec.family);
    entry.resolve(spec, entry.defaults, settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// The settings with the method's defaults, in its own model unless another is given.
inline Settings resolved(std::string_view method, const std::string& machine, Settings settings = {},
                         const std::optional<Model>& given = {}) {
  const MachineSpec spec = parse_machine(machine);
  const Method& entry = find_method(method, spec.family);
  entry.resolve(spec, given.value_or(entry.defaults), settings);
  return settings;
}

/// The machine's rule that the run breaks; none if it ends well.
inline std::optional<RunError> broken_rule(const std::function<void()>& run) {
  try {
    run();
  } catch (const RunError& error) {
    EXPECT_TRUE(error.is_violation()) << error.what();
    return error;
  }
  return {};
}

/// The rule that a run of the method breaks in this model; none if it is legal.
inline std::optional<ErrorKind> broken_rule(std::string_view method, const std::string& machine, const Model& model,
                                            const Settings& settings = {}) {
  const auto error = broken_rule([&] { BuiltMachine(machine).run(method, model, settings); });
  return error ? std::optional(error->kind()) : std::nullopt;
}

/// The error of a run in a model in which the method is not legal; empty if it is legal.
inline std::string violation(std::string_view method, const std::string& machine, const Model& model,
                             const Settings& settings = {}) {
  const auto error = broken_rule([&] { BuiltMachine(machine).run(method, model, settings); });
  return error ? error->what() : "";
}

/// Expects the method's own model to be full duplex with these ports and this multicast.
inline void expect_defaults(std::string_view method, std::string_view family, PortModel ports, bool multicast = false) {
  const Model& defaults = find_method(method, family).defaults;
  EXPECT_EQ(defaults.ports, ports) << method;
  EXPECT_EQ(defaults.duplex, Duplex::full) << method;
  EXPECT_EQ(defaults.multicast, multicast) << method;
}

/// Expects blocks and items to have from `least` words, the default, to 2^31.
inline void expect_words_from(std::uint64_t least, std::string_view method, const std::string& machine) {
  SCOPED_TRACE(std::string(method) + " on " + machine);
  const std::string range = " is out of range: " + std::to_string(least) + " to 2147483648";
  EXPECT_EQ(refusal(method, machine, block_settings(least - 1)), "--words " + std::to_string(least - 1) + range);
  EXPECT_EQ(refusal(method, machine, block_settings(2147483649)), "--words 2147483649" + range);
  EXPECT_EQ(refusal(method, machine, block_settings(least)), "");
  EXPECT_EQ(resolved(method, machine).words, least);
}

/// Expects any rank up to `last` to be accepted as root, 0 by default.
inline void expect_roots_to(std::uint64_t last, std::string_view method, const std::string& machine) {
  SCOPED_TRACE(std::string(method) + " on " + machine);
  Settings settings;
  settings.root = last + 1;
  EXPECT_EQ(refusal(method, machine, settings),
            "--root " + std::to_string(last + 1) + " is out of range: 0 to " + std::to_string(last));
  settings.root = last;
  EXPECT_EQ(refusal(method, machine, settings), "");
  EXPECT_EQ(resolved(method, machine).root, 0U);
}

/// The bytes that a run needs, by the method's own estimate.
inline std::uint64_t bytes_of(std::string_view method, const std::string& machine, const Settings& settings) {
  const MachineSpec spec = parse_machine(machine);
  const Method& entry = find_method(method, spec.family);
  return entry.bytes(spec, entry.defaults, settings);
}

/// Expects the estimate to be from `least` to `most` bytes.
inline void expect_bytes(std::string_view method, const std::string& machine, const Settings& settings,
                         std::uint64_t least, std::uint64_t most) {
  const std::uint64_t bytes = bytes_of(method, machine, settings);
  EXPECT_GE(bytes, least) << method << " on " << machine;
  EXPECT_LE(bytes, most) << method << " on " << machine;
}

/// More bytes than 64 bits can express.
inline constexpr std::uint64_t too_many_bytes = ~std::uint64_t{0};

// ---- Planted faults.

inline constexpr std::initializer_list<FaultKind> all_faults{FaultKind::drop, FaultKind::repeat, FaultKind::corrupt,
                                                             FaultKind::swap};

/// The message of the error or the oracle for a run with the fault; empty if there is none.
inline std::string noticed(const BuiltMachine& machine, std::string_view method, const Model& model,
                           const Settings& settings, const Fault& fault) {
  try {
    return machine.run(method, model, settings, fault).wrong;
  } catch (const RunError& error) {
    return error.what();
  }
}

/// Plants each fault in each transfer of a run in turn, and expects that all are caught; in the method's own model
/// unless another is given. With a sanitizer only in every 7th transfer, which fits no fixed port or rank: whether all
/// are caught does not depend on the build, and the code after a fault still runs often.
inline void expect_catches_faults(std::string_view method, const std::string& text, const Settings& settings,
                                  const std::optional<Model>& given = {},
                                  std::initializer_list<FaultKind> kinds = all_faults) {
  const BuiltMachine machine(text);
  const Model model = given.value_or(machine.method(method).defaults);
  constexpr std::uint64_t stride = sanitized ? 7 : 1;
  std::uint64_t transfers = 0;
  bool done = false;
  const Fault nowhere{FaultKind::drop, ~std::uint64_t{0}, &done, &transfers};
  EXPECT_EQ(noticed(machine, method, model, settings, nowhere), "");
  EXPECT_GT(transfers, 0U);
  for (const FaultKind kind : kinds) {
    for (std::uint64_t transfer = 0; transfer < transfers; transfer += stride) {
      done = false;
      const std::string caught = noticed(machine, method, model, settings, Fault{kind, transfer, &done});
      // There may be no other message in the cycle to swap with.
      EXPECT_TRUE(done ? !caught.empty() : kind == FaultKind::swap && caught.empty())
          << method << " on " << text << ": fault " << static_cast<int>(kind) << " in transfer " << transfer << ": "
          << caught;
    }
  }
}

}  // namespace lockstep
