// broadcast/sbt against Saad & Schultz 1985, Prop. 2.1 (saad-schultz-1985.md, Broadcast): S = n, W = n m, M = k - 1, V
// = (k - 1) m.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "../sanitized.hpp"
#include "built_machine.hpp"

namespace lockstep {
namespace {

constexpr std::string_view sbt = "broadcast/sbt";

// 0, its neighbour, the farthest from 0, and two more of the seed.
std::set<Rank> some_roots(Rank processors, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return {0, processors > 1 ? 1U : 0U, processors - 1, static_cast<Rank>(random() % processors),
          static_cast<Rank>(random() % processors)};
}

void expect_counts(const Report& report, std::uint64_t n, std::uint64_t m) {
  const std::uint64_t k = std::uint64_t{1} << n;
  EXPECT_EQ(report.steps, n);
  EXPECT_EQ(report.cycles, n);
  EXPECT_EQ(report.longest_sum, n * m);
  EXPECT_EQ(report.messages, k - 1);
  EXPECT_EQ(report.sends, k - 1);
  EXPECT_EQ(report.startups, k - 1);
  EXPECT_EQ(report.words, (k - 1) * m);
  EXPECT_EQ(report.busiest_link_words, n == 0 ? 0 : m);
  EXPECT_EQ(report.peak_words_held, m);
  // T = S beta + W tau; without a barrier no message is earlier, as the way to the farthest node has n hops.
  const double time = static_cast<double>(n) * 3 + static_cast<double>(n * m) * 0.5;
  EXPECT_DOUBLE_EQ(report.time_synchronous, time);
  EXPECT_DOUBLE_EQ(report.time_asynchronous, time);
}

class Sbt : public testing::TestWithParam<unsigned> {};

TEST_P(Sbt, reaches_all_with_the_counts_of_the_paper_in_every_model) {
  const unsigned n = GetParam();
  const BuiltMachine machine("hypercube:" + std::to_string(n));
  for (const Rank root : some_roots(machine.topology.processors(), n)) {
    for (const std::uint64_t words : {1U, 2U, 7U}) {
      for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
        for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
          SCOPED_TRACE("root " + std::to_string(root) + ", words " + std::to_string(words) + ", " +
                       std::string(name(ports)) + ", " + std::string(name(duplex)));
          const Outcome outcome = machine.run(sbt, model_of(ports, duplex), item_settings(words, root));
          EXPECT_EQ(outcome.wrong, "");
          expect_counts(outcome.report, n, words);
        }
      }
    }
  }
}

TEST_P(Sbt, predicts_the_counts_of_the_paper) {
  const std::uint64_t n = GetParam();
  const std::uint64_t k = std::uint64_t{1} << n;
  const MachineSpec spec = parse_machine("hypercube:" + std::to_string(n));
  const Method& method = find_method(sbt, spec.family);
  for (const std::uint64_t m : {1U, 2U, 7U}) {
    const Prediction predicted = method.predict(spec, method.defaults, item_settings(m, 0));
    EXPECT_EQ(predicted.steps.value().value, n);
    EXPECT_EQ(predicted.longest_sum.value().value, n * m);
    EXPECT_EQ(predicted.messages.value().value, k - 1);
    EXPECT_EQ(predicted.words.value().value, (k - 1) * m);
    EXPECT_EQ(predicted.message_words, m);
    EXPECT_TRUE(predicted.steps->exact && predicted.longest_sum->exact);
    EXPECT_TRUE(predicted.messages->exact && predicted.words->exact);
    // "n cycles is minimal with one port".
    EXPECT_EQ(method.lower_bound(spec, method.defaults, item_settings(m, 0)).steps, n);
  }
}

INSTANTIATE_TEST_SUITE_P(hypercubes, Sbt, testing::Range(0U, sanitized ? 9U : 13U));

// A word or more in every step, and the item through the links that a processor can receive on in one step.
TEST(Sbt, is_bounded_by_the_steps_and_by_what_a_processor_can_receive) {
  const auto longest_sum = [](const char* text, PortModel ports, std::uint64_t words) {
    const MachineSpec spec = parse_machine(text);
    return find_method(sbt, spec.family).lower_bound(spec, model_of(ports), item_settings(words, 0)).longest_sum;
  };
  for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
    EXPECT_EQ(longest_sum("hypercube:0", ports, 9), 0U);
    EXPECT_EQ(longest_sum("hypercube:1", ports, 9), 9U);
    EXPECT_EQ(longest_sum("hypercube:4", ports, 1), 4U);
    EXPECT_EQ(longest_sum("hypercube:4", ports, 5), 5U);
  }
  EXPECT_EQ(longest_sum("hypercube:0", PortModel::all, 9), 0U);
  EXPECT_EQ(longest_sum("hypercube:1", PortModel::all, 9), 9U);
  // A schedule that splits the item over both ports takes 3 here, less than the 4 words of the item.
  EXPECT_EQ(longest_sum("hypercube:2", PortModel::all, 4), 2U);
  EXPECT_EQ(longest_sum("hypercube:4", PortModel::all, 16), 4U);
  EXPECT_EQ(longest_sum("hypercube:4", PortModel::all, 17), 5U);
}

TEST(Sbt, has_the_defaults_of_its_section) {
  const Method& method = find_method(sbt, "hypercube");
  EXPECT_EQ(method.defaults.ports, PortModel::one);
  EXPECT_FALSE(method.defaults.multicast);
  EXPECT_EQ(method.defaults.duplex, Duplex::full);
  Settings settings;
  method.resolve(parse_machine("hypercube:3"), {}, settings);
  EXPECT_EQ(settings.words, 1U);
  EXPECT_EQ(settings.root, 0U);
}

TEST(Sbt, refuses_what_it_cannot_do) {
  EXPECT_EQ(refusal(sbt, "hypercube:3", item_settings(1, 8)), "--root 8 is out of range: 0 to 7");
  EXPECT_EQ(refusal(sbt, "hypercube:0", item_settings(1, 1)), "--root 1 is out of range: 0 to 0");
  EXPECT_EQ(refusal(sbt, "hypercube:3", item_settings(0, 0)), "--words 0 is out of range: 1 to 2147483648");
  EXPECT_EQ(refusal(sbt, "hypercube:3", item_settings(1, 7)), "");
  EXPECT_THROW(find_method(sbt, "rh"), InputError);
}

}  // namespace
}  // namespace lockstep
