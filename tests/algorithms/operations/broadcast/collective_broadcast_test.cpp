// Broadcasts and reductions of today's libraries against collectives.md (Broadcast; Reduce): steps S, messages M, total
// words and longest sums, for many numbers p of ranks and n of packets, and vectors that these divide or do not divide.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <map>
#include <random>

#include "lockstep/algorithms/operators.hpp"
#include "method_run.hpp"
#include "operations/broadcast/schedules.hpp"
#include "plans/tree/two_tree.hpp"

namespace lockstep::collective_broadcast_test {
namespace {

/// m words in n packets from or to that root.
Settings item(std::uint64_t m, std::uint64_t n, std::uint64_t root = 0) {
  Settings settings;
  settings.words = m;
  settings.packets = n;
  settings.root = root;
  return settings;
}

std::uint64_t log_ceil(std::uint64_t p) { return static_cast<std::uint64_t>(std::bit_width(p - 1)); }

std::uint64_t quotient(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// Counts of n packets of the m words: (p - 1) n messages, and, if n divides m, S m / n words of longest messages.
SpecCounts packets_in(std::uint64_t steps, std::uint64_t p, std::uint64_t m, std::uint64_t n) {
  SpecCounts counts{.steps = p == 1 ? 0 : steps, .messages = (p - 1) * n, .words = (p - 1) * m};
  if (m % n == 0) counts.longest_sum = *counts.steps * (m / n);
  return counts;
}

/// Runs it with n packets that divide the words or do not, and from several roots.
void expect_packets(const BuiltMachine& machine, std::string_view method, const Model& model, std::uint64_t steps,
                    std::uint64_t n) {
  const std::uint64_t p = machine.topology.processors();
  for (const std::uint64_t m : {n, 3 * n, 2 * n + n / 2, 3 * n - 1, n + 1}) {
    const Settings settings = item(m, n, (m + n) % p);
    expect_run(machine, method, model, settings, packets_in(steps, p, m, n));
  }
}

TEST(BroadcastCirculant, TakesTheStepsOfTheSpecForAnyRanksAndPackets) {
  for (std::uint64_t p = 1; p <= (sanitized ? 12 : 40); ++p) {
    const BuiltMachine machine((p % 2 == 0 ? "switch:" : "complete:") + std::to_string(p));
    for (const std::uint64_t n : {1U, 2U, 3U, 5U, 8U, 17U}) {
      expect_packets(machine, "broadcast/circulant", model_of(PortModel::one), n - 1 + log_ceil(p), n);
    }
  }
}

TEST(BroadcastCirculant, CatchesFaults) {
  expect_catches_faults("broadcast/circulant", "switch:7", item(9, 4, 2));
  expect_catches_faults("broadcast/circulant", "complete:5", item(5, 5));
}

// n + k steps with one port, ceil(n/k) + k with all; n with either on a cube of one dimension.
TEST(BroadcastMsbt, TakesTheStepsOfTheSpecOnCubes) {
  for (std::uint64_t k = 0; k <= (sanitized ? 4 : 6); ++k) {
    const BuiltMachine machine("hypercube:" + std::to_string(k));
    for (const std::uint64_t n : {1U, 2U, 3U, 4U, 5U, 7U, 12U, 17U}) {
      const std::uint64_t way = k > 1 ? k : 0;
      for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
        expect_packets(machine, "broadcast/msbt", model_of(ports), n + way, n);
      }
      expect_packets(machine, "broadcast/msbt", model_of(PortModel::all), k == 0 ? 0 : quotient(n, k) + way, n);
    }
  }
}

// Two turns a step, each with those senders whose addresses have an even or an odd number of ones: the root is alone in
// the first step; in the next the roots of the trees send, and it; on a square the corner opposite to it is the last.
TEST(BroadcastMsbt, TakesTwoTurnsAStepInHalfDuplex) {
  for (std::uint64_t k = 0; k <= (sanitized ? 4 : 6); ++k) {
    const BuiltMachine machine("hypercube:" + std::to_string(k));
    const auto turns = [&](std::uint64_t rounds) {  // in which packets leave the root
      if (k <= 1) return k * rounds;
      if (k == 2) return rounds == 1 ? 3 : 2 * rounds + 2;
      return rounds == 1 ? 2 * k : 2 * (rounds + k) - 1;
    };
    for (const std::uint64_t n : {1U, 2U, 3U, 4U, 5U, 7U, 12U, 17U}) {
      for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
        for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
          Model model = model_of(ports);
          model.duplex = duplex;
          const std::uint64_t rounds = ports == PortModel::all && k > 1 ? quotient(n, k) : n;
          expect_packets(machine, "broadcast/msbt", model, turns(rounds), n);
        }
      }
    }
  }
}

