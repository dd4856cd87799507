// scan/doubling, exscan/123-doubling and exscan/shift against collectives.md, Scan, Exclusive scan: steps S, messages
// M, words W and longest sums V for every number p of ranks up to 33, S and M up to 299.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "data_directory.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "method_run.hpp"

namespace lockstep::scan_in_steps_test {
namespace {

constexpr std::array scans{"scan/doubling", "exscan/123-doubling", "exscan/shift"};

Settings with_operator(const std::string& name, std::uint64_t words) {
  Settings settings;
  settings.operator_name = name;
  settings.words = words;
  return settings;
}

/// The least k with 2^k >= x; x is 1 or more.
std::uint64_t log2_up(std::uint64_t x) {
  std::uint64_t k = 0;
  for (std::uint64_t power = 1; power < x; power *= 2) ++k;
  return k;
}

struct Counts {
  std::uint64_t steps;
  std::uint64_t messages;
};

Counts counts_of(std::string_view method, std::uint64_t p) {
  if (p == 1) return {0, 0};
  if (method == "scan/doubling") {
    const std::uint64_t q = log2_up(p);
    return {q, p * q - ((std::uint64_t{1} << q) - 1)};
  }
  if (method == "exscan/shift") {
    const std::uint64_t u = log2_up(p - 1);
    return {1 + u, (p - 1) + (p - 1) * u - ((std::uint64_t{1} << u) - 1)};
  }
  if (p == 2) return {1, 1};
  // t = ceil(log2(p-1) + log2(4/3)), an integer for p - 1 = 3 2^i: 1e-9 is subtracted against rounding.
  const auto t =
      static_cast<std::uint64_t>(std::ceil(std::log2(static_cast<double>(p - 1)) + std::log2(4.0 / 3.0) - 1e-9));
  std::uint64_t messages = (p - 1) + (p - 2);
  for (std::uint64_t k = 2; k < t; ++k) messages += p - 1 - (std::uint64_t{3} << (k - 2));
  return {t, messages};
}

class ScanInSteps : public testing::TestWithParam<const char*> {
 protected:
  static void expect_counts_on(const std::string& machine, std::uint64_t p, const Settings& settings) {
    SCOPED_TRACE(machine + " " + *settings.operator_name);
    const Counts counts = counts_of(GetParam(), p);
    const std::uint64_t m = *settings.words;
    expect_run(BuiltMachine(machine), GetParam(), model_of(PortModel::one), settings,
               {.steps = counts.steps,
                .longest_sum = counts.steps * m,
                .messages = counts.messages,
                .words = counts.messages * m,
                .message_words = m});
  }
};

TEST_P(ScanInSteps, HasTheCountsOfTheSpec) {
  for (std::uint64_t p = 1; p <= (sanitized ? 17 : 33); ++p) {
    for (const char* family : {"switch:", "complete:"}) {
      for (const std::uint64_t m : {1U, 6U}) expect_counts_on(family + std::to_string(p), p, with_operator("sum", m));
    }
  }
}

TEST_P(ScanInSteps, HasThemForHundredsOfRanks) {
  for (std::uint64_t p = 34; p <= 299; p += sanitized ? 53 : 1) {
    expect_counts_on("switch:" + std::to_string(p), p, with_operator("sum", 1));
  }
}

// Every operator, also those that do not commute: operands arrive in the order of the ranks.
TEST_P(ScanInSteps, KeepsTheOrderOfTheRanks) {
  for (const std::uint64_t p : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 13U, 20U, 33U}) {
    for (const Operator& op : operators()) {
      const Settings settings = with_operator(std::string(op.name), 2 * op.element_words);
      expect_counts_on("switch:" + std::to_string(p), p, settings);
      expect_counts_on("complete:" + std::to_string(p), p, settings);
    }
  }
}

TEST_P(ScanInSteps, CatchesFaults) {
  for (const char* machine : {"switch:3", "switch:7", "complete:8"}) {
    for (const char* name : {"sum", "min", "or", "concat"}) {
      expect_catches_faults(GetParam(), machine, with_operator(name, 3));
    }
    expect_catches_faults(GetParam(), machine, with_operator("matrix2", 4));
  }
}

// ceil(log2 p): the last rank's exclusive result combines p - 1 values, and at most 1 + 2 + 4 + .. have arrived.
// The words of rank 0 go to all: one leaves it a cycle, and the last takes these steps.
TEST_P(ScanInSteps, HasTheBoundOfDoubling) {
  const auto bound_on = [](const char* machine) {
    return bound(GetParam(), machine, with_operator("sum", 5), model_of(PortModel::one));
  };
  EXPECT_EQ(bound_on("switch:1"), Bound(0, 0));
  EXPECT_EQ(bound_on("complete:2"), Bound(1, 5));
  EXPECT_EQ(bound_on("switch:12"), Bound(4, 5 - 1 + 4));
  EXPECT_EQ(bound_on("complete:129"), Bound(8, 5 - 1 + 8));
}

INSTANTIATE_TEST_SUITE_P(All, ScanInSteps, testing::ValuesIn(scans));

TEST(Exscan, IsAStepFromTheBoundAtMostBy123Doubling) {
  for (std::uint64_t p = 2; p < 300; ++p) {
    EXPECT_LE(counts_of("exscan/123-doubling", p).steps, log2_up(p) + 1) << p;
    EXPECT_LE(counts_of("exscan/123-doubling", p).steps, counts_of("exscan/shift", p).steps) << p;
  }
}

class ScanInStepsFile : public DataDirectory {
 protected:
  std::string result(const std::string& method, const std::string& name, const std::string& input) const {
    Settings settings;
    settings.operator_name = name;
    settings.input = file("in", input);
    settings.output = path("out");
    EXPECT_EQ(BuiltMachine("switch:5").run(method, model_of(PortModel::one), settings).wrong, "") << method;
    return text_of(path("out"));
  }
};

TEST_F(ScanInStepsFile, ComesToWhatAPersonWould) {
  EXPECT_EQ(result("scan/doubling", "sum", "1\n20\n300\n4000\n50000"), "1\n21\n321\n4321\n54321\n");
  EXPECT_EQ(result("scan/doubling", "concat", "a\nb\nc\nd\ne"), "a\nab\nabc\nabcd\nabcde\n");
  for (const std::string method : {"exscan/123-doubling", "exscan/shift"}) {
    EXPECT_EQ(result(method, "sum", "1\n20\n300\n4000\n50000"), "1\n21\n321\n4321\n") << method;
    EXPECT_EQ(result(method, "concat", "a\nb\nc\nd\ne"), "a\nab\nabc\nabcd\n") << method;
    EXPECT_EQ(result(method, "max", "3\n1\n4\n1\n5"), "3\n3\n4\n4\n") << method;
  }
}

}  // namespace
}  // namespace lockstep::scan_in_steps_test
