// The gathers of Johnsson & Ho (johnsson-ho.md, Gather): sbnt, rotated-sbt and rotated-sbt-halving, with n trees and
// with fewer. Every run is compared with a walk of each part of each block up its tree, link by link.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "arithmetic.hpp"
#include "data_directory.hpp"
#include "method_run.hpp"

namespace lockstep::gather_trees_test {
namespace {

constexpr std::string_view balanced = "gather/sbnt";
constexpr std::string_view breadth = "gather/rotated-sbt";
constexpr std::string_view halving = "gather/rotated-sbt-halving";

/// Words that cross each link, given by its two ends, in each cycle.
using Traffic = std::vector<std::map<std::pair<Rank, Rank>, std::uint64_t>>;

Settings tree_settings(std::uint64_t words, std::uint64_t root, std::optional<std::uint64_t> trees = {}) {
  Settings settings = item_settings(words, root);
  settings.trees = trees;
  return settings;
}

/// The dimensions from `first` on, cyclically.
std::vector<unsigned> turned_order(unsigned n, unsigned first) {
  std::vector<unsigned> order;
  for (unsigned place = 0; place < n; ++place) order.push_back((first + place) % n);
  return order;
}

/// The right rotation of c, of n bits, that gives the smallest number.
unsigned base_of(unsigned n, Rank c) {
  std::string bits;
  for (unsigned d = n; d-- > 0;) bits += (c >> d & 1U) != 0 ? '1' : '0';
  std::string least = bits;
  unsigned base = 0;
  for (unsigned turn = 1; turn < n; ++turn) {
    std::rotate(bits.begin(), bits.end() - 1, bits.end());
    if (bits < least) {
      least = bits;
      base = turn;
    }
  }
  return base;
}

/// A part of the block at root xor c: it goes back over the dimensions of c, the last of the order first, in the cycle
/// when(place in the order, links crossed).
template <class When>
void walk(Traffic& traffic, Rank root, Rank c, const std::vector<unsigned>& order, std::uint64_t words,
          const When& when) {
  Rank at = root ^ c;
  unsigned crossed = 0;
  for (auto place = static_cast<unsigned>(order.size()); place-- > 0;) {
    if ((c >> order[place] & 1U) == 0) continue;
    const Rank next = at ^ Rank { 1 } << order[place];
    traffic.at(when(place, crossed++))[{at, next}] += words;
    at = next;
  }
  ASSERT_EQ(at, root);
}

Traffic traffic_of(std::string_view method, unsigned n, const Settings& settings) {
  Traffic traffic(n);
  const Rank root = root_of(settings);
  const std::uint64_t D = *settings.words;
  const std::uint64_t K = method == balanced ? 1 : settings.trees.value_or(std::max(n, 1U));
  for (Rank c = 1; c < Rank{1} << n; ++c) {
    for (std::uint64_t tree = 0; tree < K; ++tree) {
      const std::uint64_t words = D / K + (tree < D % K ? 1 : 0);
      const auto first = method == balanced ? base_of(n, c) : static_cast<unsigned>(tree * n / K);
      walk(traffic, root, c, turned_order(n, first), words,
           [&](unsigned place, unsigned crossed) { return method == halving ? n - 1 - place : crossed; });
    }
  }
  return traffic;
}

/// Runs the method and compares every cycle with the walks.
Report expect_gather(std::string_view method, unsigned n, const Settings& settings) {
  const BuiltMachine machine(cube(n));
  const std::uint64_t N = std::uint64_t{1} << n;
  const Traffic traffic = traffic_of(method, n, settings);
  Lengths longest;
  std::uint64_t messages = 0;
  for (const auto& links : traffic) {
    std::uint64_t most = 0;
    for (const auto& [ends, words] : links) most = std::max(most, words);
    longest.push_back(most);
    messages += links.size();
  }
  const SpecCounts counts{.steps = n,
                          .messages = messages,
                          .words = *settings.words * n * N / 2,
                          .peak_words_held = *settings.words * N,
                          .longest = longest};
  Report report = expect_run(machine, method, model_of(PortModel::all), settings, counts);
  SpecCounts predicted = counts;
  predicted.peak_words_held = {};
  expect_predicted(machine.predict(method, model_of(PortModel::all), settings), predicted);
  return report;
}

TEST(GatherTrees, MoveAsTheWalksDo) {
  for (unsigned n = 0; n <= 7; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const std::uint64_t root : {std::uint64_t{0}, N / 3, N - 1}) {
      for (const std::uint64_t D : {1U, 3U}) expect_gather(balanced, n, tree_settings(D, root));
      for (const std::string_view method : {breadth, halving}) {
        for (const std::uint64_t D : {n, n + 1, 2 * n}) {
          if (D > 0) expect_gather(method, n, tree_settings(D, root));
        }
      }
    }
  }
}

TEST(GatherTrees, MoveAsTheWalksDoOnFewerTrees) {
  for (unsigned n = 2; n <= 6; ++n) {
    for (unsigned K = 1; K <= n; ++K) {
      if (n % K != 0 && K != 2) continue;
      for (const std::uint64_t D : {K, 2 * K + 1}) {
        for (const std::string_view method : {breadth, halving}) expect_gather(method, n, tree_settings(D, 1, K));
      }
    }
  }
}

// (N-1) D/n words in the longest messages, the least that the root's n links must carry; n (N-1) messages.
TEST(GatherTrees, RotatedMeetTheBoundWhereBlocksDivide) {
  for (unsigned n = 1; n <= 8; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const std::string_view method : {breadth, halving}) {
      const Report report = expect_gather(method, n, tree_settings(2 * n, 1));
      EXPECT_EQ(report.longest_sum, (N - 1) * 2);
      EXPECT_EQ(report.messages, n * (N - 1));
      EXPECT_EQ(bound(method, cube(n), tree_settings(2 * n, 1), model_of(PortModel::all)),
                Bound(n, std::max<std::uint64_t>((N - 1) * 2, n)));
    }
  }
}

