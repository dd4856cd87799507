// send/disjoint-paths-balanced against all ways to share packets among paths (saad-schultz-1988.md, Ring paths).
#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <set>

#include "distances.hpp"
#include "send_run.hpp"

namespace lockstep::send_balanced_test {
namespace {

constexpr std::string_view disjoint = "send/disjoint-paths";
constexpr std::string_view balanced = "send/disjoint-paths-balanced";

// "If P <= k-2d all go the short way, S = P-1+d; otherwise S = ceil((P+k-2)/2), the long arc gets min(P, S-(k-d)+1)
// packets. W = S*w."
TEST(SendDisjointPathsBalanced, HasTheCountsOfTheSpec) {
  for (std::uint64_t k = 1; k <= 9; ++k) {
    const BuiltMachine machine("ring:" + std::to_string(k));
    const std::vector<Rank> distance = distances_from(machine.topology, 0);
    for (Rank to = 0; to < k; ++to) {
      const std::uint64_t d = distance[to];
      for (std::uint64_t packets = 1; packets <= 10; ++packets) {
        const std::uint64_t w = 2;
        Counts counts{};
        if (d > 0 && (k == 2 || packets <= k - 2 * d)) {
          counts = along_path(d, packets * w, packets);
        } else if (d > 0) {
          const std::uint64_t steps = (packets + k - 1) / 2;
          const std::uint64_t far = std::min(packets, steps - (k - d) + 1);
          const std::uint64_t hops = (packets - far) * d + far * (k - d);
          counts = {steps, steps * w, hops, hops * w};
        }
        expect_run(machine, balanced, PortModel::all, transfer(0, to, packets * w, packets), counts);
      }
    }
  }
}

// "This is the least S over all ways to share P packets": x over the short arc and P - x over the long one.
TEST(SendDisjointPathsBalanced, TakesTheLeastStepsOfAllWaysToShare) {
  for (std::uint64_t k = 3; k <= 12; ++k) {
    const MachineSpec spec = parse_machine("ring:" + std::to_string(k));
    const Method& method = find_method(balanced, "ring");
    for (std::uint64_t d = 1; d <= k / 2; ++d) {
      for (std::uint64_t packets = 1; packets <= 15; ++packets) {
        std::uint64_t least = std::min(d, k - d) + packets - 1;
        for (std::uint64_t x = 1; x < packets; ++x) {
          least = std::min(least, std::max(x - 1 + d, packets - x - 1 + k - d));
        }
        const Settings settings = transfer(0, static_cast<Rank>(d), packets, packets);
        EXPECT_EQ(method.predict(spec, method.defaults, settings).steps.value().value, least);
      }
    }
  }
}

/// Steps and the longest sum when path r gets packets of these sizes, in this order.
std::pair<std::uint64_t, std::uint64_t> along_ways(const std::vector<std::uint64_t>& lengths,
                                                   const std::vector<std::vector<std::uint64_t>>& sizes) {
  std::vector<std::uint64_t> longest;
  for (std::size_t way = 0; way < lengths.size(); ++way) {
    for (std::size_t packet = 0; packet < sizes[way].size(); ++packet) {
      longest.resize(std::max(longest.size(), packet + lengths[way]));
      for (std::size_t hop = 0; hop < lengths[way]; ++hop) {
        longest[packet + hop] = std::max(longest[packet + hop], sizes[way][packet]);
      }
    }
  }
  return {longest.size(), std::accumulate(longest.begin(), longest.end(), std::uint64_t{0})};
}

/// The fewest steps of all ways to share the given longer packets, which go first, and shorter ones; and the smallest
/// longest sum for any number of steps.
struct BestSharing {
  std::uint64_t steps = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t longest_sum = std::numeric_limits<std::uint64_t>::max();