TEST(BroadcastMsbt, UsesEveryLinkForOneTree) {
  // One packet a tree: a link from one processor to another carries one word at most.
  for (std::uint64_t k = 2; k <= 6; ++k) {
    const BuiltMachine machine("hypercube:" + std::to_string(k));
    const std::uint64_t p = std::uint64_t{1} << k;
    expect_run(machine, "broadcast/msbt", model_of(PortModel::all), item(k, k, p - 2),
               {.steps = k + 1, .longest_sum = k + 1, .messages = (p - 1) * k, .words = (p - 1) * k});
  }
}

TEST(BroadcastMsbt, CatchesFaults) {
  expect_catches_faults("broadcast/msbt", "hypercube:3", item(11, 5, 6));
  expect_catches_faults("broadcast/msbt", "hypercube:3", item(7, 4, 1), model_of(PortModel::all));
}

/// By p, the c of n + c steps for an even number n of packets, typed from collectives.md: 2 h - 2 for p = 2^h.
std::map<std::uint64_t, std::uint64_t> two_tree_steps() {
  std::map<std::uint64_t, std::uint64_t> more{{1, 0},   {2, 0},   {32, 8},   {33, 9},
                                              {64, 10}, {65, 11}, {100, 11}, {128, 12}};
  const std::array from_three{2, 2, 3, 3, 4, 4, 5, 5, 6, 5, 5, 5, 6, 6, 7, 7, 8};
  for (std::size_t p = 3; p <= 19; ++p) more[p] = static_cast<std::uint64_t>(from_three.at(p - 3));
  return more;
}

TEST(BroadcastTwoTree, TakesTheStepsOfTheSpec) {
  for (const auto& [p, c] : two_tree_steps()) {
    if (sanitized && p > 20) continue;
    const BuiltMachine machine((p % 2 == 0 ? "switch:" : "complete:") + std::to_string(p));
    for (const std::uint64_t n : {2U, 4U, 6U, 16U}) {
      expect_packets(machine, "broadcast/two-tree", model_of(PortModel::one), n + c, n);
    }
    for (const std::uint64_t n : {1U, 3U, 5U, 17U}) {  // the steps are the predicted ones
      Settings settings = item(3 * n + 1, n, p / 2);
      const Report report = expect_run(machine, "broadcast/two-tree", model_of(PortModel::one), settings,
                                       {.messages = (p - 1) * n, .words = (p - 1) * (3 * n + 1)});
      EXPECT_LE(report.steps, p == 1 ? 0 : n + 1 + c);
    }
  }
}

TEST(BroadcastTwoTree, HasNoRankThatForwardsInBothTrees) {
  for (Rank p = 2; p < (sanitized ? 60 : 300); ++p) {
    const tree::TwoTree two(p);
    for (Rank rank = 1; rank < p; ++rank) {
      const bool one = two.children(0, rank)[0] != no_rank;
      const bool other = two.children(1, rank)[0] != no_rank;
      EXPECT_FALSE(one && other) << rank << " of " << p;
      // Arrivals over one tree alternate with those over the other.
      EXPECT_NE(two.arrival(0, rank) % 2, two.arrival(1, rank) % 2) << rank << " of " << p;
    }
  }
}

TEST(BroadcastTwoTree, RunsOnAnyNumberOfRanks) {
  for (std::uint64_t p = 1; p <= (sanitized ? 20 : 70); ++p) {
    const BuiltMachine machine("switch:" + std::to_string(p));
    for (const std::uint64_t n : {1U, 2U, 5U, 8U}) {
      expect_run(machine, "broadcast/two-tree", model_of(PortModel::one), item(2 * n, n, p - 1),
                 {.messages = (p - 1) * n, .words = (p - 1) * 2 * n, .message_words = 2});
    }
  }
}

