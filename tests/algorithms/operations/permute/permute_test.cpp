// The permutations of johnsson-ho.md, Permutations. Destinations are computed here on the letters of addresses, without
// bit arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "arithmetic.hpp"
#include "data_directory.hpp"
#include "operations/permute/bit_swaps.hpp"
#include "recorded_run.hpp"

namespace lockstep::permute_test {
namespace {

using Delta = permute::DimensionPermutation;
using Destination = std::function<Rank(Rank)>;

constexpr PortModel port_models[] = {PortModel::one, PortModel::one_strict, PortModel::all};
constexpr Duplex duplexes[] = {Duplex::full, Duplex::half_link, Duplex::half_node};

/// The counts of a run in johnsson-ho.md, Permutations.
struct Counts {
  std::uint64_t steps;
  std::uint64_t messages;
  std::uint64_t words;
  std::vector<std::uint64_t> longest;  ///< of every step
};

/// Runs the method and expects these counts, also as predictions, and that every message carries a block to
/// destination(its origin), if given. The bound on the steps must be the largest distance.
void expect_permutation(std::string_view name, std::uint64_t n, const Model& model, Settings settings,
                        const Counts& counts, const Destination& destination) {
  const BuiltMachine machine(cube(n));
  const Method& method = machine.method(name);
  method.resolve(machine.spec, model, settings);
  const RecordedRun run(machine, model, settings);
  const Outcome outcome = method.run(run.request());
  const Report& report = outcome.report;
  const Prediction predicted = method.predict(machine.spec, model, settings);
  EXPECT_EQ(outcome.wrong, "");
  const SpecCounts spec{
      .steps = counts.steps, .messages = counts.messages, .words = counts.words, .longest = counts.longest};
  expect_counts(report, spec, model.cost);
  expect_predicted(predicted, spec);
  expect_kept(predicted, report, model.cost);
  if (predicted.asynchronous) {
    EXPECT_DOUBLE_EQ(report.time_asynchronous, predicted.asynchronous->value);
  }

  if (!destination) return;
  std::uint64_t largest = 0;
  for (Rank x = 0; x < machine.topology.processors(); ++x) largest = std::max(largest, distance(x, destination(x)));
  const auto [steps, longest_sum] = bound(name, cube(n), settings, model);
  EXPECT_EQ(steps, largest);
  EXPECT_LE(longest_sum, report.longest_sum);
  for (const auto& step : run.log().schedule.steps) {
    for (const Move& move : step) ASSERT_EQ(move.destination, destination(move.origin));
  }
}

/// Counts of `swaps` swaps: two steps each, in which half of the processors send K words.
Counts counts_of_swaps(std::uint64_t n, std::uint64_t swaps, std::uint64_t K) {
  const std::uint64_t N = std::uint64_t{1} << n;
  return {2 * swaps, swaps * N, swaps * N * K, std::vector<std::uint64_t>(2 * swaps, K)};
}

Rank backwards(Rank x, std::uint64_t n) {
  std::string letters = letters_of(x, n);
  std::reverse(letters.begin(), letters.end());
  return rank_of(letters);
}

TEST(PermuteBitReversal, HasTheCountsOfTheSpec) {
  for (std::uint64_t n = 0; n <= 8; ++n) {
    for (const PortModel ports : port_models) {
      for (const Duplex duplex : duplexes) {
        for (const std::uint64_t K : {1U, 3U}) {
          SCOPED_TRACE(cube(n) + ", K " + std::to_string(K));
          expect_permutation("permute/bit-reversal", n, model_of(ports, duplex), block_settings(K),
                             counts_of_swaps(n, n / 2, K), [=](Rank x) { return backwards(x, n); });
        }
      }
    }
  }
}

TEST(PermuteBitReversalPipelined, HasTheCountsOfTheSpec) {
  for (std::uint64_t n = 0; n <= 8; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const std::uint64_t K : {1U, 4U, 7U, 12U}) {
      for (const std::uint64_t B : {1U, 3U, 5U, 12U}) {
        if (B > K) continue;
        SCOPED_TRACE(cube(n) + ", K " + std::to_string(K) + ", B " + std::to_string(B));
        const std::uint64_t packets = divided_up(K, B);
        const std::uint64_t steps = n < 2 ? 0 : packets + 2 * (n / 2) - 1;
        std::vector<std::uint64_t> longest(steps, B);
        if (steps > 0) longest.back() = K - (packets - 1) * B;
        Settings settings = block_settings(K);
        settings.packet_words = B;
        expect_permutation("permute/bit-reversal-pipelined", n, model_of(PortModel::all), settings,
                           {steps, packets * (n / 2) * N, n / 2 * N * K, longest},
                           [=](Rank x) { return backwards(x, n); });
      }
    }
  }
}

TEST(PermuteBitReversalPipelined, NeedsAllPorts) {
  Settings settings = block_settings(2);
  settings.packet_words = 1;
  EXPECT_NE(violation("permute/bit-reversal-pipelined", "hypercube:2", model_of(PortModel::one_strict), settings), "");
  EXPECT_NE(violation("permute/bit-reversal-pipelined", "hypercube:4", model_of(PortModel::one), settings), "");
  EXPECT_EQ(violation("permute/bit-reversal-pipelined", "hypercube:1", model_of(PortModel::one), settings), "");
}

/// The address whose letter for bit i is that of x for bit delta(i).
Rank permuted(Rank x, const Delta& delta) {
  const std::string letters = letters_of(x, delta.size());
  std::string moved = letters;
  for (std::size_t i = 0; i < delta.size(); ++i) {
    moved[delta.size() - 1 - i] = letters[delta.size() - 1 - delta[i]];
  }
  return rank_of(moved);
}

std::uint64_t count_cycles(const Delta& delta) {
  std::set<Port> left(delta.begin(), delta.end());
  std::uint64_t cycles = 0;
  while (!left.empty()) {
    ++cycles;
    for (Port at = *left.begin(); left.erase(at) > 0;) at = delta[at];
  }
  return cycles;
}

/// All permutations of the given number of dimensions, or a number of random ones.
std::vector<Delta> deltas(std::size_t n, std::size_t random_ones) {
  Delta delta(n);
  std::iota(delta.begin(), delta.end(), Port{0});
  std::vector<Delta> all;
  if (random_ones == 0) {
    do all.push_back(delta);
    while (std::next_permutation(delta.begin(), delta.end()));
  }
  std::mt19937 random(n);
  while (all.size() < random_ones) {
    std::shuffle(delta.begin(), delta.end(), random);
    all.push_back(delta);
  }
  return all;
}

std::string text_of(const Delta& delta) {
  std::string text;
  for (const Port position : delta) text += "," + std::to_string(position);
  return text.empty() ? text : text.substr(1);
}

void expect_dimensions(std::string_view name, const Delta& delta, std::uint64_t swaps, std::uint64_t K) {
  SCOPED_TRACE(std::string(name) + " of " + text_of(delta));
  Settings settings = block_settings(K);
  settings.permutation = text_of(delta);
  expect_permutation(name, delta.size(), model_of(PortModel::one_strict), settings,
                     counts_of_swaps(delta.size(), swaps, K), [&](Rank x) { return permuted(x, delta); });
}

/// Swaps of halving: in each part of each round, as many as there are bits on the wrong side of its upper half.
std::uint64_t check_halving(const Delta& delta) {
  std::vector<std::size_t> goal(delta.size());
  for (std::size_t i = 0; i < delta.size(); ++i) goal[delta[i]] = i;
  std::vector<std::vector<std::size_t>> parts(1);
  for (std::size_t i = 0; i < delta.size(); ++i) parts[0].push_back(i);
  std::uint64_t swaps = 0;
  for (const permute::SwapRound& round : permute::halving_rounds(delta)) {
    std::vector<std::vector<std::size_t>> halves;
    std::uint64_t wrong = 0;
    for (const auto& part : parts) {
      const std::size_t low = divided_up(part.size(), 2);
      halves.emplace_back(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(low));
      halves.emplace_back(part.begin() + static_cast<std::ptrdiff_t>(low), part.end());
      for (const std::size_t position : halves.back()) {
        wrong += std::count(halves.back().begin(), halves.back().end(), goal[position]) == 0 ? 1 : 0;
      }
    }
    EXPECT_EQ(round.size(), wrong);
    swaps += wrong;
    std::set<Port> touched;
    for (const auto& [g, f] : round) {
      EXPECT_TRUE(touched.insert(g).second && touched.insert(f).second);
      std::swap(goal[g], goal[f]);
    }
    for (const auto& half : halves) {
      for (const std::size_t position : half) EXPECT_EQ(std::count(half.begin(), half.end(), goal[position]), 1);
    }
    parts = halves;
  }
  for (std::size_t i = 0; i < goal.size(); ++i) EXPECT_EQ(goal[i], i);
  return swaps;
}

TEST(PermuteDimensionHalving, PutsBitsInTheRightHalvesRoundByRound) {
  for (std::size_t n = 0; n <= 16; ++n) {
    for (const Delta& delta : deltas(n, n <= 6 ? 0 : 200)) {
      SCOPED_TRACE(text_of(delta));
      check_halving(delta);
      std::uint64_t rounds = 0;
      while (std::uint64_t{1} << rounds < n) ++rounds;
      EXPECT_EQ(permute::halving_rounds(delta).size(), rounds);
    }
  }
}

TEST(PermuteDimensionHalving, HasTheCountsOfTheSpec) {
  for (std::size_t n = 0; n <= 8; ++n) {
    for (const Delta& delta : deltas(n, n <= 5 ? 0 : 5)) {
      expect_dimensions("permute/dimension-halving", delta, check_halving(delta), 2);
    }
  }
}

// A cycle of L bits takes floor((L-1)/2) swaps and then floor(L/2), which is L - 1.
TEST(PermuteDimensionTwoRound, HasTheCountsOfTheSpec) {
  for (std::size_t n = 0; n <= 8; ++n) {
    for (const Delta& delta : deltas(n, n <= 5 ? 0 : 5)) {
      expect_dimensions("permute/dimension-two-round", delta, n - count_cycles(delta), 3);
    }
  }
}

TEST(PermuteDimensionTwoRound, NeedsTwoRoundsOfDifferentBits) {
  for (std::size_t n = 0; n <= 16; ++n) {
    for (const Delta& delta : deltas(n, n <= 6 ? 0 : 200)) {
      SCOPED_TRACE(text_of(delta));
      const auto rounds = permute::two_rounds(delta);
      EXPECT_LE(rounds.size(), 2U);
      for (const permute::SwapRound& round : rounds) {
        std::set<Port> touched;
        for (const auto& [g, f] : round) EXPECT_TRUE(touched.insert(g).second && touched.insert(f).second);
      }
    }
  }
}

TEST(PermuteDimensions, AreRandomByTheSeed) {
  std::set<std::string> seen;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (int again = 0; again < 2; ++again) {
      Settings settings;
      settings.seed = seed;
      seen.insert(resolved("permute/dimension-halving", "hypercube:8", settings).permutation.value());
    }
  }
  EXPECT_EQ(seen.size(), 3U);
}

