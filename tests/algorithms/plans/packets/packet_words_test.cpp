// --packet-words: its default is the best for the costs, for every method that has it, and the times of packets are
// predicted exactly.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "plans/packets/packet_cut.hpp"
#include "transposition.hpp"

namespace lockstep::packet_words_test {
namespace {

/// Parts of a block, each of which takes its own path in packets (johnsson-ho.md, Two dimensions, Gray codes,
/// Permutations).
std::uint64_t paths_of(std::string_view method) {
  static const std::map<std::string_view, std::uint64_t> paths{{"transpose/2d-spt-pipelined", 1},
                                                               {"transpose/2d-dpt", 2},
                                                               {"transpose/gray-mixed-pipelined", 1},
                                                               {"permute/bit-reversal-pipelined", 1}};
  return paths.at(method);
}

std::vector<const Method*> methods_in_packets() {
  std::vector<const Method*> methods;
  for (const Method* method : catalogue()) {
    const bool has = std::any_of(method->parameters.begin(), method->parameters.end(),
                                 [](const Parameter& parameter) { return parameter.name == "packet-words"; });
    if (has) methods.push_back(method);
  }
  EXPECT_EQ(methods.size(), 4U) << "paths_of has to know them all";
  return methods;
}

/// A block of `words` words at every processor of a cube of n dimensions.
struct Blocks {
  const Method* method;
  std::uint64_t n;
  std::uint64_t words;
  CostModel cost;

  std::string machine() const { return cube(n); }
  Model model() const {
    Model model = method->defaults;
    model.cost = cost;
    return model;
  }
  /// Words that follow each other over one path.
  std::uint64_t words_of_way() const { return words / paths_of(method->name); }
  /// Links of the longest path: n, or 2 floor(n/2) for a bit reversal.
  std::uint64_t hops() const { return n / 2 * 2; }
  Settings settings() const {
    if (method->operation == "transpose") return matrix_settings(1ULL << n / 2, words << n / 2);
    Settings settings;
    settings.words = words;
    return settings;
  }
  std::uint64_t default_size() const {
    Settings resolved = settings();
    method->resolve(parse_machine(machine()), model(), resolved);
    return *resolved.packet_words;
  }
  std::string text() const {
    return std::string(method->name) + " on " + machine() + ", " + std::to_string(words) + " words, beta " +
           std::to_string(cost.beta) + ", tau " + std::to_string(cost.tau) + ", at most " +
           std::to_string(cost.max_packet_words) + " words a start-up";
  }
};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  /// All are multiples of 1/4: with whole numbers they make exact times, so equal times compare equal.
  double cost() {
    constexpr std::array costs{0.0, 0.25, 0.5, 1.0, 3.0, 8.0, 20.0, 64.0, 1000.0};
    return costs[below(costs.size())];
  }
  CostModel costs(std::uint64_t words) {
    CostModel cost{.beta = this->cost(), .tau = this->cost()};
    cost.max_packet_words = below(2) == 0 ? 0 : 1 + below(words);
    return cost;
  }
  /// On a cube of 2, 4, .. or, for permutations, also an odd number of dimensions.
  Blocks blocks(const Method& method, std::uint64_t most_dimensions, std::uint64_t most_bits) {
    const bool transposes = method.operation == "transpose";
    const std::uint64_t n = transposes ? 2 * (1 + below(most_dimensions / 2)) : 2 + below(most_dimensions - 1);
    const std::uint64_t words = transposes ? 2ULL << below(most_bits) : 1 + below(2ULL << below(most_bits));
    return {&method, n, words, costs(words)};
  }

