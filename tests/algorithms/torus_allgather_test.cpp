// The allgathers that tori have of their own, allgather/daisy-chain-snake and allgather/two-pass, and the rings of
// their daisy chains (saad-schultz-1988.md, Torus daisy chains, Two passes).
#include <algorithm>

#include "allgather/daisy_chain.hpp"
#include "allgather_runs.hpp"

namespace lockstep {
namespace {

constexpr std::string_view snake = "allgather/daisy-chain-snake";
constexpr std::string_view two_pass = "allgather/two-pass";

std::string torus(std::uint64_t side) { return "torus:" + std::to_string(side) + "x" + std::to_string(side); }

SpecCounts snake_counts(std::uint64_t s, std::uint64_t m) {
  const std::uint64_t k = s * s;
  return {.steps = k - 1, .longest_sum = (k - 1) * m, .messages = k * (k - 1), .words = k * (k - 1) * m};
}
SpecCounts two_pass_counts(std::uint64_t s, std::uint64_t m) {
  const std::uint64_t k = s * s;
  return {.steps = 2 * (s - 1), .longest_sum = (k - 1) * m, .messages = 2 * k * (s - 1), .words = k * (k - 1) * m};
}

class TorusAllgather : public testing::TestWithParam<unsigned> {
 protected:
  const std::uint64_t side = GetParam();
  const BuiltMachine machine{torus(side)};
};

TEST_P(TorusAllgather, gathers_by_two_passes_with_the_counts_of_the_paper) {
  for (const std::uint64_t m : {1U, 2U, 5U}) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      expect_run(machine, two_pass, model_of(ports), m, two_pass_counts(side, m));
      if (side == 2) continue;  // both directions of one link
      expect_run(machine, two_pass, model_of(ports, Duplex::half_link), m, two_pass_counts(side, m));
    }
  }
}

TEST_P(TorusAllgather, gathers_by_a_snake_with_the_counts_of_the_paper) {
  if (side % 2 != 0 && side != 1) return;
  for (const std::uint64_t m : {1U, 2U, 5U}) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
        expect_run(machine, snake, model_of(ports, duplex), m, snake_counts(side, m));
      }
    }
  }
}

