// allgather/torus against collectives.md, Allgather: separate pieces of blocks go every way round a torus.
#include <algorithm>

#include "method_run.hpp"

namespace lockstep::allgather_torus_test {
namespace {

using Sides = std::vector<std::uint64_t>;

constexpr std::string_view method = "allgather/torus";

std::string torus_of(const Sides& sides) {
  std::string text = "torus:";
  for (const std::uint64_t side : sides) text += (text.back() == ':' ? "" : "x") + std::to_string(side);
  return text;
}

/// c pieces of every block, one for each dimension, or two, one for each direction. The piece that begins with
/// dimension f, counted among those with links, goes round f - 1 first, then f - 2, .., f, together with the pieces
/// collected so far; shorter rings wait for the longest.
SpecCounts counts_of(const Sides& sides, std::uint64_t b, bool all_ports, bool both_directions) {
  Sides linked;
  std::uint64_t p = 1;
  std::uint64_t hops = 0;
  for (const std::uint64_t side : sides) {
    if (side > 1) linked.push_back(side);
    p *= side;
    hops += side - 1;
  }
  const std::size_t d = linked.size();
  if (d == 0) return nothing;
  const bool twice = both_directions && std::find(linked.begin(), linked.end(), 2U) == linked.end();
  const std::uint64_t c = all_ports ? std::min<std::uint64_t>(twice ? 2 * d : d, b) : 1;
  Lengths longest;
  for (std::size_t turn = 1; turn <= d; ++turn) {
    Lengths of_turn;
    for (std::uint64_t piece = 0; piece < c; ++piece) {
      const std::size_t first = all_ports && twice ? piece / 2 : piece;
      std::uint64_t found = b / c + (piece < b % c ? 1 : 0);
      for (std::size_t before = 1; before < turn; ++before) found *= linked[(first + d - before) % d];
      const std::uint64_t steps = linked[(first + d - turn) % d] - 1;
      of_turn.resize(std::max<std::size_t>(of_turn.size(), steps));
      for (std::uint64_t step = 0; step < steps; ++step) of_turn[step] = std::max(of_turn[step], found);
    }
    longest.insert(longest.end(), of_turn.begin(), of_turn.end());
  }
  return {.steps = longest.size(),
          .messages = c * p * hops,
          .words = p * (p - 1) * b,
          .peak_words_held = p * b,
          .longest = longest};
}

const std::vector<Sides> tori{{1},       {1, 1},    {2},          {3},       {7},       {2, 2},    {3, 3},
                              {4, 4},    {1, 5},    {5, 1},       {2, 5},    {5, 2},    {3, 4},    {4, 3},
                              {2, 3, 4}, {3, 4, 5}, {2, 2, 2, 2}, {3, 1, 3}, {3, 3, 3}, {5, 3, 1}, {6, 2, 1}};

TEST(AllgatherTorus, HasTheCountsOfTheSpec) {
  for (const Sides& sides : tori) {
    const BuiltMachine machine(torus_of(sides));
    if (sanitized && machine.spec.processors > 16) continue;
    for (const std::uint64_t b : {1U, 2U, 3U, 5U, 6U, 12U, 41U}) {
      expect_run(machine, method, model_of(PortModel::one), block_settings(b), counts_of(sides, b, false, true));
      expect_run(machine, method, model_of(PortModel::all), block_settings(b), counts_of(sides, b, true, true));
      if (std::find(sides.begin(), sides.end(), 2U) != sides.end()) continue;  // both directions are one link
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        expect_run(machine, method, model_of(ports, Duplex::half_link), block_settings(b),
                   counts_of(sides, b, ports == PortModel::all, false));
      }
    }
  }
}

// With one port p - 1 blocks, one after the other; with all d (a - 1) steps and (p - 1) b/c words: the bound.
TEST(AllgatherTorus, MeetsTheBoundOfAllPortsOnEqualSides) {
  struct Equal {
    std::uint64_t a, d, c;
  };
  for (const Equal& torus : {Equal{3, 1, 2}, Equal{3, 2, 4}, Equal{4, 2, 4}, Equal{5, 2, 4}, Equal{2, 3, 3},
                             Equal{3, 3, 6}, Equal{4, 3, 6}}) {
    std::uint64_t p = 1;
    for (std::uint64_t i = 0; i < torus.d; ++i) p *= torus.a;
    if (sanitized && p > 16) continue;
    const BuiltMachine machine(torus_of(Sides(torus.d, torus.a)));
    const std::uint64_t b = 2 * torus.c;
    const std::uint64_t steps = torus.d * (torus.a - 1);
    const std::uint64_t words = p * (p - 1) * b;
    expect_run(machine, method, model_of(PortModel::one), block_settings(b),
               {.steps = steps, .longest_sum = (p - 1) * b, .messages = p * steps, .words = words});
    expect_run(machine, method, model_of(PortModel::all), block_settings(b),
               {.steps = steps, .longest_sum = (p - 1) * 2, .messages = torus.c * p * steps, .words = words});
    EXPECT_EQ(bound(method, machine.spec.text, block_settings(b), model_of(PortModel::all)),
              Bound(torus.d * (torus.a / 2), (p - 1) * 2));
  }
}

// By hand. 3x4, 4 words: in the first turn pieces of a word go round rings of 3 and of 4; in the second 4 of them round
// the rings of 3 and 3 round those of 4. 2x5, 2 words: 1 a message, then 5 over the rings of 2 and 2 round those of 5.
TEST(AllgatherTorus, WaitsForTheLongestRing) {
  const BuiltMachine three_by_four("torus:3x4");
  expect_run(three_by_four, method, model_of(PortModel::all), block_settings(4),
             {.steps = 6, .messages = 4 * 12 * 5, .words = 12 * 11 * 4, .longest = Lengths{1, 1, 1, 4, 4, 3}});
  const BuiltMachine two_by_five("torus:2x5");
  expect_run(two_by_five, method, model_of(PortModel::all), block_settings(2),
             {.steps = 8, .messages = 2 * 10 * 5, .words = 10 * 9 * 2, .longest = Lengths{1, 1, 1, 1, 5, 2, 2, 2}});
  // A single word is a single piece: rows first, then columns.
  expect_run(three_by_four, method, model_of(PortModel::all), block_settings(1),
             {.steps = 5, .messages = 12 * 5, .words = 12 * 11, .longest = Lengths{1, 1, 1, 4, 4}});
}

TEST(AllgatherTorus, TakesAQuarterOfTheTimeOfTwoPassesWithAllPorts) {
  const BuiltMachine machine("torus:4x4");
  const Model model = model_of(PortModel::all);
  const Report two_passes = machine.run("allgather/two-pass", model, block_settings(8)).report;
  const Report all_ways = machine.run(method, model, block_settings(8)).report;
  EXPECT_EQ(all_ways.steps, two_passes.steps);
  EXPECT_EQ(4 * all_ways.longest_sum, two_passes.longest_sum);
}

TEST(AllgatherTorus, IsRefusedWhereTheNextStricterRuleHolds) {
  EXPECT_EQ(broken_rule(method, "torus:3x3", model_of(PortModel::one_strict), block_settings(4)),
            ErrorKind::one_strict);
  expect_words_from(1, method, "torus:3x5");
}

TEST(AllgatherTorus, CatchesFaults) {
  for (const char* machine : {"torus:3x3", "torus:2x3"}) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      expect_catches_faults(method, machine, block_settings(5), model_of(ports));
    }
  }
  expect_catches_faults(method, "torus:3", block_settings(40));
}

TEST(AllgatherTorus, NeedsTheMemoryOfAllBlocksEverywhere) {
  const std::uint64_t gathered = 1024ULL * 1024 * 512 * 8;
  expect_bytes(method, "torus:32x32", block_settings(512), gathered, 2 * gathered);
  EXPECT_EQ(bytes_of(method, "torus:40000x40000", block_settings(most_words)), too_many_bytes);
}

}  // namespace
}  // namespace lockstep::allgather_torus_test