  void look(const std::vector<std::uint64_t>& lengths, std::uint64_t size, std::uint64_t longer, std::uint64_t shorter,
            std::vector<std::vector<std::uint64_t>>& sizes) {
    const std::size_t way = sizes.size();
    if (way == lengths.size()) {
      if (longer + shorter > 0) return;
      const auto [taken, sum] = along_ways(lengths, sizes);
      steps = std::min(steps, taken);
      longest_sum = std::min(longest_sum, sum);
      return;
    }
    for (std::uint64_t first = 0; first <= longer; ++first) {
      for (std::uint64_t then = 0; then <= shorter; ++then) {
        std::vector<std::uint64_t>& here = sizes.emplace_back(first, size + 1);
        here.insert(here.end(), then, size);
        look(lengths, size, longer - first, shorter - then, sizes);
        sizes.pop_back();
      }
    }
  }
};

BestSharing best_sharing(const std::vector<std::uint64_t>& lengths, std::uint64_t words, std::uint64_t packets) {
  BestSharing best;
  std::vector<std::vector<std::uint64_t>> sizes;
  best.look(lengths, words / packets, words % packets, packets - words % packets, sizes);
  return best;
}

// Against all sharings: packets of equal and of unequal sizes, over all displacements.
TEST(SendDisjointPathsBalanced, TakesTheLeastOfAllWaysToShare) {
  for (const char* text : {"ring:3", "ring:8", "ring:9", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4",
                           "torus:3x3", "torus:4x4", "torus:5x5", "torus:6x6", "torus:3x7", "mesh:2x5"}) {
    const BuiltMachine machine(text);
    std::set<std::vector<std::uint64_t>> done;
    for (Rank to = 1; to < machine.topology.processors(); ++to) {
      const std::vector<std::uint64_t> lengths = lengths_of_ways(machine, to);
      if (!done.insert(lengths).second) continue;
      for (std::uint64_t packets = 1; packets <= (sanitized ? 5 : 9); ++packets) {
        for (const std::uint64_t words : {packets, 2 * packets + packets / 3, 3 * packets - 1}) {
          SCOPED_TRACE(std::string(text) + " to " + std::to_string(to) + ", words " + std::to_string(words) +
                       ", packets " + std::to_string(packets));
          const BestSharing best = best_sharing(lengths, words, packets);
          const Report report =
              expect_run(machine, balanced, model_of(PortModel::all, Duplex::half_link),
                         transfer(0, to, words, packets), {.steps = best.steps, .longest_sum = best.longest_sum});
          expect_predicted(machine.predict(balanced, model_of(PortModel::all), transfer(0, to, words, packets)),
                           counts_of(report));
        }
      }
    }
  }
}

/// The least steps in which packets arrive over paths in turns, and the least longest sum, of all ways to share them.
void share_in_turns(const std::vector<std::uint64_t>& lengths, std::size_t path, std::uint64_t left,
                    std::vector<std::uint64_t>& shares, std::uint64_t& least) {
  if (path + 1 < lengths.size()) {
    for (shares[path] = 0; shares[path] <= left; ++shares[path]) {
      share_in_turns(lengths, path + 1, left - shares[path], shares, least);
    }
    return;
  }
  shares[path] = left;
  std::uint64_t steps = 0;
  for (std::size_t each = 0; each < lengths.size(); ++each) {
    if (shares[each] == 0) continue;
    steps = std::max(steps, lengths[each] == 1 ? shares[each] : lengths[each] + 2 * (shares[each] - 1));
  }
  least = std::min(least, steps);
}

std::uint64_t least_steps_in_turns(const std::vector<std::uint64_t>& lengths, std::uint64_t packets) {
  std::vector<std::uint64_t> shares(lengths.size());
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  share_in_turns(lengths, 0, packets, shares, least);
  return packets == 0 ? 0 : least;
}

// With packets of unequal sizes, no sharing moves the longer ones in fewer steps than they take alone.
TEST(SendDisjointPathsBalanced, TakesTheLeastOfAllWaysToShareInTurns) {
  for (const char* text : {"ring:3", "ring:8", "ring:9", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4",
                           "torus:3x3", "torus:4x4", "torus:5x5", "torus:6x6"}) {
    const BuiltMachine machine(text);
    std::set<std::vector<std::uint64_t>> done;
    for (Rank to = 1; to < machine.topology.processors(); ++to) {
      const std::vector<std::uint64_t> lengths = lengths_of_ways(machine, to);
      if (!done.insert(lengths).second) continue;
      for (std::uint64_t P = 1; P <= (sanitized ? 5 : 11); ++P) {
        for (const std::uint64_t N : {P, 2 * P + P / 3, 3 * P - 1}) {
          const std::uint64_t steps = least_steps_in_turns(lengths, P);
          const std::uint64_t longest_sum = steps * (N / P) + least_steps_in_turns(lengths, N % P);
          SCOPED_TRACE(std::string(text) + " to " + std::to_string(to) + ", " + std::to_string(P) + " packets");
          const Model model = model_of(PortModel::all, Duplex::half_node);
          const Report report =
              expect_run(machine, balanced, model, transfer(0, to, N, P), {.steps = steps, .longest_sum = longest_sum});
          expect_predicted(machine.predict(balanced, model, transfer(0, to, N, P)), counts_of(report));
        }
      }
    }
  }
}

// The remark after (3.12): "sending more information over the shortest path of length one". Paths of 1, 3, 5 and 7
// hops: a path of L hops carries S + 1 - L packets in S steps, P <= 4 S + 4 - 16, so 16 packets take 7 steps: 7, 5, 3
// and 1.
TEST(SendDisjointPathsBalanced, SendsMoreOverTheShorterWays) {
  const BuiltMachine torus("torus:5x5");
  expect_run(torus, balanced, PortModel::all, transfer(0, 1, 32, 16), {7, 14, 7 + 15 + 15 + 7, 2 * 44});
  expect_run(torus, disjoint, PortModel::all, transfer(0, 1, 32, 4), {10, 20, 4 * 16, 2 * 64});
  // On the cube two packets more over each of the i short paths, "balanced" in saad-schultz-1985.md, Disjoint paths: S
  // = (P + 2 * 2 + 2 * 4 - 4) / 4.
  const BuiltMachine cube("hypercube:4");
  expect_run(cube, balanced, PortModel::all, transfer(0, 3, 12, 12), {5, 5, 2 * 4 * 2 + 2 * 2 * 4, 32});
}

}  // namespace
}  // namespace lockstep::send_balanced_test
