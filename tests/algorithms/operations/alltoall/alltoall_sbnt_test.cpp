// alltoall/sbnt (johnsson-ho.md, All to all): n steps; b sum_t max_p load(t,p) words in the longest messages, which for
// prime n is b (N/2 + n - 1); every directed link carries b N/2 words.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "total_exchange.hpp"

namespace lockstep::alltoall_sbnt_test {
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

/// The path from 0 to c, port by port, by turning strings.
std::vector<std::uint64_t> naive_path(std::uint64_t n, std::uint64_t c) {
  std::string bits;
  for (std::uint64_t place = n; place-- > 0;) bits += (c >> place & 1U) != 0 ? '1' : '0';
  std::string smallest = bits;
  std::uint64_t base = 0;
  std::string turned = bits;
  for (std::uint64_t turns = 1; turns < n; ++turns) {
    turned = turned.back() + turned.substr(0, n - 1);
    if (turned < smallest) {
      smallest = turned;
      base = turns;
    }
  }
  std::vector<std::uint64_t> path;
  for (std::uint64_t further = 0; further < n; ++further) {
    const std::uint64_t port = (base + further) % n;
    if (bits[n - 1 - port] == '1') path.push_back(port);
  }
  return path;
}

/// Appends the nodes below c, those with lower addresses first, and then c.
void append_postorder(std::uint64_t n, std::uint64_t c, std::vector<std::uint64_t>& order) {
  for (std::uint64_t child = 1; child < std::uint64_t{1} << n; ++child) {
    const std::vector<std::uint64_t> path = naive_path(n, child);
    if ((child ^ std::uint64_t{1} << path.back()) == c) append_postorder(n, child, order);
  }
  if (c != 0) order.push_back(c);
}

// Every block walks from the cycle in which the order lets it leave.
TEST(AlltoallSbnt, CountsAsWalkedInEveryOrder) {
  const std::vector<std::uint64_t> necklaces{1, 2, 3, 4, 6, 8, 14};
  for (std::uint64_t n = 0; n < necklaces.size(); ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    std::vector<std::uint64_t> postorder;
    append_postorder(n, 0, postorder);
    for (const std::string order : {"at-once", "rbf", "postorder"}) {
      std::map<std::uint64_t, std::uint64_t> sent;  // by each port of the source, so far
      std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> loads;
      for (const std::uint64_t c : postorder) {
        const std::vector<std::uint64_t> path = naive_path(n, c);
        std::uint64_t cycle = order == "rbf" ? n - path.size() : order == "postorder" ? sent[path.front()]++ : 0;
        for (const std::uint64_t port : path) ++loads[{cycle++, port}];
      }
      Lengths longest(order == "postorder" ? necklaces[n] - 1 : n);
      for (const auto& [place, load] : loads) longest.at(place.first) = std::max(longest.at(place.first), 2 * load);
      Settings settings = block_settings(2);
      settings.order = order;
      SCOPED_TRACE(order);
      const SpecCounts counts{.steps = longest.size(),
                              .messages = N * loads.size(),
                              .words = n * N * N,
                              .busiest_link_words = n == 0 ? 0 : N,
                              .longest = longest};
      const BuiltMachine machine(cube(n));
      expect_run(machine, sbnt, model_of(PortModel::all), settings, counts);
      SpecCounts predicted = counts;
      predicted.busiest_link_words = {};
      expect_predicted(machine.predict(sbnt, model_of(PortModel::all), settings), predicted);
      if (n == 3) expect_catches_faults(sbnt, cube(n), settings);
    }
  }
  Settings settings;
  settings.order = "breadth";
  EXPECT_NE(refusal(sbnt, "hypercube:3", settings).find("--order 'breadth' is not one of at-once, rbf, postorder"),
            std::string::npos);
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
}  // namespace lockstep::alltoall_sbnt_test
