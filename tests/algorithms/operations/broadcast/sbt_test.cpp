// broadcast/sbt against Saad & Schultz 1985, Prop. 2.1 (saad-schultz-1985.md, Broadcast): S = n, W = n m, M = k - 1, V
// = (k - 1) m.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "method_run.hpp"

namespace lockstep::sbt_test {
namespace {

constexpr std::string_view sbt = "broadcast/sbt";

// 0, its neighbour, the farthest from 0, and two more of the seed.
std::set<Rank> some_roots(Rank processors, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return {0, processors > 1 ? 1U : 0U, processors - 1, static_cast<Rank>(random() % processors),
          static_cast<Rank>(random() % processors)};
}

SpecCounts counts(std::uint64_t n, std::uint64_t m) {
  const std::uint64_t k = std::uint64_t{1} << n;
  return {.steps = n,
          .longest_sum = n * m,
          .messages = k - 1,
          .words = (k - 1) * m,
          .peak_words_held = m,
          .busiest_link_words = n == 0 ? 0 : m,
          .message_words = m};
}

class Sbt : public testing::TestWithParam<unsigned> {};

TEST_P(Sbt, ReachesAllWithTheCountsOfThePaperInEveryModel) {
  const unsigned n = GetParam();
  const BuiltMachine machine(cube(n));
  for (const Rank root : some_roots(machine.topology.processors(), n)) {
    for (const std::uint64_t words : {1U, 2U, 7U}) {
      for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
        for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
          const Report report =
              expect_run(machine, sbt, model_of(ports, duplex), item_settings(words, root), counts(n, words));
          // Without a barrier no message is earlier, as the path to the farthest node has n hops.
          EXPECT_DOUBLE_EQ(report.time_asynchronous, report.time_synchronous);
        }
      }
    }
  }
}

TEST_P(Sbt, PredictsTheCountsOfThePaper) {
  const std::uint64_t n = GetParam();
  const BuiltMachine machine(cube(n));
  const Model& model = machine.method(sbt).defaults;
  for (const std::uint64_t m : {1U, 2U, 7U}) {
    expect_predicted(machine.predict(sbt, model, item_settings(m, 0)), counts(n, m));
    // "n cycles is minimal with one port".
    EXPECT_EQ(bound(sbt, machine.spec.text, item_settings(m, 0), model).first, n);
  }
}

INSTANTIATE_TEST_SUITE_P(Hypercubes, Sbt, testing::Range(0U, sanitized ? 9U : 13U));

// The words leave the root, one a cycle or one over every link, and the last of them takes the n steps of a broadcast.
TEST(Sbt, IsBoundedByWhatLeavesTheRootAndByTheStepsOfTheLastWord) {
  const auto longest_sum = [](const char* text, PortModel ports, std::uint64_t words) {
    return bound(sbt, text, item_settings(words, 0), model_of(ports)).second;
  };
  for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
    EXPECT_EQ(longest_sum("hypercube:0", ports, 9), 0U);
    EXPECT_EQ(longest_sum("hypercube:1", ports, 9), 9U);
    EXPECT_EQ(longest_sum("hypercube:4", ports, 1), 4U);
    EXPECT_EQ(longest_sum("hypercube:4", ports, 5), 5U - 1 + 4);
  }
  EXPECT_EQ(longest_sum("hypercube:0", PortModel::all, 9), 0U);
  EXPECT_EQ(longest_sum("hypercube:1", PortModel::all, 9), 9U);
  // A schedule that splits the item over both ports takes as many, less than the 4 words of the item.
  EXPECT_EQ(longest_sum("hypercube:2", PortModel::all, 4), 2U - 1 + 2);
  EXPECT_EQ(longest_sum("hypercube:4", PortModel::all, 16), 4U - 1 + 4);
  EXPECT_EQ(longest_sum("hypercube:4", PortModel::all, 17), 5U - 1 + 4);
}

TEST(Sbt, HasTheDefaultsOfItsSection) { expect_defaults(sbt, "hypercube", PortModel::one); }

TEST(Sbt, RefusesWhatItCannotDo) {
  expect_words_from(1, sbt, "hypercube:3");
  expect_roots_to(7, sbt, "hypercube:3");
  expect_roots_to(0, sbt, "hypercube:0");
  EXPECT_THROW(find_method(sbt, "rh"), InputError);
}

}  // namespace
}  // namespace lockstep::sbt_test