// (necklaces(n) - 1) D: 13 words on the 6-cube, where gather/sbt has 63, and no gather fewer than 11.
TEST(GatherTrees, BalancedTakesANecklaceEach) {
  const std::vector<std::uint64_t> necklaces{1, 2, 3, 4, 6, 8, 14, 20, 36};
  for (unsigned n = 0; n <= 8; ++n) {
    EXPECT_EQ(expect_gather(balanced, n, tree_settings(1, 0)).longest_sum, necklaces[n] - 1);
  }
  EXPECT_EQ(bound(balanced, "hypercube:6", {}, model_of(PortModel::all)), Bound(6, 11));
}

TEST(GatherTrees, HaveDefaultsAndRefuseWhatDoesNotFit) {
  EXPECT_EQ(resolved(breadth, "hypercube:6").words, 6U);
  EXPECT_EQ(resolved(halving, "hypercube:6").trees, 6U);
  EXPECT_EQ(resolved(balanced, "hypercube:6").words, 1U);
  for (const std::string_view method : {balanced, breadth, halving}) {
    expect_defaults(method, "hypercube", PortModel::all);
    expect_roots_to(15, method, "hypercube:4");
    EXPECT_NE(violation(method, "hypercube:3", model_of(PortModel::one)), "") << method;
    EXPECT_EQ(violation(method, "hypercube:3", model_of(PortModel::all, Duplex::half_link)), "") << method;
  }
  EXPECT_EQ(refusal(breadth, "hypercube:6", tree_settings(9, 0, 4)),
            "--trees 4 does not fit hypercube:6: 1, 2, 3 or 6 would");
  EXPECT_EQ(refusal(halving, "hypercube:5", tree_settings(4, 0)),
            "blocks of 4 words cannot be divided among 5 trees: 5 words are the least that would fit");
}

TEST(GatherTrees, CatchEveryFault) {
  expect_catches_faults(balanced, "hypercube:4", tree_settings(2, 5));
  for (const std::string_view method : {breadth, halving}) {
    expect_catches_faults(method, "hypercube:3", tree_settings(4, 5));
    expect_catches_faults(method, "hypercube:4", tree_settings(3, 9, 2));
  }
}

class GatherTreeFiles : public DataDirectory {};

TEST_F(GatherTreeFiles, ComeOutAsTheyWentIn) {
  const std::string numbers = "1\n-2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n9223372036854775807\n";
  Settings settings;
  settings.root = 2;
  settings.input = file("in.txt", numbers);
  settings.output = path("out.txt");
  for (const std::string_view method : {balanced, breadth, halving}) {
    const BuiltMachine machine("hypercube:2");
    EXPECT_EQ(machine.run(method, machine.method(method).defaults, settings).wrong, "");
    EXPECT_EQ(text_of(path("out.txt")), numbers) << method;
    std::filesystem::remove(path("out.txt"));
  }
}

}  // namespace
}  // namespace lockstep::gather_trees_test