TEST(PermuteDimensions, AreRefusedIfTheyAreNone) {
  const auto said = [](const std::string& text, const std::string& machine = "hypercube:3") {
    Settings settings;
    settings.permutation = text;
    return refusal("permute/dimension-two-round", machine, settings);
  };
  EXPECT_EQ(said("2,0,1"), "");
  EXPECT_EQ(said("", "hypercube:0"), "");
  EXPECT_EQ(said("0,1"), "--permutation '0,1' names 2 dimensions; hypercube:3 has 3, each to be named once");
  EXPECT_EQ(said("0"), "--permutation '0' names 1 dimension; hypercube:3 has 3, each to be named once");
  EXPECT_EQ(said("0", "hypercube:0"), "--permutation '0' names 1 dimension; hypercube:0 has 0, each to be named once");
  EXPECT_EQ(said("0,1,3"), "--permutation: dimension '3' is out of range: 0 to 2");
  EXPECT_EQ(said("0,1,1"), "--permutation '0,1,1' names dimension 1 twice");
  EXPECT_EQ(said("0,,1"),
            "--permutation: dimension '' is not a whole number from 0 to 2 (digits only: no sign, no "
            "leading zero)");
  EXPECT_EQ(said("0, 1,2"),
            "--permutation: dimension ' 1' is not a whole number from 0 to 2 (digits only: no sign, no "
            "leading zero)");
}