 private:
  std::mt19937_64 random_;
};

/// The time of packets of B words and a short last one over the path, step by step.
double time_in_packets(const Blocks& blocks, std::uint64_t B) {
  std::vector<std::uint64_t> sizes(blocks.words_of_way() / B, B);
  if (blocks.words_of_way() % B != 0) sizes.push_back(blocks.words_of_way() % B);
  const std::uint64_t hops = blocks.hops();
  double time = 0;
  for (std::size_t step = 0; step + 1 < sizes.size() + hops; ++step) {
    const std::uint64_t longest = sizes[step < hops ? 0 : step + 1 - hops];
    time += static_cast<double>(packets_of(longest, blocks.cost.max_packet_words)) * blocks.cost.beta +
            static_cast<double>(longest) * blocks.cost.tau;
  }
  return time;
}

/// The sizes that take the least time, and among these those with the fewest packets.
std::set<std::uint64_t> best_sizes(const Blocks& blocks, const std::function<double(std::uint64_t)>& time) {
  const std::uint64_t words = blocks.words_of_way();
  std::set<std::uint64_t> best;
  std::pair least{std::numeric_limits<double>::infinity(), words};
  for (std::uint64_t B = 1; B <= words; ++B) {
    const std::pair time_and_packets{time(B), packets_of(words, B)};
    if (time_and_packets < least) best.clear();
    if (time_and_packets <= least) best.insert(B);
    least = std::min(least, time_and_packets);
  }
  return best;
}

TEST(PacketWords, TakeTheLeastTimeByDefault) {
  Draw draw(7);
  for (const Method* method : methods_in_packets()) {
    for (int trial = 0; trial < (sanitized ? 50 : 500); ++trial) {
      const Blocks blocks = draw.blocks(*method, 12, 8);
      const std::set<std::uint64_t> best =
          best_sizes(blocks, [&](std::uint64_t B) { return time_in_packets(blocks, B); });
      EXPECT_TRUE(best.contains(blocks.default_size()))
          << blocks.text() << ": " << blocks.default_size() << " instead of " << *best.begin();
    }
  }
}

TEST(PacketWords, RunNoFasterInAnyOtherSize) {
  Draw draw(8);
  for (const Method* method : methods_in_packets()) {
    for (int trial = 0; trial < (sanitized ? 2 : 15); ++trial) {
      const Blocks blocks = draw.blocks(*method, 4, 5);
      const BuiltMachine machine(blocks.machine());
      const std::set<std::uint64_t> best = best_sizes(blocks, [&](std::uint64_t B) {
        Settings settings = blocks.settings();
        settings.packet_words = B;
        return machine.run(method->name, blocks.model(), settings).report.time_synchronous;
      });
      EXPECT_TRUE(best.contains(blocks.default_size()))
          << blocks.text() << ": " << blocks.default_size() << " instead of " << *best.begin();
    }
  }
}

TEST(PacketWords, TakeTheTimesThatArePredicted) {
  Draw draw(9);
  for (const Method* method : methods_in_packets()) {
    for (int trial = 0; trial < (sanitized ? 10 : 100); ++trial) {
      const Blocks blocks = draw.blocks(*method, 7, 6);
      Settings settings = blocks.settings();
      if (trial % 4 != 0) settings.packet_words = 1 + draw.below(blocks.words_of_way());
      const BuiltMachine machine(blocks.machine());
      method->resolve(machine.spec, blocks.model(), settings);
      SCOPED_TRACE(blocks.text() + ", packets of " + std::to_string(*settings.packet_words));
      const Report report = expect_run(machine, method->name, blocks.model(), settings, {});
      const auto said = synchronous_time(machine.predict(method->name, blocks.model(), settings), blocks.cost);
      ASSERT_TRUE(said);
      EXPECT_TRUE(said->exact);
      EXPECT_DOUBLE_EQ(report.time_synchronous, time_in_packets(blocks, *settings.packet_words));
    }
  }
}

// 512x512 on hypercube:6 with start-ups of 5 ms, words of 4 us and packets of at most 256 words: 16 + 5 steps over one
// path, 8 + 5 over two.
TEST(PacketWords, FillThePacketsOfARealMachine) {
  const BuiltMachine machine("hypercube:6");
  Model model = model_of(PortModel::all);
  model.cost = {.beta = 5e-3, .tau = 4e-6, .max_packet_words = 256};
  for (const auto& [method, steps] : {std::pair("transpose/2d-spt-pipelined", 21), std::pair("transpose/2d-dpt", 13)}) {
    Settings settings = matrix_settings(512, 512);
    machine.method(method).resolve(machine.spec, model, settings);
    EXPECT_EQ(settings.packet_words, 256U) << method;
    EXPECT_DOUBLE_EQ(machine.run(method, model, settings).report.time_synchronous, steps * (5e-3 + 256 * 4e-6));
  }
}

// The best size, sqrt(K beta/((hops - 1) tau)), where it is whole and divides K; and full packets of one start-up,
// where start-ups are expensive.
TEST(PacketWords, AreThoseThatTheFormulaNames) {
  using packets::default_packet_words;
  EXPECT_EQ(packets::default_packet_words(10, 3600, {.beta = 9, .tau = 1}), 60U);
  EXPECT_EQ(packets::default_packet_words(6, 4096, {.beta = 1000, .tau = 1, .max_packet_words = 256}), 256U);
  EXPECT_EQ(packets::default_packet_words(1, 7, {}), 7U);
  EXPECT_EQ(packets::default_packet_words(0, 7, {}), 7U);
  EXPECT_EQ(packets::default_packet_words(9, 7, {.beta = 0, .tau = 1}), 1U);
  EXPECT_EQ(packets::default_packet_words(9, 7, {.beta = 1, .tau = 0}), 7U);
  EXPECT_EQ(packets::default_packet_words(9, 7, {.beta = 0, .tau = 0}), 7U);  // equal times: the fewest packets
  EXPECT_EQ(packets::default_packet_words(30, most_words, {.beta = 1e9, .tau = 1e-9}), most_words);
}

}  // namespace
}  // namespace lockstep::packet_words_test
