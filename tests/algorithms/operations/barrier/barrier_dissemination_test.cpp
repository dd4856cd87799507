// barrier/dissemination and barrier/dimension-exchange against collectives.md, Barrier: ceil(log2 p) steps and p times
// as many messages, without words.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <vector>

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

/// A grid of that family and these sides.
struct Sides {
  std::string_view family;
  std::vector<std::uint64_t> sides;

  std::string text() const {
    std::string all;
    for (const std::uint64_t side : sides) all += (all.empty() ? "" : "x") + std::to_string(side);
    return std::string(family) + ":" + all;
  }
};

/// Rings and paths of all small sides, tori and meshes with even, odd and unequal ones, also of 1 and 2.
std::vector<Sides> grids() {
  std::vector<Sides> all;
  for (std::uint64_t side = 1; side <= 21; ++side) {
    all.push_back({"ring", {side}});
    all.push_back({"path", {side}});
  }
  for (const char* family : {"torus", "mesh"}) {
    for (std::vector<std::uint64_t> sides : std::vector<std::vector<std::uint64_t>>{
             {1, 1}, {2, 2}, {3, 3}, {4, 4}, {3, 5}, {2, 7}, {6, 1}, {5, 4}, {2, 3, 4}, {3, 1, 5}, {2, 2, 2, 2}}) {
      all.push_back({family, std::move(sides)});
    }
  }
  return all;
}

// A line of s ranks: on a ring s/2 steps for s even, in which all exchange; (s + 3)/2 for s odd, of at least 3, in
// which one is idle. On a path the pairs (0,1), (2,3), .. and (1,2), (3,4), .. in turn: s - 1 steps for s even, s for s
// odd.
TEST(BarrierDimensionExchange, AddsUpTheStepsOfTheLinesOfAGrid) {
  for (const Sides& grid : grids()) {
    const BuiltMachine machine(grid.text());
    const bool is_ring = grid.family == "ring" || grid.family == "torus";
    const std::uint64_t p = machine.topology.processors();
    std::uint64_t steps = 0;
    std::uint64_t messages = 0;
    for (const std::uint64_t s : grid.sides) {
      if (s == 1) continue;
      const bool is_even = s % 2 == 0;
      if (is_ring) {
        const std::uint64_t of_line = is_even ? s / 2 : (s + 3) / 2;
        steps += of_line;
        messages += p / s * of_line * (is_even ? s : s - 1);
      } else {
        steps += is_even ? s - 1 : s;
        messages += p / s * (is_even ? s / 2 * s + (s / 2 - 1) * (s - 2) : s * (s - 1));
      }
    }
    for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
      SCOPED_TRACE(grid.text());
      expect_run(machine, exchange, model_of(ports), {},
                 {.steps = steps, .longest_sum = 0, .messages = messages, .words = 0, .message_words = 0});
    }
  }
}

// No rank leaves before the last arrival, which reaches it over as many links as there are between them.
TEST(BarrierDimensionExchange, HoldsEveryRankOfAGridUntilTheLastHasArrived) {
  for (const char* text : {"ring:1", "ring:2", "ring:6", "ring:7", "path:5", "path:6", "torus:3x4", "mesh:3x2x3"}) {
    const BuiltMachine machine(text);
    const std::uint64_t messages = machine.run(exchange, model_of(PortModel::one), arriving(0)).report.messages;
    for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
      for (const std::uint64_t last : {1U, 3U, 20U, 1000000U}) {
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
          SCOPED_TRACE(std::string(text) + ", arrivals " + std::to_string(last) + ", seed " + std::to_string(seed));
          const Outcome outcome = machine.run(exchange, model_of(ports), arriving(last, seed));
          EXPECT_EQ(outcome.wrong, "");
          EXPECT_EQ(outcome.report.messages, messages);
          EXPECT_EQ(outcome.report.words, 0U);
          EXPECT_LE(outcome.measures[0].value, last);
          EXPECT_GE(outcome.measures[1].value, outcome.measures[0].value);
        }
      }
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
    for (const char* machine : {"hypercube:3", "ring:5", "path:5", "torus:4x3", "mesh:4x2"}) {
      expect_catches_faults(exchange, machine, arriving(last), {},
                            {FaultKind::drop, FaultKind::repeat, FaultKind::swap});
    }
  }
}

}  // namespace
}  // namespace lockstep::barrier_dissemination_test
