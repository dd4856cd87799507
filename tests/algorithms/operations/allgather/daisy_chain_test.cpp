// allgather/daisy-chain against Saad & Schultz (saad-schultz-1985.md, Daisy chain; saad-schultz-1988.md, Ring
// allgather, Torus daisy chains): S = k - 1, W = (k - 1) m, M = k (k - 1), V = k (k - 1) m on a ring through all k
// processors of any machine.
#include <algorithm>
#include <vector>

#include "method_run.hpp"

namespace lockstep::daisy_chain_test {
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

// All blocks but one cross each of the k links; no processor is early, as each waits for the one before it.
TEST_P(DaisyChain, UsesEveryLinkOfItsRingAlike) {
  const BuiltMachine machine(GetParam());
  const std::uint64_t k = machine.spec.processors;
  const Report report = machine.run(daisy_chain, model_of(PortModel::one), block_settings(3)).report;
  EXPECT_EQ(report.busiest_link_words, (k - 1) * 3);
  EXPECT_DOUBLE_EQ(report.time_asynchronous, report.time_synchronous);
}

/// Steps until every place holds all blocks, if blocks go round a ring of k and a place either sends or receives: place
/// u may send in step t if u - t is odd modulo k. Blocks leave in the order of arrival.
std::uint64_t plain_turns(std::uint64_t k) {
  std::vector<std::vector<std::uint64_t>> has(k);
  std::vector<std::size_t> sent(k);
  for (std::uint64_t place = 0; place < k; ++place) has[place].push_back(place);
  std::uint64_t step = 0;
  const auto is_done = [&] { return std::ranges::all_of(has, [&](const auto& blocks) { return blocks.size() == k; }); };
  for (; !is_done() && step < 4 * k; ++step) {
    std::vector<std::uint64_t> senders;
    for (std::uint64_t place = 0; place < k; ++place) {
      if ((place + 2 * k * k - step) % k % 2 == 1 && sent[place] < std::min<std::size_t>(has[place].size(), k - 1)) {
        senders.push_back(place);
      }
    }
    std::vector<std::pair<std::uint64_t, std::uint64_t>> moves;
    for (const std::uint64_t place : senders) {
      EXPECT_EQ(std::ranges::count(senders, (place + 1) % k), 0) << "place " << (place + 1) % k << " does both";
      moves.emplace_back((place + 1) % k, has[place][sent[place]++]);
    }
    for (const auto& [to, block] : moves) has[to].push_back(block);
  }
  for (std::vector<std::uint64_t>& blocks : has) {
    std::ranges::sort(blocks);
    for (std::uint64_t source = 0; source < k; ++source) EXPECT_EQ(blocks.at(source), source);
  }
  return step;
}

// saad-schultz-1988.md, Ring allgather, in turns: 2 (k - 1) steps if k is even, 2 k if it is odd; the bounds are met.
TEST_P(DaisyChain, TakesTurnsWhereAProcessorOnlySendsOrOnlyReceives) {
  const BuiltMachine machine(GetParam());
  const std::uint64_t k = machine.spec.processors;
  const std::uint64_t steps = k == 1 ? 0 : k % 2 == 0 ? 2 * (k - 1) : 2 * k;
  EXPECT_EQ(plain_turns(k), steps);
  for (const std::uint64_t m : {1U, 2U, 5U}) {
    SpecCounts counts = spec_counts(k, m);
    counts.steps = steps;
    counts.longest_sum = steps * m;
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      expect_run(machine, daisy_chain, model_of(ports, Duplex::half_node), block_settings(m), counts);
      if (k == 2) expect_run(machine, daisy_chain, model_of(ports, Duplex::half_link), block_settings(m), counts);
    }
    const auto bound =
        lockstep::bound(daisy_chain, GetParam(), block_settings(m), model_of(PortModel::one, Duplex::half_node));
    EXPECT_EQ(bound.second, std::max(*counts.longest_sum, std::uint64_t{bound.first}));
  }
}

TEST_P(DaisyChain, ChecksItsParameter) { expect_words_from(1, daisy_chain, GetParam()); }

INSTANTIATE_TEST_SUITE_P(Hypercubes, DaisyChain,
                         testing::Values("hypercube:0", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4",
                                         "hypercube:5", "hypercube:6"));
INSTANTIATE_TEST_SUITE_P(ReducedHypercubes, DaisyChain,
                         testing::Values("rh:0,0", "rh:1,0", "rh:1,1", "rh:2,0", "rh:2,1", "rh:3,1", "rh:2,2"));
INSTANTIATE_TEST_SUITE_P(Rings, DaisyChain,
                         testing::Values("ring:1", "ring:2", "ring:3", "ring:4", "ring:5", "ring:8", "ring:37"));
INSTANTIATE_TEST_SUITE_P(Tori, DaisyChain,
                         testing::Values("torus:1x1", "torus:2x2", "torus:3x3", "torus:4x4", "torus:5x5", "torus:7x7"));