TEST(PermuteShuffle, HasTheCountsOfTheSpec) {
  for (std::uint64_t n = 0; n <= 8; ++n) {
    for (std::uint64_t k = 0; k <= n + 2; ++k) {
      for (const PortModel ports : port_models) {
        SCOPED_TRACE(cube(n) + ", shift " + std::to_string(k));
        const auto turned = [=](Rank x) {
          std::string letters = letters_of(x, n);
          for (std::uint64_t turn = 0; turn < k && n > 0; ++turn) letters = letters.substr(1) + letters[0];
          return rank_of(letters);
        };
        Settings settings = block_settings(2);
        settings.shift = k;
        expect_permutation("permute/shuffle", n, model_of(ports), settings,
                           counts_of_swaps(n, n == 0 ? 0 : n - std::gcd(n, k), 2), turned);
        if (n == 0) continue;
        const std::uint64_t g = std::gcd(n, k);  // johnsson-ho.md, Storage forms: max_w Hamming(w, sh^k w)
        EXPECT_EQ(bound("permute/shuffle", cube(n), settings, model_of(ports)).first, k % n == 0         ? 0
                                                                                      : (n / g) % 2 == 0 ? n
                                                                                                         : n - g);
      }
    }
  }
}

TEST(PermuteShuffle, ShufflesOnceByDefault) {
  const MachineSpec machine = parse_machine("hypercube:6");
  Settings settings;
  const Method& method = find_method("permute/shuffle", "hypercube");
  method.resolve(machine, method.defaults, settings);
  EXPECT_EQ(settings.shift, 1U);
  settings.shift = most_words;  // 2^31 = 2 mod 6
  EXPECT_EQ(method.predict(machine, method.defaults, settings).steps->value, 8U);
}

