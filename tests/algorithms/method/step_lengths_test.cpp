// Lengths of the longest messages, step by step, against a list of all steps; and the start-ups of methods against
// numbers worked out by hand.
#include "method/step_lengths.hpp"

#include <gtest/gtest.h>

#include <random>

#include "method_run.hpp"

namespace lockstep::step_lengths_test {
namespace {

CostModel packets_of(std::uint64_t words) { return {.beta = 1, .tau = 1, .max_packet_words = words, .copy_cost = 0}; }

TEST(StepLengths, NoStepTakesNothing) {
  const method::StepLengths lengths(packets_of(4));
  EXPECT_EQ(lengths.steps(), 0U);
  EXPECT_EQ(lengths.sum(), 0U);
  EXPECT_EQ(lengths.startups(), 0U);
}

TEST(StepLengths, AnEmptyMessageNeedsAStartUp) {
  method::StepLengths lengths(packets_of(4));
  lengths.add(3, 0);
  EXPECT_EQ(lengths.steps(), 3U);
  EXPECT_EQ(lengths.sum(), 0U);
  EXPECT_EQ(lengths.startups(), 3U);
}

TEST(StepLengths, AreAddedUpAsOneByOne) {
  constexpr std::uint64_t seed = 20;
  std::mt19937_64 random(seed);
  const auto draw = [&](std::uint64_t least, std::uint64_t most) {
    return std::uniform_int_distribution(least, most)(random);
  };
  for (int trial = 0; trial < 2000; ++trial) {
    const CostModel cost = packets_of(draw(0, 40));
    const std::uint64_t words = draw(1, 100);
    const std::uint64_t count = draw(0, 50);
    const std::uint64_t alike = draw(0, 9);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + std::to_string(alike) + " steps, and " +
                 std::to_string(count) + " of multiples, of " + std::to_string(words) + " words, packets of " +
                 std::to_string(cost.max_packet_words));
    method::StepLengths lengths(cost);
    lengths.add(alike, words);
    lengths.add_multiples(count, words);
    std::uint64_t sum = alike * words;
    std::uint64_t startups = alike * cost.startups(words);
    for (std::uint64_t i = 1; i <= count; ++i) {
      sum += i * words;
      startups += cost.startups(i * words);
    }
    ASSERT_EQ(lengths.steps(), alike + count);
    ASSERT_EQ(lengths.sum(), sum);
    ASSERT_EQ(lengths.startups(), startups);
  }
}

// Start-ups of i words in packets of 2 are i/2 or, if i is odd, half a packet more; of 3 i words in packets of 3 they
// are i.
TEST(StepLengths, AreAddedUpAtOnceWhereThereAreMany) {
  constexpr std::uint64_t many = std::uint64_t{1} << 31;
  method::StepLengths halves(packets_of(2));
  halves.add_multiples(many, 1);
  EXPECT_EQ(halves.sum(), many / 2 * (many + 1));
  EXPECT_EQ(halves.startups(), many / 2 * (many + 1) / 2 + many / 4);
  method::StepLengths wholes(packets_of(3));
  wholes.add_multiples(many, 3);
  EXPECT_EQ(wholes.startups(), many / 2 * (many + 1));
}

TEST(StepLengths, ThatPass64BitsHaveNoStartUps) {
  method::StepLengths lengths(packets_of(1));
  lengths.add(std::uint64_t{1} << 40, std::uint64_t{1} << 30);
  EXPECT_EQ(lengths.startups(), std::nullopt);
}

/// Start-ups of the longest messages that a method predicts in packets of 4 words.
std::optional<std::uint64_t> startups_of(std::string_view method, const std::string& machine, std::uint64_t words,
                                         Duplex duplex = Duplex::full) {
  const MachineSpec spec = parse_machine(machine);
  const Method& found = find_method(method, spec.family);
  Model model = found.defaults;
  model.duplex = duplex;
  model.cost.max_packet_words = 4;
  Settings settings;
  settings.words = words;
  found.resolve(spec, model, settings);
  return found.predict(spec, model, settings).longest_startups;
}

TEST(StepLengths, OfMethodsNeedTheStartUpsOfTheirSections) {
  // saad-schultz-1985.md, ADEA: 3, 6, 12 and 24 words, each twice where links are half duplex.
  EXPECT_EQ(startups_of("allgather/adea", "hypercube:4", 3), 1 + 2 + 3 + 6U);
  EXPECT_EQ(startups_of("allgather/adea", "hypercube:4", 3, Duplex::half_link), 2 * (1 + 2 + 3 + 6U));
  // saad-schultz-1985.md, TEA1: C(3, i-1) blocks of 3 words; saad-schultz-1985.md, TEA2: ceil(C(4, i) / 4).
  EXPECT_EQ(startups_of("allgather/tea1", "hypercube:4", 3), 1 + 3 + 3 + 1U);
  EXPECT_EQ(startups_of("allgather/tea1-grouped", "hypercube:4", 3), 1 + 3 + 5 + 3 + 1U);  // C(4, p-1) blocks
  EXPECT_EQ(startups_of("allgather/tea2", "hypercube:4", 3), 1 + 2 + 1 + 1U);
  EXPECT_EQ(startups_of("allgather/tea2-grouped", "hypercube:4", 3), 1 + 3 + 3 + 2 + 1U);  // ceil(C(5, p) / 4) blocks
  // saad-schultz-1988.md, Two passes: 4 steps of a block, 4 of five.
  EXPECT_EQ(startups_of("allgather/two-pass", "torus:5x5", 3), 4 * 1 + 4 * 4U);
  // saad-schultz-1988.md, Switch: holding 1, 2 and 4 blocks of 6 processors, 1, 2 and 2 more.
  EXPECT_EQ(startups_of("allgather/doubling", "switch:6", 3), 1 + 2 + 2U);
  // saad-schultz-1985.md, Scatter: 24, 12, 6 and 3 words.
  EXPECT_EQ(startups_of("scatter/sbt", "hypercube:4", 3), 6 + 3 + 2 + 1U);
  // saad-schultz-1988.md, Torus scatter: 2 steps of five blocks, 2 of one.
  EXPECT_EQ(startups_of("gather/two-phase", "torus:5x5", 3), 2 * 4 + 2 * 1U);
  // johnsson-ho.md, Scatter: necklaces of 6 beads of which 1, .. 6 are black.
  EXPECT_EQ(startups_of("scatter/sbnt", "hypercube:6", 3), 1 + 3 + 3 + 3 + 1 + 1U);
  // saad-schultz-1988.md, Ring alltoall: 15, 12, 9, 6 and 3 words.
  EXPECT_EQ(startups_of("alltoall/rotate-drop", "ring:6", 3), 4 + 3 + 3 + 2 + 1U);
  // saad-schultz-1988.md, Torus alltoall: twice 2 and 1 times 3 blocks.
  EXPECT_EQ(startups_of("alltoall/two-phase", "torus:3x3", 3), 2 * (5 + 3U));
  // saad-schultz-1985.md, SMG: 4 gathers with 3 and 6 words.
  EXPECT_EQ(startups_of("alltoall/sequential-gather", "hypercube:2", 3), 4 * (1 + 2U));
  // saad-schultz-1988.md, Hypercube: slices of 2 words of blocks of 5, 4 a message, in 3 steps.
  EXPECT_EQ(startups_of("alltoall/rotated-sbt", "hypercube:3", 5), 3 * 2U);
}

// saad-schultz-1988.md, Ring alltoall, on the largest ring: the sum over i = 1 .. k-1 of ceil(i/4), by formula.
TEST(StepLengths, OfMethodsTakeNoTimeOnLargeMachines) {
  constexpr std::uint64_t k = std::uint64_t{1} << 31;
  EXPECT_EQ(startups_of("alltoall/rotate-drop", "ring:" + std::to_string(k), 1), k / 4 * (k / 4 + 1) / 2 * 4 - k / 4);
}

}  // namespace
}  // namespace lockstep::step_lengths_test
