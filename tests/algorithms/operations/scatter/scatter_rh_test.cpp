// scatter/tree and gather/tree against mukherjee.md, Scatter and gather: steps of the broadcast over the same tree, a
// message for every other node, words by depths, and longest sums that an independent program took from the tree.
#include <gtest/gtest.h>

#include <array>

#include "method_run.hpp"

namespace lockstep::scatter_rh_test {
namespace {

constexpr std::array tree_methods{"scatter/tree", "gather/tree"};

/// Of RH(k,n), with blocks of one word.
struct TreeCounts {
  std::uint64_t k;
  std::uint64_t n;
  std::uint64_t words;
  std::uint64_t steps_one;
  std::uint64_t sum_one;
  std::uint64_t steps_all;
  std::uint64_t sum_all;
};

constexpr TreeCounts table[] = {{0, 0, 1, 1, 1, 1, 1},
                                {1, 0, 4, 2, 3, 2, 3},
                                {2, 0, 12, 3, 7, 3, 7},
                                {3, 0, 36, 5, 19, 4, 17},
                                {4, 0, 100, 7, 47, 5, 39},
                                {5, 0, 260, 9, 107, 6, 85},
                                {6, 0, 644, 11, 231, 7, 179},
                                {7, 0, 1540, 13, 483, 8, 369},
                                {1, 1, 18, 5, 15, 5, 15},
                                {2, 1, 44, 6, 23, 6, 23},
                                {3, 1, 104, 7, 39, 7, 39},
                                {4, 1, 256, 9, 87, 8, 79},
                                {5, 1, 624, 11, 199, 9, 167},
                                {6, 1, 1488, 13, 439, 10, 351},
                                {7, 1, 3472, 15, 935, 11, 727},
                                {2, 2, 436, 13, 227, 12, 217},
                                {3, 2, 936, 14, 291, 13, 281},
                                {4, 2, 2000, 15, 419, 14, 409},
                                {5, 2, 4384, 17, 803, 15, 729},
                                {6, 2, 9664, 19, 1699, 16, 1433},
                                {3, 3, 42536, 33, 10982, 32, 10807},
                                {4, 3, 87120, 34, 13030, 33, 12855}};

std::string machine_of(const TreeCounts& one) { return "rh:" + std::to_string(one.k) + "," + std::to_string(one.n); }

class TreeOnRh : public testing::TestWithParam<const char*> {};

TEST_P(TreeOnRh, HasTheCountsOfTheSpec) {
  for (const TreeCounts& one : table) {
    const std::uint64_t nodes = std::uint64_t{1} << (one.k + (std::uint64_t{1} << one.n));
    if (sanitized && nodes > 256) continue;
    const BuiltMachine machine(machine_of(one));
    for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
      const bool all = ports == PortModel::all;
      for (const std::uint64_t w : {1U, 20U}) {
        Settings settings = block_settings(w);
        for (const std::uint64_t root : {std::uint64_t{0}, nodes / 3, nodes - 1}) {
          settings.root = root;
          expect_run(machine, GetParam(), model_of(ports), settings,
                     {.steps = all ? one.steps_all : one.steps_one,
                      .longest_sum = w * (all ? one.sum_all : one.sum_one),
                      .messages = nodes - 1,
                      .words = w * one.words});
          if (nodes > 512) break;
        }
      }
    }
  }
}

// V = w (L e(c) + 2^c E(n)), with one layer's E(n); S = B1(c) + T1(n), or c + T(n).
TEST_P(TreeOnRh, PredictsByLayersWhatIsTooLargeToRunHere) {
  const Method& entry = find_method(GetParam(), "rh");
  for (const auto& [k, n] : {std::pair<std::uint64_t, std::uint64_t>{20, 0}, {20, 1}, {15, 2}, {15, 3}}) {
    const MachineSpec spec = parse_machine("rh:" + std::to_string(k) + "," + std::to_string(n));
    constexpr std::uint64_t of_layer[] = {1, 18, 436, 42536};
    const std::uint64_t c = k - n;
    const std::uint64_t e = (2 * c - 3) * (std::uint64_t{1} << (c - 1)) + 2;
    const std::uint64_t L = std::uint64_t{1} << (n + (std::uint64_t{1} << n));
    const std::uint64_t one_stage[] = {1, 5, 13, 33};
    const std::uint64_t all_stage[] = {1, 5, 12, 32};
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      Settings settings = block_settings(1);
      const Model model = model_of(ports);
      entry.resolve(spec, model, settings);
      const std::uint64_t steps = ports == PortModel::one ? 2 * (c - 1) + one_stage[n] : c + all_stage[n];
      expect_predicted(
          entry.predict(spec, model, settings),
          {.steps = steps, .messages = spec.processors - 1, .words = L * e + (std::uint64_t{1} << c) * of_layer[n]});
    }
  }
}

TEST_P(TreeOnRh, HasTheBoundsOfTheSpec) {
  // RH(3,1): 32 processors, diameter 2 D + c = 6, 4 ports.
  EXPECT_EQ(bound(GetParam(), "rh:3,1", block_settings(2), model_of(PortModel::one)), Bound(6, 62));
  EXPECT_EQ(bound(GetParam(), "rh:3,1", block_settings(2), model_of(PortModel::all)), Bound(6, 16));
}

TEST_P(TreeOnRh, CatchesFaults) {
  for (const char* machine : {"rh:0,0", "rh:2,0", "rh:1,1", "rh:2,1"}) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      expect_catches_faults(GetParam(), machine, block_settings(2), model_of(ports));
    }
  }
}

TEST_P(TreeOnRh, HasTheParametersOfAll) {
  expect_words_from(1, GetParam(), "rh:2,1");
  expect_roots_to(15, GetParam(), "rh:2,1");
}

INSTANTIATE_TEST_SUITE_P(Both, TreeOnRh, testing::ValuesIn(tree_methods));

}  // namespace
}  // namespace lockstep::scatter_rh_test