class PermuteTwoAlltoall : public DataDirectory {
 protected:
  static constexpr std::string_view name = "permute/two-alltoall";

  std::string refusal_of_file(const std::string& text) const {
    return refusal_of([&] {
      Settings settings;
      settings.permutation = file("ranks", text);
      const Method& method = find_method(name, "hypercube");
      method.resolve(parse_machine("hypercube:2"), method.defaults, settings);
    });
  }
};

TEST_F(PermuteTwoAlltoall, HasTheCountsOfTheSpec) {
  for (std::uint64_t n = 0; n <= 6; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const PortModel ports : port_models) {
      for (const Duplex duplex : duplexes) {
        for (const std::uint64_t K : {N, 3 * N}) {
          SCOPED_TRACE(cube(n) + ", K " + std::to_string(K));
          const std::uint64_t steps = duplex == Duplex::full ? 2 * n : 4 * n;
          expect_permutation(name, n, model_of(ports, duplex), block_settings(K),
                             {steps, 2 * n * N, n * N * K, std::vector<std::uint64_t>(steps, K / 2)}, {});
        }
      }
    }
  }
}

TEST_F(PermuteTwoAlltoall, CarriesOutAnyPermutation) {
  std::vector<Rank> pi{0, 1, 2, 3};
  do {
    std::string text;
    for (const Rank rank : pi) text += std::to_string(rank) + (rank % 2 == 0 ? "\n" : "  ");
    Settings settings = block_settings(4);
    settings.permutation = file("ranks", text);
    const BuiltMachine machine("hypercube:2");
    const RecordedRun run(machine, model_of(PortModel::one_strict), settings);
    const Outcome outcome = machine.method(name).run(run.request());
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.report.steps, 4U);
    const auto& steps = run.log().schedule.steps;
    ASSERT_GE(steps.size(), 4U);
    for (const Move& move : steps[0]) EXPECT_NE(move.origin, move.destination);
    std::uint64_t largest = 0;
    std::uint64_t sum = 0;
    for (Rank x = 0; x < 4; ++x) {
      largest = std::max(largest, distance(x, pi[x]));
      sum += distance(x, pi[x]);
    }
    const LowerBound bound = lower_bound(machine.method(name), machine.spec, model_of(PortModel::one_strict), settings);
    EXPECT_EQ(bound.steps, largest);
    EXPECT_EQ(bound.longest_sum, sum);  // 4 words over each link, at most 4 messages a step
  } while (std::next_permutation(pi.begin(), pi.end()));
}

