// alltoall/sbnt (johnsson-ho.md, All to all): n steps; b sum_t max_p load(t,p) words in the longest messages, which for
// prime n is b (N/2 + n - 1); every directed link carries b N/2 words.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "total_exchange.hpp"

namespace lockstep {
namespace {

constexpr std::string_view sbnt = "alltoall/sbnt";

/// load(t,p) of johnsson-ho.md, All to all, for all hops t and ports p that have one, by turning strings: the highest
/// bit comes first.
std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> naive_loads(std::uint64_t n) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> loads;
  for (std::uint64_t c = 1; c < std::uint64_t{1} << n; ++c) {
    std::string bits;
    for (std::uint64_t place = n; place-- > 0;) bits += (c >> place & 1U) != 0 ? '1' : '0';
    std::string smallest = bits;
    std::string turned = bits;
    std::uint64_t base = 0;
    for (std::uint64_t turns = 1; turns < n; ++turns) {
      turned = turned.back() + turned.substr(0, n - 1);
      if (turned >= smallest) continue;
      smallest = turned;
      base = turns;
    }
    std::uint64_t hop = 0;
    for (std::uint64_t further = 0; further < n; ++further) {  // base(c) and the places to its left
      const std::uint64_t port = (base + further) % n;
      if (bits[n - 1 - port] == '1') ++loads[{hop++, port}];
    }
  }
  return loads;
}

TEST(AlltoallSbnt, HasTheCountsOfTheSpec) {
  for (std::uint64_t n = 0; n <= 8; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    const auto loads = naive_loads(n);
    std::map<std::uint64_t, std::uint64_t> longest;  // of each cycle
    for (const auto& [place, load] : loads) longest[place.first] = std::max(longest[place.first], load);
    std::uint64_t longest_sum = 0;
    for (const auto& [cycle, load] : longest) longest_sum += load;
    if (n == 2 || n == 3 || n == 5 || n == 7) {
      EXPECT_EQ(longest_sum, N / 2 + n - 1);
    }
    const BuiltMachine machine(cube(n));
    for (const std::uint64_t b : {1, 3}) {
      expect_run(machine, sbnt, model_of(PortModel::all), block_settings(b),
                 {.steps = n,
                  .longest_sum = b * longest_sum,
                  .messages = N * loads.size(),
                  .words = b * n * N * N / 2,
                  .peak_words_held = b * (N - 1),
                  .busiest_link_words = n == 0 ? 0 : b * N / 2});
      for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {  // two cycles for each of the schedule's
        expect_run(machine, sbnt, model_of(PortModel::all, duplex), block_settings(b),
                   {.steps = 2 * n,
                    .longest_sum = 2 * b * longest_sum,
                    .messages = N * loads.size(),
                    .words = b * n * N * N / 2});
      }
    }
  }
}

TEST(AlltoallSbnt, NeedsAllPorts) {
  EXPECT_NE(violation(sbnt, "hypercube:2", model_of(PortModel::one)), "");
  EXPECT_EQ(violation(sbnt, "hypercube:1", model_of(PortModel::one)), "");
}

TEST(AlltoallSbnt, PredictsStepsAndWordsOfLargeCubes) {
  const Prediction predicted =
      find_method(sbnt, "hypercube").predict(parse_machine("hypercube:20"), {}, block_settings(1));
  EXPECT_EQ(predicted.steps->value, 20U);
  EXPECT_EQ(predicted.words->value, 20 * (std::uint64_t{1} << 39));
  EXPECT_FALSE(predicted.longest_sum);
  EXPECT_FALSE(predicted.messages);
}

TEST(AlltoallSbnt, CatchesEveryFault) { expect_catches_faults(sbnt, "hypercube:3", block_settings(2)); }

}  // namespace
}  // namespace lockstep
