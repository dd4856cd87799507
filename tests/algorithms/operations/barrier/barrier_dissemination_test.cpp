// barrier/dissemination and barrier/dimension-exchange against collectives.md, Barrier: ceil(log2 p) steps and p times
// as many messages, without words.
#include <gtest/gtest.h>

#include <bit>

#include "lockstep/algorithms/bounds.hpp"
#include "method_run.hpp"

namespace lockstep::barrier_dissemination_test {
namespace {

constexpr std::string_view dissemination = "barrier/dissemination";
constexpr std::string_view exchange = "barrier/dimension-exchange";

Settings arriving(std::uint64_t last, std::uint64_t seed = 1) {
  Settings settings;
  settings.arrivals = last;
  settings.seed = seed;
  return settings;
}

TEST(BarrierDissemination, HasTheCountsOfTheSpec) {
  for (std::uint64_t p = 1; p <= (sanitized ? 17 : 70); ++p) {
    const auto q = static_cast<std::uint64_t>(std::bit_width(p - 1));
    for (const char* family : {"switch:", "complete:"}) {
      const BuiltMachine machine(family + std::to_string(p));
      expect_run(machine, dissemination, model_of(PortModel::one), {},
                 {.steps = q, .longest_sum = 0, .messages = p * q, .words = 0, .message_words = 0});
      const LowerBound bound =
          lower_bound(machine.method(dissemination), machine.spec, model_of(PortModel::one), Settings{});
      EXPECT_EQ(bound.steps, q);
      EXPECT_EQ(bound.longest_sum.value_or(0), 0U);  // no words are set
    }
  }
}

// Networks of stages pass its shifts.
TEST(BarrierDissemination, PassesAllNetworks) {
  for (const std::string family : {"omega:", "inverse-omega:", "indirect-cube:", "data-manipulator:"}) {
    for (std::uint64_t p = 1; p <= (sanitized ? 16 : 64); p *= 2) {
      const auto q = static_cast<std::uint64_t>(std::bit_width(p - 1));
      expect_run(BuiltMachine(family + std::to_string(p)), dissemination, model_of(PortModel::one), {},
                 {.steps = q, .longest_sum = 0, .messages = p * q, .words = 0, .message_words = 0});
    }
  }
}

// n steps, in which all 2^n processors send.
TEST(BarrierDimensionExchange, HasTheCountsOfTheSpec) {
  for (std::uint64_t n = 0; n <= (sanitized ? 5 : 9); ++n) {
    const BuiltMachine machine(cube(n));
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      expect_run(machine, exchange, model_of(ports), {},
                 {.steps = n, .longest_sum = 0, .messages = n << n, .words = 0, .message_words = 0});
    }
  }
}

// For any arrivals, no rule is broken, no rank leaves before the last arrival, and the last arrival takes at least q
// cycles to reach all.
TEST(BarrierDissemination, HoldsEveryRankUntilTheLastHasArrived) {
  for (const char* text : {"switch:1", "switch:2", "switch:3", "switch:5", "switch:8", "switch:13", "switch:33",
                           "omega:8", "inverse-omega:16", "indirect-cube:4", "data-manipulator:16", "hypercube:0",
                           "hypercube:1", "hypercube:3", "hypercube:5"}) {
    const BuiltMachine machine(text);
    const std::string_view method = machine.spec.family == "hypercube" ? exchange : dissemination;
    const std::uint64_t p = machine.topology.processors();
    const auto q = static_cast<std::uint64_t>(std::bit_width(p - 1));
    for (const std::uint64_t last : {1U, 3U, 20U, 1000000U}) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(std::string(text) + ", arrivals " + std::to_string(last) + ", seed " + std::to_string(seed));
        const Outcome outcome = machine.run(method, model_of(PortModel::one), arriving(last, seed));
        EXPECT_EQ(outcome.wrong, "");
        EXPECT_EQ(outcome.report.messages, p * q);
        EXPECT_EQ(outcome.report.words, 0U);
        const std::uint64_t last_arrival = outcome.measures[0].value;
        EXPECT_LE(last_arrival, last);
        EXPECT_GE(outcome.measures[1].value, last_arrival);
        EXPECT_GE(outcome.measures[2].value, last_arrival + q);
      }
    }
  }
}

// A message without words cannot be corrupted.
TEST(BarrierDissemination, CatchesFaults) {
  for (const char* machine : {"switch:2", "switch:7", "complete:8", "omega:4"}) {
    for (const std::uint64_t last : {0U, 4U}) {
      expect_catches_faults(dissemination, machine, arriving(last), {},
                            {FaultKind::drop, FaultKind::repeat, FaultKind::swap});
    }
  }
  for (const std::uint64_t last : {0U, 4U}) {
    expect_catches_faults(exchange, "hypercube:3", arriving(last), {},
                          {FaultKind::drop, FaultKind::repeat, FaultKind::swap});
  }
}

}  // namespace
}  // namespace lockstep::barrier_dissemination_test