TEST(BroadcastTwoTree, CatchesFaults) {
  expect_catches_faults("broadcast/two-tree", "switch:7", item(9, 4, 2));
  expect_catches_faults("broadcast/two-tree", "complete:6", item(5, 5));
}

/// Up both trees and down both: twice the counts of the broadcast.
void expect_all_reduced_in_packets(const BuiltMachine& machine, std::uint64_t c, std::uint64_t n) {
  const std::uint64_t p = machine.topology.processors();
  std::size_t turn = 0;
  const std::array names{"sum", "max", "xor", "and"};
  for (const std::uint64_t m : {n, 3 * n, 3 * n - 1, n + 1}) {
    SpecCounts counts = packets_in(n + c, p, m, n);
    for (auto* count : {&counts.steps, &counts.messages, &counts.words, &counts.longest_sum}) {
      if (*count) **count *= 2;
    }
    Settings settings = item(m, n);
    settings.root = {};
    settings.operator_name = names[turn++ % names.size()];
    expect_run(machine, "allreduce/two-tree", model_of(PortModel::one), settings, counts);
    expect_predicted(machine.predict("allreduce/two-tree", model_of(PortModel::one), settings), counts);
  }
}

TEST(AllreduceTwoTree, TakesTwiceTheStepsOfTheBroadcast) {
  for (const auto& [p, c] : two_tree_steps()) {
    if (sanitized && p > 20) continue;
    const BuiltMachine machine((p % 2 == 0 ? "switch:" : "complete:") + std::to_string(p));
    for (const std::uint64_t n : {2U, 4U, 16U}) expect_all_reduced_in_packets(machine, c, n);
  }
}

TEST(AllreduceTwoTree, RunsOnAnyNumberOfRanks) {
  for (std::uint64_t p = 1; p <= (sanitized ? 20 : 70); ++p) {
    const BuiltMachine machine("complete:" + std::to_string(p));
    for (const std::uint64_t n : {1U, 2U, 5U, 8U}) {
      Settings settings = item(2 * n, n);
      settings.root = {};
      expect_run(machine, "allreduce/two-tree", model_of(PortModel::one), settings,
                 {.messages = 2 * (p - 1) * n, .words = 2 * (p - 1) * 2 * n, .message_words = 2});
    }
  }
}

TEST(AllreduceTwoTree, CatchesFaults) {
  Settings settings = item(9, 4);
  settings.root = {};
  expect_catches_faults("allreduce/two-tree", "switch:7", settings);
  expect_catches_faults("allreduce/two-tree", "complete:6", settings);
}

TEST(BroadcastScatterAllgather, HasTheCountsOfTheSpec) {
  for (std::uint64_t p = 1; p <= (sanitized ? 9 : 34); ++p) {
    const BuiltMachine machine((p % 2 == 0 ? "switch:" : "complete:") + std::to_string(p));
    const std::uint64_t q = log_ceil(p);
    for (const std::uint64_t m : {std::uint64_t{1}, p, 3 * p, 2 * p + 1, 3 * p - 1}) {
      SpecCounts counts{.steps = q + p - 1, .messages = (p - 1) + p * (p - 1)};
      if (p == 1) counts.steps = 0;
      if (m % p == 0 && std::has_single_bit(p)) {
        counts.words = m * q / 2 + (p - 1) * m;
        counts.longest_sum = 2 * (m - m / p);
      } else if (m % p == 0) {
        // A rank receives the parts of all ranks with its offset and any bits below its lowest one bit.
        std::uint64_t scattered = 0;
        for (std::uint64_t offset = 1; offset < p; ++offset) {
          const std::uint64_t lowest = offset & (~offset + 1);
          scattered += std::min(lowest, p - offset);
        }
        counts.words = scattered * (m / p) + (p - 1) * m;
        counts.longest_sum = 2 * (m - m / p);
      }
      Settings settings;
      settings.words = m;
      settings.root = m % p;
      expect_run(machine, "broadcast/scatter-allgather", model_of(PortModel::one), settings, counts);
      expect_predicted(machine.predict("broadcast/scatter-allgather", model_of(PortModel::one), settings), counts);
    }
  }
}

