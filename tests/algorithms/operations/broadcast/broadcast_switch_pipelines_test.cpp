// Broadcasts in packets over a switch against Saad & Schultz 1988, (3.22), (3.24) and (3.25) (saad-schultz-1988.md,
// Switch; saad-schultz-1985.md, Packet counts).
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "lockstep/machines/omega.hpp"
#include "media_runs.hpp"

namespace lockstep::broadcast_switch_pipelines_test {
namespace {

using namespace media_runs;

constexpr std::string_view ring = "broadcast/ring";
constexpr std::string_view tree = "broadcast/tree";
constexpr std::string_view heap = "broadcast/tree-heap";

/// Words of packet p when N words are split into nu packets (saad-schultz-1985.md, Splitting).
std::uint64_t packet_words(std::uint64_t N, std::uint64_t nu, std::uint64_t p) { return N / nu + (p < N % nu ? 1 : 0); }

// saad-schultz-1985.md, Pipelines, on k-1 hops: S = nu + k - 2, W = (k-2) ceil(N/nu) + N, M = (k-1) nu, V = (k-1) N.
SpecCounts ring_counts(std::uint64_t k, std::uint64_t N, std::uint64_t nu) {
  if (k == 1) return nothing;
  return {nu + k - 2, (k - 2) * divided_up(N, nu) + N, (k - 1) * nu, (k - 1) * N};
}

/// The sum over the cycles of their longest packet, if packet p reaches a left child at depth d in cycle 2p + 2d - 1
/// and a right child in cycle 2p + 2d; node k of the tuned tree is a right child and as deep as the leaves are.
std::uint64_t longest_sum_of_tree(std::uint64_t k, std::uint64_t N, std::uint64_t nu, bool tuned) {
  std::map<std::uint64_t, std::uint64_t> longest;
  for (std::uint64_t node = 2; node <= k; ++node) {
    const auto depth = static_cast<std::uint64_t>(std::log2(static_cast<double>(node)));
    const bool added = tuned && node == k;
    for (std::uint64_t p = 0; p < nu; ++p) {
      const std::uint64_t cycle = 2 * p + 2 * (added ? depth - 1 : depth) - (node % 2 == 0 && !added ? 1 : 0);
      longest[cycle] = std::max(longest[cycle], packet_words(N, nu, p));
    }
  }
  std::uint64_t sum = 0;
  for (const auto& [cycle, words] : longest) sum += words;
  return sum;
}

// saad-schultz-1988.md, Switch: S = 2(nu-1) + 2D - [k = 2^D], D = floor(log2 k), or 2(nu-1) + 2(n-1) for the tuned
// tree; W = S N/nu if nu divides N; M = (k-1) nu, V = (k-1) N. Two processors are a pipeline of one hop.
SpecCounts tree_counts(std::uint64_t k, std::uint64_t N, std::uint64_t nu, bool tuned) {
  if (k <= 2) return ring_counts(k, N, nu);
  const std::uint64_t D = log2_up(k + 1) - 1;
  const bool power = k == std::uint64_t{1} << D;
  const std::uint64_t S = 2 * (nu - 1) + (tuned ? 2 * (D - 1) : 2 * D - (power ? 1 : 0));
  const std::uint64_t W = longest_sum_of_tree(k, N, nu, tuned);
  if (N % nu == 0) {
    EXPECT_EQ(W, S * N / nu);
  }
  return {S, W, (k - 1) * nu, (k - 1) * N};
}

using CountsOf = std::function<SpecCounts(std::uint64_t k, std::uint64_t N, std::uint64_t nu)>;

void expect_broadcasts(std::string_view method, const std::string& text, const std::set<Rank>& roots,
                       const CountsOf& counts) {
  const BuiltMachine machine(text);
  for (const Rank root : roots) {
    for (const auto& [N, nu] : {std::pair(1U, 1U), std::pair(6U, 1U), std::pair(6U, 3U), std::pair(7U, 2U),
                                std::pair(11U, 4U), std::pair(9U, 9U)}) {
      SCOPED_TRACE("packets " + std::to_string(nu));
      const Report report = expect_run(machine, method, model_of(PortModel::one), packet_settings(N, nu, root),
                                       counts(machine.spec.processors, N, nu));
      EXPECT_EQ(report.peak_words_held, N);
    }
  }
}

SpecCounts counts_of_tuned(std::uint64_t k, std::uint64_t N, std::uint64_t nu) { return tree_counts(k, N, nu, true); }
SpecCounts counts_of_heap(std::uint64_t k, std::uint64_t N, std::uint64_t nu) { return tree_counts(k, N, nu, false); }

TEST(BroadcastRingOverASwitch, HasTheCountsOfThePaper) {
  for (Rank k = 1; k <= 17; ++k) expect_broadcasts(ring, machine_text("switch", k), {0, k / 3, k - 1}, ring_counts);
}

TEST(BroadcastTree, HasTheCountsOfThePaper) {
  for (Rank k = 1; k <= 64; k *= 2) {
    expect_broadcasts(tree, machine_text("switch", k), {0, k / 3, k - 1}, counts_of_tuned);
  }
  for (Rank k = 1; k <= 33; ++k) {
    expect_broadcasts(heap, machine_text("switch", k), {0, k / 3, k - 1}, counts_of_heap);
  }
}

TEST(BroadcastsInPackets, PassNetworksFromEveryRoot) {
  for (const std::string& family : networks) {
    for (Rank k = 1; k <= 32; k *= 2) {
      const BuiltMachine machine(machine_text(family, k));
      for (Rank root = 0; root < k; ++root) {
        const Settings settings = packet_settings(5, 3, root);
        expect_run(machine, ring, model_of(PortModel::one), settings, ring_counts(k, 5, 3));
        if (family == "inverse-omega" || family == "indirect-cube") continue;
        expect_run(machine, tree, model_of(PortModel::one), settings, counts_of_tuned(k, 5, 3));
        expect_run(machine, heap, model_of(PortModel::one), settings, counts_of_heap(k, 5, 3));
      }
    }
  }
}

// Nodes v and v + 1 on lines 2i and 2i + 1 share the first element of an inverse Omega network and send to lines of one
// parity.
TEST(BroadcastTree, IsNotForNetworksThatBlockIt) {
  for (const std::string_view method : {tree, heap}) {
    for (const std::string_view family : {"inverse-omega", "indirect-cube"}) {
      EXPECT_THROW(find_method(method, family), InputError);
    }
  }
  for (Rank k = 8; k <= 64; k *= 2) {
    for (Rank root = 0; root < k; ++root) {
      std::vector<Crossing> to_left_children;
      for (Rank v = 1; 2 * v < k; ++v) to_left_children.push_back({(v - 1 + root) % k, (2 * v - 1 + root) % k});
      std::sort(to_left_children.begin(), to_left_children.end());
      EXPECT_TRUE(inverse_omega_blocking(k, to_left_children)) << k << " lines, root " << root;
      EXPECT_FALSE(omega_blocking(k, to_left_children)) << k << " lines, root " << root;
    }
  }
}

// On a switch both forms of half duplex mean that a processor either sends or receives (saad-schultz-1985.md,
// Pipelines).
TEST(BroadcastOnceRound, TakesTurnsInHalfDuplex) {
  for (const std::string family : {"switch", "omega"}) {
    for (std::uint64_t k = 1; k <= 16; k = family == "omega" ? 2 * k : k + 1) {
      const BuiltMachine machine(family + ":" + std::to_string(k));
      for (const auto& [N, nu] : {std::pair(1U, 1U), std::pair(5U, 3U), std::pair(8U, 4U)}) {
        SpecCounts counts{k - 1 + 2 * (nu - 1), (k - 3) * divided_up(N, nu) + 2 * N, (k - 1) * nu, (k - 1) * N};
        if (k == 2) counts = {nu, N, nu, N};
        if (k == 1) counts = nothing;
        for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
          expect_run(machine, ring, model_of(PortModel::one, duplex), packet_settings(N, nu, k / 2), counts);
        }
      }
    }
  }
}

TEST(BroadcastsInPackets, AreRefusedInHalfDuplex) {
  const Model half = model_of(PortModel::one, Duplex::half_link);
  for (const std::string method : {"broadcast/tree", "broadcast/tree-heap"}) {
    EXPECT_EQ(violation(method, "switch:8", half, packet_settings(4, 2, 0)),
              method +
                  ": cycle 2, rank 1, peer 0: received from there, but sent in the same cycle (duplex "
                  "half-link: either send or receive)");
  }
  // Either the root sends and the others receive, or there is one packet.
  EXPECT_EQ(violation(heap, "switch:3", half, packet_settings(4, 2, 0)), "");
  EXPECT_EQ(violation(tree, "switch:8", half, packet_settings(4, 1, 0)), "");
}

// saad-schultz-1985.md, Packet counts, with beta = 3 and tau = 1/2.
TEST(BroadcastsInPackets, TakeThePacketsOfSectionSeven) {
  const auto packets = [](std::string_view method, const std::string& text, std::uint64_t N) {
    return resolved(method, text, block_settings(N), model_of(PortModel::one)).packets.value();
  };
  // nu_opt = sqrt((L-1) N tau / beta), L = k-1.
  EXPECT_EQ(packets(ring, "switch:5", 32), 4U);
  EXPECT_EQ(packets(ring, "switch:2", 32), 1U);
  EXPECT_EQ(packets(ring, "switch:1", 32), 1U);
  EXPECT_EQ(packets(ring, "switch:1000", 5), 5U);
  // nu_opt = sqrt((n-2) N tau / beta): 4; sqrt(10), where 3 packets take 80 and 4 take 82.
  for (const auto& [method, text] :
       {std::pair(tree, "switch:16"), std::pair(heap, "switch:15"), std::pair(tree, "omega:16")}) {
    EXPECT_EQ(packets(method, text, 48), 4U);
    EXPECT_EQ(packets(method, text, 30), 3U);
    EXPECT_EQ(packets(method, text, 1), 1U);
  }
  for (const auto& [method, text] : {std::pair(tree, "switch:1"), std::pair(tree, "switch:2"),
                                     std::pair(tree, "switch:4"), std::pair(heap, "switch:3")}) {
    EXPECT_EQ(packets(method, text, 1000), 1U);
  }
}

// A word leaves the root a cycle, and the last takes log2 k.
TEST(BroadcastsInPackets, AreBoundedByDoublingAndByTheLastWord) {
  for (const std::string_view method : {ring, tree, heap}) {
    EXPECT_EQ(bound(method, "switch:1", block_settings(9), model_of(PortModel::one)), Bound(0, 0));
    EXPECT_EQ(bound(method, "switch:16", block_settings(9), model_of(PortModel::one)), Bound(4, 9 - 1 + 4));
  }
}

TEST(BroadcastsInPackets, CatchFaults) {
  for (const std::string_view method : {ring, tree, heap}) {
    for (const std::string machine : {"switch:2", "switch:4", "omega:8"}) {
      expect_catches_faults(method, machine, packet_settings(7, 3, 1));
    }
  }
}

TEST(BroadcastsInPackets, HaveDefaultsAndLimits) {
  for (const std::string_view method : {ring, tree, heap}) {
    SCOPED_TRACE(method);
    for (const std::string text : {"switch:8", "omega:8"}) {
      expect_defaults(method, parse_machine(text).family, PortModel::one);
      expect_words_from(1, method, text);
      expect_roots_to(7, method, text);
      EXPECT_EQ(resolved(method, text).packets, 1U);
      EXPECT_EQ(refusal(method, text, packet_settings(8, 9, 0)),
                "--packets 9 is out of range: 1 to 8, as every packet has at least one of the 8 words");
      EXPECT_EQ(refusal(method, text, packet_settings(8, 0, 0)),
                "--packets 0 is out of range: 1 to 8, as every packet has at least one of the 8 words");
    }
  }
  EXPECT_EQ(refusal(tree, "switch:6", packet_settings(8, 1, 0)), "switch:6 has 6 processors; a power of two is needed");
  EXPECT_EQ(refusal(heap, "switch:6", packet_settings(8, 1, 0)), "");
}

}  // namespace
}  // namespace lockstep::broadcast_switch_pipelines_test
