// allgather/daisy-chain against Saad & Schultz (saad-schultz-1985.md, Daisy chain; saad-schultz-1988.md, Ring
// allgather, Torus daisy chains): S = k - 1, W = (k - 1) m, M = k (k - 1), V = k (k - 1) m on a ring through all k
// processors of whatever machine.
#include "method_run.hpp"

namespace lockstep {
namespace {

constexpr std::string_view daisy_chain = "allgather/daisy-chain";

SpecCounts spec_counts(std::uint64_t k, std::uint64_t m) {
  return {.steps = k - 1,
          .longest_sum = (k - 1) * m,
          .messages = k * (k - 1),
          .words = k * (k - 1) * m,
          .peak_words_held = k * m};
}

class DaisyChain : public testing::TestWithParam<std::string> {};

TEST_P(DaisyChain, GathersEverywhereWithTheCountsOfThePaper) {
  const BuiltMachine machine(GetParam());
  const std::uint64_t k = machine.spec.processors;
  for (const std::uint64_t m : {1U, 2U, 5U}) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      expect_run(machine, daisy_chain, model_of(ports), block_settings(m), spec_counts(k, m));
      if (k == 2) continue;  // both directions of one link
      expect_run(machine, daisy_chain, model_of(ports, Duplex::half_link), block_settings(m), spec_counts(k, m));
    }
  }
}

// Over k links all blocks but one pass; and no processor is ever early, as each waits for the one before it.
TEST_P(DaisyChain, UsesEveryLinkOfItsRingAlike) {
  const BuiltMachine machine(GetParam());
  const std::uint64_t k = machine.spec.processors;
  const Report report = machine.run(daisy_chain, model_of(PortModel::one), block_settings(3)).report;
  EXPECT_EQ(report.busiest_link_words, (k - 1) * 3);
  EXPECT_DOUBLE_EQ(report.time_asynchronous, report.time_synchronous);
}

TEST_P(DaisyChain, IsRefusedWhereAProcessorOnlySendsOrOnlyReceives) {
  if (parse_machine(GetParam()).processors == 1) return;
  EXPECT_EQ(broken_rule(daisy_chain, GetParam(), model_of(PortModel::one, Duplex::half_node)), ErrorKind::half_node);
}

TEST_P(DaisyChain, ChecksItsParameter) { expect_words_from(1, daisy_chain, GetParam()); }

INSTANTIATE_TEST_SUITE_P(Hypercubes, DaisyChain,
                         testing::Values("hypercube:0", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4",
                                         "hypercube:5", "hypercube:6"));
INSTANTIATE_TEST_SUITE_P(Rings, DaisyChain,
                         testing::Values("ring:1", "ring:2", "ring:3", "ring:4", "ring:5", "ring:8", "ring:37"));
INSTANTIATE_TEST_SUITE_P(Tori, DaisyChain,
                         testing::Values("torus:1x1", "torus:2x2", "torus:3x3", "torus:4x4", "torus:5x5", "torus:7x7"));

// Two processors share one link, over which both send at once; more need a second port.
TEST(DaisyChainModel, IsRefusedWhereTheNextStricterRuleHolds) {
  for (const std::string two : {"hypercube:1", "ring:2"}) {
    EXPECT_EQ(broken_rule(daisy_chain, two, model_of(PortModel::one, Duplex::half_link)), ErrorKind::half_link);
    EXPECT_EQ(broken_rule(daisy_chain, two, model_of(PortModel::one_strict)), std::nullopt);
  }
  for (const std::string more : {"hypercube:2", "ring:3", "torus:2x2"}) {
    EXPECT_EQ(broken_rule(daisy_chain, more, model_of(PortModel::one_strict)), ErrorKind::one_strict);
  }
}

TEST(DaisyChainModel, HasTheDefaultsOfItsSections) {
  for (const std::string_view family : {"hypercube", "ring", "torus"}) {
    expect_defaults(daisy_chain, family, PortModel::one);
  }
  EXPECT_THROW(find_method(daisy_chain, "complete"), InputError);
}

TEST(DaisyChainModel, IsBoundedAsThePaperSays) {
  const auto bound = [](const char* text, PortModel ports, Duplex duplex) {
    return lockstep::bound(daisy_chain, text, block_settings(2), model_of(ports, duplex));
  };
  EXPECT_EQ(bound("ring:1", PortModel::one, Duplex::full), Bound(0, 0));
  EXPECT_EQ(bound("ring:2", PortModel::all, Duplex::full), Bound(1, 2));
  EXPECT_EQ(bound("ring:9", PortModel::one, Duplex::full), Bound(4, 16));
  EXPECT_EQ(bound("ring:9", PortModel::one, Duplex::half_link), Bound(4, 16));
  // ceil((k-1)/2) steps and blocks with both directions in use (saad-schultz-1988.md, Ring allgather).
  EXPECT_EQ(bound("ring:9", PortModel::all, Duplex::full), Bound(4, 8));
  EXPECT_EQ(bound("ring:9", PortModel::all, Duplex::half_link), Bound(4, 16));
  EXPECT_EQ(bound("torus:6x6", PortModel::one, Duplex::full), Bound(6, 70));
  EXPECT_EQ(bound("hypercube:4", PortModel::one, Duplex::full), Bound(4, 30));
  EXPECT_EQ(bound("hypercube:4", PortModel::all, Duplex::full), Bound(4, 8));
}

TEST(DaisyChainFaults, AreCaught) {
  for (const std::string machine :
       {"hypercube:1", "hypercube:2", "hypercube:3", "ring:2", "ring:5", "torus:2x2", "torus:3x3"}) {
    expect_catches_faults(daisy_chain, machine, block_settings(2), model_of(PortModel::one));
  }
}

TEST(DaisyChainMemory, IsThatOfAllBlocksEverywhere) {
  const std::uint64_t on_ring = 1000ULL * 1000 * 512 * 8;
  expect_bytes(daisy_chain, "ring:1000", block_settings(512), on_ring, 2 * on_ring);
  const std::uint64_t on_cube = 1024ULL * 1024 * 8;
  expect_bytes(daisy_chain, "hypercube:10", block_settings(1), on_cube, 6 * on_cube);
  EXPECT_EQ(bytes_of(daisy_chain, "hypercube:31", block_settings(most_words)), too_many_bytes);
}

}  // namespace
}  // namespace lockstep