/// The item in p parts, counted from the root, the first m mod p of which have one word more. The scatter takes part i
/// over the one bits of i; step d = .., 2, 1 of it has d to 2d - 1 as its longest message. In the allgather a run of
/// parts as long as there are ranks between two skips goes to every rank, or to a neighbour 1, 2, 4, .. ranks away.
SpecCounts scatter_and_doubling(std::uint64_t p, std::uint64_t m) {
  const auto size = [&](std::uint64_t part) { return m / p + (part % p < m % p ? 1 : 0); };
  const auto run = [&](std::uint64_t first, std::uint64_t count) {
    std::uint64_t words = 0;
    for (std::uint64_t i = 0; i < count; ++i) words += size(first + i);
    return words;
  };
  const std::uint64_t q = p == 1 ? 0 : log_ceil(p);
  SpecCounts counts{.steps = 2 * q, .longest_sum = 0, .messages = (p - 1) + p * q, .words = (p - 1) * m};
  for (std::uint64_t part = 1; part < p; ++part) {
    *counts.words += static_cast<std::uint64_t>(std::popcount(part)) * size(part);
  }
  for (std::uint64_t d = std::uint64_t{1} << q; (d /= 2) > 0;) {
    *counts.longest_sum += run(d, std::min(2 * d, p) - d);
  }
  for (std::uint64_t above = p; above > 1; above = quotient(above, 2)) {
    std::uint64_t longest = 0;
    for (std::uint64_t first = 0; first < p; ++first) {
      longest = std::max(longest, run(first, above - quotient(above, 2)));
    }
    *counts.longest_sum += longest;
  }
  return counts;
}

TEST(BroadcastScatterDoubling, HasTheCountsOfTheSpec) {
  for (std::uint64_t p = 1; p <= (sanitized ? 9 : 34); ++p) {
    const BuiltMachine machine((p % 2 == 0 ? "switch:" : "complete:") + std::to_string(p));
    for (const std::uint64_t m : {std::uint64_t{1}, p, 3 * p, 2 * p + 1, 3 * p - 1}) {
      expect_run(machine, "broadcast/scatter-doubling", model_of(PortModel::one), item_settings(m, m % p),
                 scatter_and_doubling(p, m));
    }
  }
}

TEST(BroadcastScatterDoubling, RunsFromEveryRootInEveryPortModelOnHypercubes) {
  for (std::uint64_t n = 0; n <= 4; ++n) {
    const BuiltMachine machine(cube(n));
    const std::uint64_t p = std::uint64_t{1} << n;
    for (std::uint64_t root = 0; root < p; ++root) {
      for (const std::uint64_t m : {p, 2 * p + 1}) {
        for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
          expect_run(machine, "broadcast/scatter-allgather", model_of(ports), item_settings(m, root),
                     scatter_and_doubling(p, m));
        }
      }
    }
  }
  EXPECT_EQ(&find_method("broadcast/scatter-doubling", "hypercube"),
            &find_method("broadcast/scatter-allgather", "hypercube"));
}

TEST(BroadcastScatterDoubling, CatchesFaults) {
  expect_catches_faults("broadcast/scatter-doubling", "switch:6", item_settings(9, 3));
  expect_catches_faults("broadcast/scatter-doubling", "complete:4", item_settings(4, 0));
  expect_catches_faults("broadcast/scatter-allgather", "hypercube:3", item_settings(9, 5));
}

TEST(BroadcastScatterAllgather, CatchesFaults) {
  Settings settings = block_settings(9);
  settings.root = 3;
  expect_catches_faults("broadcast/scatter-allgather", "switch:6", settings);
  expect_catches_faults("broadcast/scatter-allgather", "complete:4", block_settings(4));
}

/// The sum of distances between senders and receivers.
std::uint64_t distances_on_a_ring(const parts::PartSchedule& schedule, Rank p) {
  std::uint64_t sum = 0;
  for (Rank rank = 0; rank < p; ++rank) {
    for (Cycle step = 0; step < schedule.steps; ++step) {
      const Rank to = schedule.at(rank, step).to;
      if (to == no_rank) continue;
      const Rank apart = std::max(rank, to) - std::min(rank, to);
      sum += std::min(apart, p - apart);
    }
  }
  return sum;
}