// "s-1 cycles (one block per message), then s-1 cycles, the moving message being the s blocks of one column".
TEST_P(TorusAllgather, counts_the_two_passes_apart) {
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

INSTANTIATE_TEST_SUITE_P(sides, TorusAllgather, testing::Range(1U, 9U));

/// Whether the coordinates differ by one in one of the two places, with wrap-around or without.
bool are_neighbours(Rank a, Rank b, Rank side, bool with_wrap_around) {
  const auto distance = [&](Rank p, Rank q) {
    const Rank straight = std::max(p, q) - std::min(p, q);
    return with_wrap_around ? std::min(straight, side - straight) : straight;
  };
  return distance(a / side, b / side) + distance(a % side, b % side) == 1;
}

void expect_ring_through_all(allgather::RingNeighbours (*ring)(const MachineSpec&, Rank), Rank side,
                             bool with_wrap_around) {
  const MachineSpec spec = parse_machine(torus(side));
  Rank visited = 0;
  Rank rank = 0;
  do {
    const Rank next = ring(spec, rank).next;
    ASSERT_LT(next, spec.processors);
    EXPECT_TRUE(are_neighbours(rank, next, side, with_wrap_around)) << rank << " to " << next;
    EXPECT_EQ(ring(spec, next).previous, rank);
    rank = next;
    ++visited;
  } while (rank != 0 && visited < spec.processors);
  EXPECT_EQ(rank, 0U);
  EXPECT_EQ(visited, spec.processors);
}

TEST(TorusRings, lead_through_all_processors) {
  for (Rank side = 2; side < 12; ++side) {
    SCOPED_TRACE(side);
    expect_ring_through_all(allgather::skew_ring, side, true);
    if (side % 2 == 0) expect_ring_through_all(allgather::snake_ring, side, false);
  }
}

TEST(TorusModel, is_refused_where_the_next_stricter_rule_holds) {
  EXPECT_EQ(broken_rule(torus(2), two_pass, model_of(PortModel::one, Duplex::half_link)), ErrorKind::half_link);
  EXPECT_EQ(broken_rule(torus(3), two_pass, model_of(PortModel::one, Duplex::half_node)), ErrorKind::half_node);
  EXPECT_EQ(broken_rule(torus(3), two_pass, model_of(PortModel::one_strict)), ErrorKind::one_strict);
  for (const std::uint64_t side : {2U, 4U}) {
    EXPECT_EQ(broken_rule(torus(side), snake, model_of(PortModel::one, Duplex::half_node)), ErrorKind::half_node);
    EXPECT_EQ(broken_rule(torus(side), snake, model_of(PortModel::one_strict)), ErrorKind::one_strict);
  }
}

// "One-port bound (k-1)m met; four ports would allow (k-1)m/4."
TEST(TorusModel, is_bounded_as_the_paper_says) {
  for (const std::string_view name : {snake, two_pass}) {
    const auto bound = [&](std::uint64_t side, PortModel ports) {
      const MachineSpec spec = parse_machine(torus(side));
      const LowerBound found = find_method(name, "torus").lower_bound(spec, model_of(ports), block_settings(2));
      return std::pair(found.steps.value(), found.longest_sum.value());
    };
    using Bound = std::pair<std::uint64_t, std::uint64_t>;
    EXPECT_EQ(bound(1, PortModel::one), Bound(0, 0));
    EXPECT_EQ(bound(2, PortModel::all), Bound(2, 3));
    EXPECT_EQ(bound(6, PortModel::one), Bound(6, 70));
    EXPECT_EQ(bound(6, PortModel::all), Bound(6, 18));
  }
}

TEST(TorusModel, has_the_defaults_of_its_sections) {
  for (const std::string_view name : {snake, two_pass}) {
    EXPECT_EQ(find_method(name, "torus").defaults.ports, PortModel::one);
    EXPECT_EQ(find_method(name, "torus").defaults.duplex, Duplex::full);
    EXPECT_THROW(find_method(name, "ring"), InputError);
  }
}

TEST(TorusParameters, are_checked) {
  for (const std::string_view name : {std::string_view("allgather/daisy-chain"), snake, two_pass}) {
    expect_block_parameters(name, "torus:4x4");
    EXPECT_EQ(refusal(name, "torus:4x3", block_settings(1)),
              "torus:4x3 is not a square: SxS is wanted, e.g. torus:4x4");
    EXPECT_EQ(refusal(name, "torus:2x2x2", block_settings(1)),
              "torus:2x2x2 is not a square: SxS is wanted, e.g. torus:4x4");
    EXPECT_EQ(refusal(name, "torus:1x1", block_settings(1)), "");
  }
  EXPECT_EQ(refusal(snake, "torus:3x3", block_settings(1)),
            "torus:3x3 has sides of odd length: a snake without wrap-around needs even ones");
  EXPECT_EQ(refusal(two_pass, "torus:3x3", block_settings(1)), "");
}

TEST(TorusFaults, are_caught) {
  expect_catches_faults(snake, "torus:2x2", block_settings(2), model_of(PortModel::one));
  for (const std::uint64_t side : {2U, 3U, 4U})
    expect_catches_faults(two_pass, torus(side), block_settings(2), model_of(PortModel::one));
}

TEST(TorusMemory, is_that_of_all_blocks_everywhere) {
  for (const std::string_view name : {snake, two_pass}) {
    expect_bytes(name, "torus:32x32", 512, 2);
    const MachineSpec spec = parse_machine("torus:40000x40000");
    const Method& method = find_method(name, "torus");
    EXPECT_EQ(method.bytes(spec, method.defaults, block_settings(most_words)), ~std::uint64_t{0});
  }
}

}  // namespace
}  // namespace lockstep