TEST_F(PermuteTwoAlltoall, NamesItsPhases) {
  const Outcome outcome = BuiltMachine("hypercube:3").run(name, model_of(PortModel::one), block_settings(8));
  ASSERT_EQ(outcome.report.phases.size(), 2U);
  EXPECT_EQ(outcome.report.phases[0].name, "apart");
  EXPECT_EQ(outcome.report.phases[1].name, "together");
  for (const PhaseCounts& phase : outcome.report.phases) {
    EXPECT_EQ(phase.steps, 3U);
    EXPECT_EQ(phase.longest_sum, 12U);
  }
}

TEST_F(PermuteTwoAlltoall, RefusesWhatIsNoPermutation) {
  EXPECT_EQ(refusal_of_file("3 1 0b10\t\n0\n"), "");
  EXPECT_EQ(refusal_of_file("3 1 2"), "ranks: 3 ranks, where 4 are needed, one for each processor");
  EXPECT_EQ(refusal_of_file(""), "ranks: 0 ranks, where 4 are needed, one for each processor");
  EXPECT_EQ(refusal_of_file("3 1 2 0 1"), "ranks: more than 4 ranks, one for each processor");
  EXPECT_EQ(refusal_of_file("3 1 1 0"), "ranks: processors 1 and 2 have the same destination, 1");
  EXPECT_EQ(refusal_of_file("3 4 2 0"), "ranks: destination of processor 1, rank '4' is out of range: 0 to 3");
  EXPECT_EQ(refusal_of_file("3 1 -2 0"),
            "ranks: destination of processor 2, rank '-2' is not a whole number (digits only: no "
            "sign, no leading zero)");
  Settings settings;
  settings.permutation = "1,0";
  EXPECT_EQ(refusal(name, "hypercube:1", settings), "cannot read '1,0': No such file or directory");
}

TEST_F(PermuteTwoAlltoall, RefusesWordsThatCannotBeDivided) {
  EXPECT_EQ(refusal(name, "hypercube:3", block_settings(8)), "");
  EXPECT_EQ(refusal(name, "hypercube:3", block_settings(20)),
            "--words 20 is no multiple of the 8 processors; 16 and 24 are");
  EXPECT_EQ(refusal(name, "hypercube:3", block_settings(7)), "--words 7 is out of range: 8 to 2147483648");
}

TEST(Permute, RefusesSettingsOutOfRange) {
  for (const std::string_view name : {"permute/bit-reversal", "permute/shuffle", "permute/dimension-halving"}) {
    expect_words_from(1, name, "hypercube:3");
  }
  Settings settings = block_settings(8);
  settings.packet_words = 9;
  EXPECT_EQ(refusal("permute/bit-reversal-pipelined", "hypercube:3", settings),
            "--packet-words 9 is out of range: 1 to 8");
  settings.packet_words = 0;
  EXPECT_EQ(refusal("permute/bit-reversal-pipelined", "hypercube:3", settings),
            "--packet-words 0 is out of range: 1 to 8");
}

// Half the processors move their words over both dimensions of a swap.
TEST(Permute, BoundsTheWords) {
  const auto bound = [&](std::string_view name, const Model& model) {
    return lockstep::bound(name, "hypercube:6", block_settings(5), model).second;
  };
  EXPECT_EQ(bound("permute/bit-reversal", model_of(PortModel::one)), 3 * 5U);
  EXPECT_EQ(bound("permute/bit-reversal", model_of(PortModel::one, Duplex::half_node)), 6 * 5U);
  EXPECT_EQ(bound("permute/bit-reversal-pipelined", model_of(PortModel::all)), 3U);  // 5/2, rounded up
}

TEST(Permute, CatchesEveryFault) {
  expect_catches_faults("permute/bit-reversal", "hypercube:4", block_settings(2));
  expect_catches_faults("permute/shuffle", "hypercube:3", block_settings(1));
  expect_catches_faults("permute/two-alltoall", "hypercube:3", block_settings(8));
  Settings settings = block_settings(2);
  settings.permutation = "2,0,1,3";
  expect_catches_faults("permute/dimension-halving", "hypercube:4", settings);
  expect_catches_faults("permute/dimension-two-round", "hypercube:4", settings);
  settings = block_settings(5);
  settings.packet_words = 2;
  expect_catches_faults("permute/bit-reversal-pipelined", "hypercube:4", settings);
}

}  // namespace
}  // namespace lockstep::permute_test