// The summed distances on a ring between senders and receivers, against those of the binomial tree.
TEST(BroadcastBine, TakesDoublingsBetweenNearRanks) {
  const std::map<std::uint64_t, std::uint64_t> distances{{8, 9}, {16, 23}, {32, 57}, {64, 135}, {128, 313}};
  for (std::uint64_t q = 0; q <= 7; ++q) {
    const std::uint64_t p = std::uint64_t{1} << q;
    const BuiltMachine machine((q % 2 == 0 ? "switch:" : "complete:") + std::to_string(p));
    for (const std::uint64_t m : {1U, 6U}) {
      Settings settings = block_settings(m);
      settings.root = 5 % p;
      expect_run(machine, "broadcast/bine", model_of(PortModel::one), settings,
                 {.steps = q, .longest_sum = q * m, .messages = p - 1, .words = (p - 1) * m, .message_words = m});
    }
    if (!distances.contains(p)) continue;
    const auto rank_count = static_cast<Rank>(p);
    EXPECT_EQ(distances_on_a_ring(broadcast::bine(rank_count), rank_count), distances.at(p));
    EXPECT_EQ(distances_on_a_ring(broadcast::KNomial{rank_count, 2}.schedule(), rank_count), q * p / 2);
  }
  EXPECT_EQ(refusal("broadcast/bine", "switch:12", {}), "switch:12 has 12 processors; a power of two is needed");
}

// ceil(log_r p) steps with all ports; with one as many as the first round has receivers, and r - 1 for each other.
TEST(BroadcastKNomial, TakesRoundsOfTheRadix) {
  for (std::uint64_t p = 1; p <= (sanitized ? 17 : 40); ++p) {
    for (const std::uint64_t radix : {2U, 3U, 4U, 5U, 9U, 64U}) {
      std::uint64_t rounds = 0;
      std::uint64_t reached = 1;
      for (; reached < p; reached *= radix) ++rounds;
      const std::uint64_t in_turn = p == 1 ? 0 : (rounds - 1) * (radix - 1) + quotient(p, reached / radix) - 1;
      Settings settings = block_settings(3);
      settings.root = p / 3;
      settings.radix = radix;
      const auto counts = [&](std::uint64_t steps) {
        return SpecCounts{
            .steps = steps, .longest_sum = 3 * steps, .messages = p - 1, .words = 3 * (p - 1), .message_words = 3};
      };
      const BuiltMachine complete("complete:" + std::to_string(p));
      expect_run(complete, "broadcast/k-nomial", model_of(PortModel::all), settings, counts(rounds));
      expect_run(complete, "broadcast/k-nomial", model_of(PortModel::one), settings, counts(in_turn));
      expect_run(BuiltMachine("switch:" + std::to_string(p)), "broadcast/k-nomial", model_of(PortModel::one), settings,
                 counts(in_turn));
      if (radix == 2) {
        EXPECT_EQ(in_turn, log_ceil(p));
      }
    }
  }
  EXPECT_EQ(resolved("broadcast/k-nomial", "switch:9").radix, 2U);
  Settings settings;
  settings.radix = 1;
  EXPECT_EQ(refusal("broadcast/k-nomial", "switch:9", settings), "--radix 1 is out of range: 2 to 2147483648");
}

TEST(BroadcastChain, IsTheOneRoundAllRanks) {
  EXPECT_EQ(find_method("broadcast/chain", "switch").name, "broadcast/ring");
  for (std::uint64_t p = 1; p <= (sanitized ? 9 : 20); ++p) {
    for (const char* family : {"switch:", "complete:"}) {
      const BuiltMachine machine(family + std::to_string(p));
      for (const std::uint64_t n : {1U, 2U, 7U}) {
        expect_packets(machine, "broadcast/ring", model_of(PortModel::one), p + n - 2, n);
      }
    }
  }
}

