// alltoall/factor against dimakopoulos.md, Rings to Paths.
#include <gtest/gtest.h>

#include "total_exchange.hpp"

namespace lockstep::alltoall_factor_test {
namespace {

constexpr std::string_view factor = "alltoall/factor";

BuiltMachine machine_of(const std::string& family, std::uint64_t m) {
  return BuiltMachine(family + ":" + std::to_string(m));
}

class AlltoallFactor : public testing::TestWithParam<std::uint64_t> {};

TEST_P(AlltoallFactor, HasTheCountsOfARing) {
  const std::uint64_t m = GetParam();
  const std::uint64_t T = m * m / 4;  // floor
  for (const std::uint64_t b : {1, 3}) {
    const Report report = expect_total_exchange(factor, machine_of("ring", m), T, m * T, b);
    EXPECT_EQ(report.peak_words_held, (m - 1) * b);  // one message in transit a node
    // Every node sends in every step a block that has just arrived or its own: no clock is ahead.
    EXPECT_DOUBLE_EQ(report.time_asynchronous, report.time_synchronous);
  }
  expect_bound(factor, "ring:" + std::to_string(m), PortModel::one, T);
}

TEST_P(AlltoallFactor, HasTheCountsOfACompleteGraph) {
  const std::uint64_t m = GetParam();
  for (const std::uint64_t b : {1, 3}) {
    const Report report = expect_total_exchange(factor, machine_of("complete", m), m - 1, m * (m - 1), b);
    EXPECT_EQ(report.peak_words_held, (m - 1) * b);
    EXPECT_EQ(report.busiest_link_words, m == 1 ? 0 : b);
    EXPECT_DOUBLE_EQ(report.time_asynchronous, report.time_synchronous);
  }
  expect_bound(factor, "complete:" + std::to_string(m), PortModel::one, m - 1);
}

TEST_P(AlltoallFactor, HasTheCountsOfAPath) {
  const std::uint64_t m = GetParam();
  const std::uint64_t T = m == 1 ? 0 : (m * m + 1) / 2 - 1;  // ceil(m^2/2) - 1
  for (const std::uint64_t b : {1, 3}) {
    const Report report = expect_total_exchange(factor, machine_of("path", m), T, m * (m * m - 1) / 3, b);
    EXPECT_EQ(report.busiest_link_words, m / 2 * ((m + 1) / 2) * b);  // all blocks that cross the middle
  }
  // The tree bound: the load of a middle node.
  expect_bound(factor, "path:" + std::to_string(m), PortModel::one, T);
}

INSTANTIATE_TEST_SUITE_P(Nodes, AlltoallFactor, testing::Range(std::uint64_t{1}, std::uint64_t{41}));

TEST(AlltoallFactorRun, HasTheSameStepsWithAllPorts) {
  for (const auto& [text, T] : {std::pair("ring:7", 12U), std::pair("complete:6", 5U), std::pair("path:6", 17U)}) {
    SCOPED_TRACE(text);
    expect_run(BuiltMachine(text), factor, model_of(PortModel::all), block_settings(2), {.steps = T});
  }
}

// S_G over the directed links: 30/10, 8*16/16, 42/42, 70/10, and nothing to do.
TEST(AlltoallFactorRun, IsBoundedByTheLinksWhereAllPortsMayWork) {
  expect_bound(factor, "ring:5", PortModel::all, 3);
  expect_bound(factor, "ring:8", PortModel::all, 8);
  expect_bound(factor, "complete:7", PortModel::all, 1);
  expect_bound(factor, "path:6", PortModel::all, 9);  // 3 * 3 pairs cross the middle
  expect_bound(factor, "path:1", PortModel::all, 0);
}

TEST(AlltoallFactorRun, ChargesStartUpsByPackets) {
  Model model = model_of(PortModel::one);
  model.cost.max_packet_words = 4;
  const Report report = BuiltMachine("ring:5").run(factor, model, block_settings(10)).report;
  EXPECT_EQ(report.startups, 30U * 3);                                // ceil(10/4) each
  EXPECT_DOUBLE_EQ(report.time_synchronous, 6 * (3 * 3 + 10 * 0.5));  // T (ceil(b/B_m) beta + b tau)
}

TEST(AlltoallFactorRun, SaysWhichBlockIsWrong) {
  const auto wrong = [](Fault fault) {
    return BuiltMachine("complete:5").run(factor, model_of(PortModel::one), block_settings(3), fault).wrong;
  };
  // Message 0 is the block of 0 for 1, message 6 that of 1 for 3.
  EXPECT_EQ(wrong({FaultKind::corrupt, 0}), "rank 1 holds 3 words of the 3 from rank 0, the first 1 right");
  EXPECT_EQ(wrong({FaultKind::corrupt, 6}), "rank 3 holds 3 words of the 3 from rank 1, the first 1 right");
  EXPECT_EQ(wrong({FaultKind::swap, 6}), "rank 3 holds 3 words of the 3 from rank 1, the first 0 right");
}

TEST(AlltoallFactorRun, NamesWhatBreaksAModelThatDoesNotFit) {
  // Every node sends to the next higher one.
  EXPECT_EQ(violation(factor, "ring:5", model_of(PortModel::one, Duplex::half_node)),
            "alltoall/factor: cycle 0, rank 0, port 1: received there, but sent on port 0 in the same cycle (duplex "
            "half-node: either send or receive)");
  EXPECT_EQ(
      violation(factor, "ring:5", model_of(PortModel::one_strict)),
      "alltoall/factor: cycle 0, rank 0, port 1: received there, but sent on port 0 in the same cycle (port model "
      "one-strict: both on one port)");
  // The first step goes from i to i + 1, which is port 0 of 0; from 3 to 0 it arrives on port 2.
  EXPECT_EQ(
      violation(factor, "complete:4", model_of(PortModel::one_strict)),
      "alltoall/factor: cycle 0, rank 0, port 2: received there, but sent on port 0 in the same cycle (port model "
      "one-strict: both on one port)");
  // The exchange of the middle nodes is legal; then 1 sends to 2 while 0 sends to 1.
  EXPECT_EQ(
      violation(factor, "path:4", model_of(PortModel::one_strict)),
      "alltoall/factor: cycle 1, rank 1, port 1: received there, but sent on port 0 in the same cycle (port model "
      "one-strict: both on one port)");
  EXPECT_EQ(violation(factor, "path:4", model_of(PortModel::one, Duplex::half_link)),
            "alltoall/factor: cycle 0, rank 1, port 0: sent and received over one link in one cycle (duplex "
            "half-link: one direction a cycle)");
}

TEST(AlltoallFactorRun, HasDefaultsAndLimits) {
  const Method& method = find_method(factor, "ring");
  expect_defaults(factor, "ring", PortModel::one);
  EXPECT_EQ(&method, &find_method(factor, "path"));
  EXPECT_EQ(&method, &find_method(factor, "complete"));
  expect_words_from(1, factor, "ring:3");
  EXPECT_THROW(find_method(factor, "rh"), InputError);
}

TEST(AlltoallFactorRun, NeedsMemoryForAllPairs) {
  for (const char* text : {"ring:1000", "path:1000", "complete:1000"}) {
    expect_bytes(factor, text, block_settings(100), 1000U * 1000 * 100 * 8, 1000U * 1000 * (100 * 8 + 250));
  }
  EXPECT_EQ(bytes_of(factor, "ring:4000000000", block_settings(2147483648)), too_many_bytes);
}

}  // namespace
}  // namespace lockstep::alltoall_factor_test