// Two processors share one link, over which both send at once or one after the other; more processors need a second
// port.
TEST(DaisyChainModel, IsRefusedWhereTheNextStricterRuleHolds) {
  for (const std::string two : {"hypercube:1", "ring:2", "rh:0,0"}) {
    EXPECT_EQ(broken_rule(daisy_chain, two, model_of(PortModel::one, Duplex::half_link)), std::nullopt);
    EXPECT_EQ(broken_rule(daisy_chain, two, model_of(PortModel::one_strict)), std::nullopt);
  }
  for (const std::string more : {"hypercube:2", "ring:3", "torus:2x2", "rh:1,1"}) {
    EXPECT_EQ(broken_rule(daisy_chain, more, model_of(PortModel::one_strict)), ErrorKind::one_strict);
  }
}

TEST(DaisyChainModel, HasTheDefaultsOfItsSections) {
  for (const std::string_view family : {"hypercube", "ring", "torus", "rh"}) {
    expect_defaults(daisy_chain, family, PortModel::one);
  }
  EXPECT_THROW(find_method(daisy_chain, "complete"), InputError);
}

// A processor of a ring that receives one message a step can hear of 2 S in S steps, itself included.
TEST(DaisyChainModel, IsBoundedByWhatProcessorsCanReceive) {
  const auto bound = [](const char* text, PortModel ports, Duplex duplex) {
    return lockstep::bound(daisy_chain, text, block_settings(2), model_of(ports, duplex));
  };
  EXPECT_EQ(bound("ring:1", PortModel::one, Duplex::full), Bound(0, 0));
  EXPECT_EQ(bound("ring:2", PortModel::all, Duplex::full), Bound(1, 2));
  EXPECT_EQ(bound("ring:9", PortModel::one, Duplex::full), Bound(5, 16));
  EXPECT_EQ(bound("ring:9", PortModel::one, Duplex::half_link), Bound(5, 16));
  // ceil((k-1)/2) steps and blocks with both directions in use (saad-schultz-1988.md, Ring allgather).
  EXPECT_EQ(bound("ring:9", PortModel::all, Duplex::full), Bound(4, 8));
  EXPECT_EQ(bound("ring:9", PortModel::all, Duplex::half_link), Bound(4, 16));
  // Where processors take turns: half of them receive with one port, two thirds under the ring's rule. They know
  // all in the first step in which one can; the others, 5, 4 and 3 of them, need further steps.
  EXPECT_EQ(bound("ring:9", PortModel::one, Duplex::half_node), Bound(5 + 2, 36));
  EXPECT_EQ(bound("ring:8", PortModel::one, Duplex::half_node), Bound(4 + 1, 28));
  EXPECT_EQ(bound("ring:9", PortModel::ring, Duplex::full), Bound(5, 16));
  EXPECT_EQ(bound("ring:9", PortModel::ring, Duplex::half_node), Bound(5 + 1, 24));
  EXPECT_EQ(bound("torus:6x6", PortModel::one, Duplex::full), Bound(6, 70));
  EXPECT_EQ(bound("hypercube:4", PortModel::one, Duplex::full), Bound(4, 30));
  EXPECT_EQ(bound("hypercube:4", PortModel::all, Duplex::full), Bound(4, 8));
  // RH(2,1): 16 nodes of 3 links, 2 D + k - n = 5 links across.
  EXPECT_EQ(bound("rh:2,1", PortModel::one, Duplex::full), Bound(5, 30));
  EXPECT_EQ(bound("rh:2,1", PortModel::all, Duplex::full), Bound(5, 10));
}

TEST(DaisyChainFaults, AreCaught) {
  for (const std::string machine : {"hypercube:1", "hypercube:2", "hypercube:3", "ring:2", "ring:5", "torus:2x2",
                                    "torus:3x3", "rh:0,0", "rh:1,1"}) {
    expect_catches_faults(daisy_chain, machine, block_settings(2), model_of(PortModel::one));
    expect_catches_faults(daisy_chain, machine, block_settings(2), model_of(PortModel::one, Duplex::half_node));
  }
}

// Of every block an address and the handle of its message, 8 and 24 bytes, at every processor; its words three times in
// all: in a collection, in the message that goes round, and in the oracle.
TEST(DaisyChainMemory, IsThatOfEveryBlockOnceAndItsHandlesEverywhere) {
  const std::uint64_t on_ring = 1000ULL * 1000 * (8 + 24) + 3ULL * 1000 * 512 * 8;
  expect_bytes(daisy_chain, "ring:1000", block_settings(512), on_ring, on_ring + on_ring / 10);
  const std::uint64_t on_cube = 1024ULL * 1024 * (8 + 24);
  expect_bytes(daisy_chain, "hypercube:10", block_settings(1), on_cube, on_cube + on_cube / 10);
  EXPECT_EQ(bytes_of(daisy_chain, "hypercube:31", block_settings(most_words)), too_many_bytes);
}

}  // namespace
}  // namespace lockstep::daisy_chain_test