// collectives.md: 64 processors, an even number n of packets.
TEST(CollectiveBroadcasts, CompareAsInTheSpecOn64Processors) {
  const BuiltMachine machine("switch:64");
  const BuiltMachine cube("hypercube:6");
  const Model model = model_of(PortModel::one);
  for (const std::uint64_t n : {2U, 8U, 20U}) {
    expect_run(machine, "broadcast/circulant", model, item(n, n), packets_in(n + 5, 64, n, n));
    expect_run(cube, "broadcast/msbt", model, item(n, n), packets_in(n + 6, 64, n, n));
    expect_run(machine, "broadcast/two-tree", model, item(n, n), packets_in(n + 10, 64, n, n));
    expect_run(machine, "broadcast/ring", model, item(n, n), packets_in(n + 62, 64, n, n));
  }
}

/// As above, for a reduction.
void expect_reduced_in_packets(const BuiltMachine& machine, std::string_view method, std::uint64_t steps,
                               std::uint64_t n) {
  const std::uint64_t p = machine.topology.processors();
  std::size_t turn = 0;
  const std::array names{"sum", "max", "xor", "and"};
  for (const std::uint64_t m : {n, 3 * n, 2 * n + n / 2, 3 * n - 1, n + 1}) {
    Settings settings = item(m, n, (m + n) % p);
    settings.operator_name = names[turn++ % names.size()];
    expect_run(machine, method, model_of(PortModel::one), settings, packets_in(steps, p, m, n));
  }
}

TEST(ReduceInReverse, TakesTheStepsOfTheSpecForAnyRanksAndPackets) {
  for (std::uint64_t p = 1; p <= (sanitized ? 9 : 33); ++p) {
    const BuiltMachine machine((p % 2 == 0 ? "switch:" : "complete:") + std::to_string(p));
    for (const std::uint64_t n : {1U, 2U, 3U, 5U, 8U, 17U}) {
      expect_reduced_in_packets(machine, "reduce/circulant", n - 1 + log_ceil(p), n);
      expect_reduced_in_packets(machine, "reduce/chain", p + n - 2, n);
    }
  }
}

TEST(ReduceBinomial, TakesDoublingsOfTheWholeVector) {
  for (std::uint64_t p = 1; p <= (sanitized ? 12 : 40); ++p) {
    for (const char* family : {"switch:", "complete:"}) {
      const BuiltMachine machine(family + std::to_string(p));
      for (const std::uint64_t m : {1U, 7U}) {
        Settings settings;
        settings.words = m;
        settings.root = (3 * m) % p;
        settings.operator_name = m == 1 ? "min" : "sum";
        const std::uint64_t q = log_ceil(p);
        expect_run(machine, "reduce/binomial", model_of(PortModel::one), settings,
                   {.steps = q, .longest_sum = q * m, .messages = p - 1, .words = (p - 1) * m, .message_words = m});
      }
    }
  }
}

/// The vector in 2^Q parts, part i with the words from floor(m i/2^Q) on: halves that are exchanged at distances
/// 2^(Q-1),
/// .., 1; then of every two runs of 1, 2, 4, .. parts the lower one goes up. r ranks send all of theirs first.
SpecCounts halved_and_gathered(std::uint64_t p, std::uint64_t m) {
  const std::uint64_t power = std::bit_floor(p);
  const std::uint64_t r = p - power;
  const auto run = [&](std::uint64_t first, std::uint64_t count) {
    return m * (first + count) / power - m * first / power;
  };
  SpecCounts counts{.steps = r > 0 ? 1 : 0, .longest_sum = r > 0 ? m : 0, .messages = r, .words = r * m};
  for (std::uint64_t count = 1; count < power; count *= 2) {
    std::uint64_t longest = 0;
    std::uint64_t longest_sent = 0;
    for (std::uint64_t first = 0; first < power; first += count) {
      // Both halves of 2 count parts: as many ranks give away each.
      longest = std::max(longest, run(first, count));
      *counts.words += count * run(first, count);
      if (first / count % 2 == 1) continue;
      longest_sent = std::max(longest_sent, run(first, count));
      *counts.words += run(first, count);
      ++*counts.messages;
    }
    *counts.steps += 2;
    *counts.messages += power;
    *counts.longest_sum += longest + longest_sent;
  }
  return counts;
}

