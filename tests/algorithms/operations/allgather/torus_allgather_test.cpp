// The allgathers for tori only, allgather/daisy-chain-snake and allgather/two-pass, on the squares of the paper
// (saad-schultz-1988.md, Torus daisy chains, Two passes).
#include "method_run.hpp"

namespace lockstep::torus_allgather_test {
namespace {

constexpr std::string_view snake = "allgather/daisy-chain-snake";
constexpr std::string_view two_pass = "allgather/two-pass";

SpecCounts snake_counts(std::uint64_t s, std::uint64_t m) {
  const std::uint64_t k = s * s;
  return {.steps = k - 1,
          .longest_sum = (k - 1) * m,
          .messages = k * (k - 1),
          .words = k * (k - 1) * m,
          .peak_words_held = k * m};
}
SpecCounts two_pass_counts(std::uint64_t s, std::uint64_t m) {
  const std::uint64_t k = s * s;
  return {.steps = 2 * (s - 1),
          .longest_sum = (k - 1) * m,
          .messages = 2 * k * (s - 1),
          .words = k * (k - 1) * m,
          .peak_words_held = k * m};
}

class TorusAllgather : public testing::TestWithParam<unsigned> {
 protected:
  const std::uint64_t side = GetParam();
  const BuiltMachine machine{square(side)};
};

TEST_P(TorusAllgather, GathersByTwoPassesWithTheCountsOfThePaper) {
  for (const std::uint64_t m : {1U, 2U, 5U}) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      expect_run(machine, two_pass, model_of(ports), block_settings(m), two_pass_counts(side, m));
      if (side == 2) continue;  // both directions of one link
      expect_run(machine, two_pass, model_of(ports, Duplex::half_link), block_settings(m), two_pass_counts(side, m));
    }
  }
}

TEST_P(TorusAllgather, GathersByASnakeWithTheCountsOfThePaper) {
  for (const std::uint64_t m : {1U, 2U, 5U}) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
        expect_run(machine, snake, model_of(ports, duplex), block_settings(m), snake_counts(side, m));
      }
    }
  }
}

// In turns a ring of s takes 2 (s - 1) steps if s is even and 2 s if it is odd (saad-schultz-1988.md, Ring allgather).
TEST_P(TorusAllgather, TakesTurnsWhereAProcessorOnlySendsOrOnlyReceives) {
  const std::uint64_t ring = side == 1 ? 0 : side % 2 == 0 ? 2 * (side - 1) : 2 * side;
  for (const std::uint64_t m : {1U, 3U}) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
        if (duplex == Duplex::half_link && side != 2) continue;  // only the two directions of one link take turns
        SpecCounts counts = two_pass_counts(side, m);
        counts.steps = 2 * ring;
        counts.longest_sum = ring * m + ring * side * m;
        expect_run(machine, two_pass, model_of(ports, duplex), block_settings(m), counts);
      }
      if (side % 2 != 0) continue;
      SpecCounts counts = snake_counts(side, m);
      counts.steps = 2 * (side * side - 1);
      counts.longest_sum = *counts.steps * m;
      expect_run(machine, snake, model_of(ports, Duplex::half_node), block_settings(m), counts);
    }
  }
}

// "s-1 cycles (one block per message), then s-1 cycles, the moving message being the s blocks of one column".
TEST_P(TorusAllgather, CountsTheTwoPassesApart) {
  if (side == 1) return;
  const Report report = machine.run(two_pass, model_of(PortModel::one), block_settings(3)).report;
  ASSERT_EQ(report.phases.size(), 2U);
  EXPECT_EQ(report.phases[0].name, "columns");
  EXPECT_EQ(report.phases[0].steps, side - 1);
  EXPECT_EQ(report.phases[0].longest_sum, (side - 1) * 3);
  EXPECT_EQ(report.phases[1].name, "rows");
  EXPECT_EQ(report.phases[1].steps, side - 1);
  EXPECT_EQ(report.phases[1].longest_sum, (side - 1) * side * 3);
}

INSTANTIATE_TEST_SUITE_P(Sides, TorusAllgather, testing::Range(1U, 9U));

TEST(TorusModel, IsRefusedWhereTheNextStricterRuleHolds) {
  EXPECT_EQ(broken_rule(two_pass, square(3), model_of(PortModel::one_strict)), ErrorKind::one_strict);
  for (const std::uint64_t side : {2U, 4U}) {
    EXPECT_EQ(broken_rule(snake, square(side), model_of(PortModel::one_strict)), ErrorKind::one_strict);
  }
}

// "One-port bound (k-1)m met; four ports would allow (k-1)m/4."
TEST(TorusModel, IsBoundedAsThePaperSays) {
  for (const std::string_view name : {snake, two_pass}) {
    const auto bound = [&](std::uint64_t side, PortModel ports) {
      return lockstep::bound(name, square(side), block_settings(2), model_of(ports));
    };
    EXPECT_EQ(bound(1, PortModel::one), Bound(0, 0));
    EXPECT_EQ(bound(2, PortModel::all), Bound(2, 3));
    EXPECT_EQ(bound(6, PortModel::one), Bound(6, 70));
    EXPECT_EQ(bound(6, PortModel::all), Bound(6, 18));
  }
}

TEST(TorusModel, HasTheDefaultsOfItsSections) {
  for (const std::string_view name : {snake, two_pass}) {
    expect_defaults(name, "torus", PortModel::one);
    EXPECT_THROW(find_method(name, "ring"), InputError);
  }
}

TEST(TorusParameters, AreChecked) {
  for (const std::string_view name : {std::string_view("allgather/daisy-chain"), snake, two_pass}) {
    expect_words_from(1, name, "torus:4x4");
    for (const std::string text : {"torus:4x3", "torus:2x2x2", "torus:3x3"}) {
      EXPECT_EQ(refusal(name, text, block_settings(1)), "");
    }
    EXPECT_EQ(refusal(name, "torus:1x1", block_settings(1)), "");
  }
}

TEST(TorusFaults, AreCaught) {
  expect_catches_faults(snake, "torus:2x2", block_settings(2), model_of(PortModel::one));
  for (const std::uint64_t side : {2U, 3U, 4U})
    expect_catches_faults(two_pass, square(side), block_settings(2), model_of(PortModel::one));
}

// Words of long blocks are shared, so it is much less than the 4 GiB of all blocks everywhere. Peaks of the command,
// less the 15 MB that it takes on four processors.
TEST(TorusMemory, IsWithinOneAndAHalfTimesOfMeasuredPeaks) {
  for (const auto& [name, peak] : {std::pair(snake, 50'000'000U), std::pair(two_pass, 162'000'000U)}) {
    expect_bytes(name, "torus:32x32", block_settings(512), peak * 2 / 3, peak * 3 / 2);
    EXPECT_EQ(bytes_of(name, "torus:40000x40000", block_settings(most_words)), too_many_bytes);
  }
}

}  // namespace
}  // namespace lockstep::torus_allgather_test
