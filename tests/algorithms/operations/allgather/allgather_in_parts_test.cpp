// Allgathers of blocks against collectives.md: p ranks, b words each, q = ceil(log2 p).
#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "method_run.hpp"

namespace lockstep::allgather_in_parts_test {
namespace {

constexpr std::array in_doublings{"allgather/circulant", "allgather/sparbit", "allgather/bruck"};
constexpr std::string_view neighbours = "allgather/neighbour-exchange";

/// All ranks send in each step, messages of equal length, and receive p - 1 blocks in all.
SpecCounts counts_of(std::uint64_t p, std::uint64_t b, std::uint64_t steps) {
  return {.steps = steps,
          .longest_sum = (p - 1) * b,
          .messages = p * steps,
          .words = p * (p - 1) * b,
          .peak_words_held = p * b};
}

class AllgatherInDoublings : public testing::TestWithParam<const char*> {};

TEST_P(AllgatherInDoublings, HasTheCountsOfTheSpec) {
  for (std::uint64_t p = 1; p <= (sanitized ? 17 : 33); ++p) {
    const auto q = static_cast<std::uint64_t>(std::bit_width(p - 1));
    for (const char* family : {"switch:", "complete:"}) {
      const BuiltMachine machine(family + std::to_string(p));
      for (const std::uint64_t b : {1U, 5U, 20U}) {
        SCOPED_TRACE(machine.spec.text + ", words " + std::to_string(b));
        expect_run(machine, GetParam(), model_of(PortModel::one), block_settings(b), counts_of(p, b, q));
      }
    }
  }
}

TEST_P(AllgatherInDoublings, CatchesFaults) {
  for (const char* machine : {"switch:5", "complete:8"}) {
    expect_catches_faults(GetParam(), machine, block_settings(3));
  }
}

INSTANTIATE_TEST_SUITE_P(All, AllgatherInDoublings, testing::ValuesIn(in_doublings));

TEST(AllgatherBetweenNeighbours, HasTheCountsOfTheSpec) {
  for (std::uint64_t p = 2; p <= (sanitized ? 16 : 32); p += 2) {
    for (const char* family : {"switch:", "complete:", "ring:"}) {
      const BuiltMachine machine(family + std::to_string(p));
      for (const std::uint64_t b : {1U, 5U, 20U}) {
        SCOPED_TRACE(machine.spec.text + ", words " + std::to_string(b));
        expect_run(machine, neighbours, model_of(PortModel::one), block_settings(b), counts_of(p, b, p / 2));
        if (machine.spec.family != "ring") continue;
        for (const PortModel ports : {PortModel::all, PortModel::ring}) {
          expect_run(machine, neighbours, model_of(ports), block_settings(b), counts_of(p, b, p / 2));
        }
      }
    }
  }
}

// (p + 3)/2 steps, the fewest under one-strict: see Bounds.AreNoHigherThanTheBestSchedulesOfSmallGraphs for the optima
// of rings of 3 and 5, which are 3 and 4.
TEST(AllgatherBetweenNeighbours, HasOneIdleProcessorInAnOddRing) {
  for (std::uint64_t p = 1; p <= (sanitized ? 15 : 33); p += 2) {
    for (const char* family : {"switch:", "complete:", "ring:"}) {
      const BuiltMachine machine(family + std::to_string(p));
      for (const std::uint64_t b : {1U, 5U, 20U}) {
        SCOPED_TRACE(machine.spec.text + ", words " + std::to_string(b));
        SpecCounts counts = counts_of(p, b, p == 1 ? 0 : (p + 3) / 2);
        counts.messages = p == 1 ? 0 : (p * p + 1) / 2;
        if (p > 1) counts.longest_sum = (1 + 2 + 3 * (p - 3) / 2 + 1) * b;
        expect_run(machine, neighbours, model_of(PortModel::one), block_settings(b), counts);
        if (machine.spec.family != "ring") continue;
        expect_run(machine, neighbours, model_of(PortModel::one_strict), block_settings(b), counts);
      }
    }
  }
}

TEST(AllgatherBetweenNeighbours, CatchesFaults) {
  for (const char* machine : {"switch:6", "ring:8", "ring:7"})
    expect_catches_faults(neighbours, machine, block_settings(3));
}

}  // namespace
}  // namespace lockstep::allgather_in_parts_test