TEST(ReduceRabenseifner, HasTheCountsOfTheSpec) {
  for (std::uint64_t p = 1; p <= (sanitized ? 9 : 34); ++p) {
    const BuiltMachine machine((p % 2 == 0 ? "switch:" : "complete:") + std::to_string(p));
    for (std::uint64_t root = 0; root < p; root += p < 10 ? 1 : p / 3) {
      for (const std::uint64_t m : {std::uint64_t{1}, 3 * p, 2 * p + 1, 3 * p - 1}) {
        Settings settings = item_settings(m, root);
        settings.operator_name = m == 1 ? "min" : "sum";
        expect_run(machine, "reduce/rabenseifner", model_of(PortModel::one), settings, halved_and_gathered(p, m));
      }
    }
  }
  // Where p divides m: 2 log2 p steps, p log2 p + p - 1 messages, (p - 1) m + m log2(p)/2 words, 2 m (1 - 1/p) longest.
  const SpecCounts eight = halved_and_gathered(8, 80);
  EXPECT_EQ(eight.steps, 6U);
  EXPECT_EQ(eight.messages, 31U);
  EXPECT_EQ(eight.words, 7U * 80 + 120);
  EXPECT_EQ(eight.longest_sum, 140U);
}

TEST(ReduceRabenseifner, RunsToEveryRootInEveryPortModelOnHypercubes) {
  for (std::uint64_t n = 0; n <= 4; ++n) {
    const BuiltMachine machine(cube(n));
    const std::uint64_t p = std::uint64_t{1} << n;
    for (std::uint64_t root = 0; root < p; ++root) {
      for (const std::uint64_t m : {p, 2 * p + 1}) {
        for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
          expect_run(machine, "reduce/rabenseifner", model_of(ports), item_settings(m, root),
                     halved_and_gathered(p, m));
        }
      }
    }
  }
}

TEST(ReduceInReverse, TakesEveryOperatorThatCommutes) {
  for (const char* method : {"reduce/binomial", "reduce/chain", "reduce/circulant", "reduce/rabenseifner"}) {
    const BuiltMachine machine("switch:11");
    for (const Operator& op : operators()) {
      SCOPED_TRACE(std::string(method) + ", " + std::string(op.name));
      Settings settings;
      settings.words = 5 * op.element_words;
      settings.root = 4;
      settings.operator_name = std::string(op.name);
      if (!op.commutative) {
        EXPECT_EQ(refusal(method, machine.spec.text, settings),
                  "--operator " + std::string(op.name) +
                      " does not commute, and operands are combined in another order than that of the ranks");
        continue;
      }
      EXPECT_EQ(machine.run(method, model_of(PortModel::one), settings).wrong, "");
      settings.type = "double";
      EXPECT_EQ(machine.run(method, model_of(PortModel::one), settings).wrong, "");
    }
  }
}

TEST(ReduceInReverse, CatchesFaults) {
  for (const char* name : {"sum", "min", "or"}) {
    Settings settings = item(9, 4, 2);
    settings.operator_name = name;
    expect_catches_faults("reduce/circulant", "switch:7", settings);
    expect_catches_faults("reduce/chain", "complete:5", settings);
    settings.packets.reset();
    expect_catches_faults("reduce/binomial", "complete:6", settings);
    expect_catches_faults("reduce/rabenseifner", "switch:6", settings);
    expect_catches_faults("reduce/rabenseifner", "hypercube:3", settings);
  }
}

TEST(CollectiveBroadcasts, AreBoundedByDoublingsAndTheRootsPort) {
  for (const char* method : {"broadcast/circulant", "broadcast/two-tree", "reduce/circulant", "reduce/chain"}) {
    EXPECT_EQ(bound(method, "switch:12", item(20, 5), model_of(PortModel::one)), Bound(4, 23)) << method;
    EXPECT_EQ(bound(method, "complete:12", item(20, 20), model_of(PortModel::one)), Bound(4, 23)) << method;
    EXPECT_EQ(bound(method, "switch:1", item(20, 5), model_of(PortModel::one)), Bound(0, 0)) << method;
    EXPECT_EQ(bound(method, "switch:2", item(1, 1), model_of(PortModel::one)), Bound(1, 1)) << method;
  }
}

}  // namespace
}  // namespace lockstep::collective_broadcast_test
