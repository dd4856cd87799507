// Hypercubes emulated by reduced ones (mukherjee.md, Emulation): steps, messages and words by formula, and by a plain
// simulation independent of routing.hpp and of addresses in machines.
#include <algorithm>
#include <bit>
#include <map>

#include "carried_run.hpp"
#include "lockstep/machines/embedding.hpp"
#include "method_run.hpp"

namespace lockstep::emulation_test {
namespace {

/// RH(k,n) by its definition.
struct Size {
  unsigned k;
  unsigned n;

  unsigned bits() const { return k + (1U << n); }
  std::uint64_t nodes() const { return std::uint64_t{1} << bits(); }
  unsigned subblock(std::uint64_t node) const { return static_cast<unsigned>(node >> (k - n)) & ((1U << n) - 1); }
};

/// The nodes on the path from `node` over dimension d of the cube, in store-and-forward.
std::vector<std::uint64_t> way(const Size& size, std::uint64_t node, unsigned d) {
  std::vector<std::uint64_t> nodes{node};
  const auto flip = [&](unsigned bit) { nodes.push_back(nodes.back() ^ std::uint64_t{1} << bit); };
  const unsigned differing = d < size.k ? 0 : size.subblock(node) ^ (d - size.k);
  for (unsigned b = 0; b < size.n; ++b) {
    if (differing >> b & 1U) flip(size.k - size.n + b);
  }
  flip(d);
  for (unsigned b = 0; b < size.n; ++b) {
    if (differing >> b & 1U) flip(size.k - size.n + b);
  }
  return nodes;
}

/// Steps until all packets have reached the ends of their paths, and the most packets over one link. In a step those
/// with the most links left go first, among equals the first in the list; one packet for each link, with one port also
/// one for each sender and receiver.
struct Simulated {
  std::uint64_t steps = 0;
  std::uint64_t congestion = 0;
  std::uint64_t messages = 0;
};

Simulated simulate(const std::vector<std::vector<std::uint64_t>>& ways, bool all_ports) {
  Simulated result;
  std::vector<std::size_t> at(ways.size());
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> uses;
  const auto left = [&](std::size_t i) { return ways[i].size() - 1 - at[i]; };
  for (;; ++result.steps) {
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (left(i) > 0) waiting.push_back(i);
    }
    if (waiting.empty()) return result;
    std::ranges::stable_sort(waiting, [&](std::size_t a, std::size_t b) { return left(a) > left(b); });
    std::map<std::pair<std::uint64_t, std::uint64_t>, bool> link_used;
    std::map<std::uint64_t, bool> has_sent, has_received;
    std::vector<std::size_t> gone;
    for (const std::size_t i : waiting) {
      const std::pair link{ways[i][at[i]], ways[i][at[i] + 1]};
      if (link_used[link] || (!all_ports && (has_sent[link.first] || has_received[link.second]))) continue;
      link_used[link] = has_sent[link.first] = has_received[link.second] = true;
      result.congestion = std::max(result.congestion, ++uses[link]);
      ++result.messages;
      gone.push_back(i);
    }
    for (const std::size_t i : gone) ++at[i];
  }
}

enum class Who { all, lower, corners };

/// All nodes send over dimension d, those below 2^d, or those whose bits below d are those of `root` and whose bit d is
/// another.
Simulated simulate(const Size& size, unsigned d, Who who, bool all_ports, std::uint64_t root = 0) {
  std::vector<std::vector<std::uint64_t>> ways;
  for (std::uint64_t node = 0; node < size.nodes(); ++node) {
    const std::uint64_t relative = node ^ root;
    if (who == Who::lower && relative >> d != 0) continue;
    if (who == Who::corners && (relative & ((std::uint64_t{2} << d) - 1)) != std::uint64_t{1} << d) continue;
    ways.push_back(way(size, node, d));
  }
  return simulate(ways, all_ports);
}

const std::vector<Size> sizes{{0, 0}, {1, 0}, {3, 0}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {2, 2}, {3, 2}, {4, 2}};

/// Steps of an exchange between blocks with one port, for n = 0..4 (mukherjee.md, Emulation).
constexpr std::uint64_t E[] = {1, 4, 10, 20, 39};
/// The same with all ports, or where blocks only send or only receive.
std::uint64_t H(unsigned n) { return n == 0 ? 1 : (1U << n) + 1; }

TEST(Emulation, StepsOfADimensionAreThoseOfTheSimulation) {
  for (const Size& size : sizes) {
    for (unsigned d = 0; d < size.bits(); ++d) {
      SCOPED_TRACE("RH(" + std::to_string(size.k) + "," + std::to_string(size.n) + "), dimension " + std::to_string(d));
      const std::uint64_t D = 1U << size.n;
      const Simulated all = simulate(size, d, Who::all, true);
      const Simulated one = simulate(size, d, Who::all, false);
      const Simulated half = simulate(size, d, Who::lower, false);
      EXPECT_EQ(all.congestion, d < size.k ? 1 : D);
      EXPECT_EQ(one.congestion, d < size.k ? 1 : D);
      EXPECT_EQ(all.messages, size.nodes() * (d < size.k ? 1 : size.n + 1));
      EXPECT_EQ(all.steps, d < size.k ? 1 : H(size.n));
      EXPECT_EQ(one.steps, d < size.k ? 1 : E[size.n]);
      EXPECT_EQ(half.steps, d < size.k ? 1 : H(size.n));
      EXPECT_EQ(simulate(size, d, Who::lower, true).steps, half.steps);
      const ReducedHypercube rh(size.k, size.n);
      EXPECT_EQ(exchange_steps(rh, d, PortModel::all, true), all.steps);
      EXPECT_EQ(exchange_steps(rh, d, PortModel::one, true), one.steps);
      EXPECT_EQ(exchange_steps(rh, d, PortModel::one, false), half.steps);
    }
  }
}

// Blocks that meet are alike in all layers, so one pair of them, of n-cubes, is enough: a node of the pair is a side
// and a subblock. Ranks are ordered by side first, and so are packets.
TEST(Emulation, StepsOfADimensionDoNotDependOnTheSubblockThatHasTheLink) {
  for (unsigned n = 0; n <= 4; ++n) {
    const std::uint64_t D = std::uint64_t{1} << n;
    for (std::uint64_t m = 0; m < D; ++m) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", subblock " + std::to_string(m));
      std::vector<std::vector<std::uint64_t>> ways;
      for (std::uint64_t node = 0; node < 2 * D; ++node) {
        ways.push_back({node});
        const auto walk = [&] {
          for (unsigned b = 0; b < n; ++b) {
            if ((node ^ m) >> b & 1U) ways.back().push_back(ways.back().back() ^ std::uint64_t{1} << b);
          }
        };
        walk();
        ways.back().push_back(ways.back().back() ^ D);
        walk();
      }
      EXPECT_EQ(simulate(ways, true).steps, H(n));
      EXPECT_EQ(simulate(ways, false).steps, E[n]);
      ways.resize(D);  // one side sends
      EXPECT_EQ(simulate(ways, true).steps, H(n));
      EXPECT_EQ(simulate(ways, false).steps, H(n));
    }
  }
}

/// Expects steps, messages, words and longest sum of a run, and exact predictions.
void expect_run(const Size& size, const char* method, PortModel ports, const Settings& settings, std::uint64_t steps,
                std::uint64_t messages, std::uint64_t words, std::uint64_t longest_sum) {
  SCOPED_TRACE(std::string(method) + " on RH(" + std::to_string(size.k) + "," + std::to_string(size.n) + "), " +
               std::string(name(ports)));
  const Model model = model_of(ports);
  const auto result = emulated(size.k, size.n).run(method, model, settings);
  EXPECT_EQ(result.outcome.wrong, "");
  EXPECT_EQ(result.carried.problem, "");
  const Report& report = result.outcome.report;
  EXPECT_EQ(report.steps, steps);
  EXPECT_EQ(report.messages, messages);
  EXPECT_EQ(report.words, words);
  EXPECT_EQ(report.longest_sum, longest_sum);
  EXPECT_EQ(report.sends, messages);
  const Prediction& predicted = result.predicted;
  ASSERT_TRUE(predicted.steps && predicted.messages && predicted.words && predicted.longest_sum);
  EXPECT_TRUE(predicted.steps->exact);
  EXPECT_EQ(predicted.steps->value, steps);
  EXPECT_EQ(predicted.messages->value, messages);
  EXPECT_EQ(predicted.words->value, words);
  EXPECT_EQ(predicted.longest_sum->value, longest_sum);
  const auto time = synchronous_time(predicted, model.cost);
  ASSERT_TRUE(time);
  EXPECT_NEAR(report.time_synchronous, time->value, 1e-9 * time->value);
  EXPECT_NEAR(time->value, 3.0 * static_cast<double>(steps) + 0.5 * static_cast<double>(longest_sum), 1e-6);
}

TEST(Emulation, ExchangesCountWhatTheFormulasSay) {
  for (const Size& size : sizes) {
    const std::uint64_t k = size.k, n = size.n, D = 1U << n, v = size.bits(), N = size.nodes();
    Settings words;
    words.words = 3;
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      const std::uint64_t X = ports == PortModel::all ? H(size.n) : E[n];
      const std::uint64_t S = k + D * X;
      const std::uint64_t M = N * (k + D * (n + 1));
      expect_run(size, "scan/cube", ports, words, S, M, 3 * M, 3 * S);
      expect_run(size, "alltoall/exchange", ports, words, S, M, 3 * (N / 2) * M, 3 * (N / 2) * S);
      // Dimension d carries 2^(v-1-d) blocks: those between blocks 1 + 2 + .. + 2^(D-1), those inside 2^D + .. +
      // 2^(v-1).
      const std::uint64_t outer = (1U << D) - 1, inner = (N - 1) - outer;
      expect_run(size, "allgather/adea", ports, words, S, M, 3 * N * (inner + outer * (n + 1)),
                 3 * (inner + outer * X));
      // Dimension d in v - d steps.
      const std::uint64_t between = D * (D + 1) / 2, within = v * (v + 1) / 2 - between;
      expect_run(size, "sort/bitonic", ports, words, within + between * X, N * (within + between * (n + 1)),
                 3 * N * (within + between * (n + 1)), 3 * (within + between * X));
    }
  }
}

TEST(Emulation, TreesCountWhatTheFormulasSay) {
  for (const Size& size : sizes) {
    const std::uint64_t k = size.k, n = size.n, D = 1U << n, N = size.nodes(), B = std::uint64_t{1} << k;
    for (const std::uint64_t root : {std::uint64_t{0}, N - 1, N / 3}) {
      Settings settings;
      settings.words = 2;
      settings.root = root;
      // 2^k - 1 messages inside the root's block; then block by block (n + 1) links a message on average.
      const std::uint64_t M = B - 1 + (n + 1) * (N - B), S = k + D * H(size.n);
      expect_run(size, "broadcast/sbt", PortModel::one, settings, S, M, 2 * M, 2 * S);
      // Over dimension d 2^d messages of 2^(v-1-d) blocks.
      const std::uint64_t outer = (1U << D) - 1, inner = (N - 1) - outer;
      const std::uint64_t V = 2 * (N / 2) * (k + D * (n + 1)), W = 2 * (inner + outer * H(size.n));
      expect_run(size, "scatter/sbt", PortModel::one, settings, S, M, V, W);
      expect_run(size, "gather/sbt", PortModel::one, settings, S, M, V, W);
      // Mukherjee's own reduction, chapter 3: k + (n+1) D steps; the path over dimension k + m has 2 pc(s xor m) + 1
      // links.
      std::uint64_t R = N - (N >> k);
      for (unsigned m = 0; m < D; ++m) {
        const unsigned differing = size.subblock(root) ^ m;
        R += (N >> (k + m + 1)) * (2 * static_cast<unsigned>(std::popcount(differing)) + 1);
      }
      const std::uint64_t T = k + (n + 1) * D;
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        expect_run(size, "reduce/tree", ports, settings, T, R, 2 * R, 2 * T);
      }
      if (root != 0) continue;
      Settings token;
      expect_run(size, "barrier/tree", PortModel::one, token, S + T, M + R, M + R, S + T);
    }
  }
}

// A method that is not a sequence of known dimensions gets no prediction rather than a wrong one.
TEST(Emulation, PredictsNothingOfOtherMethods) {
  const CarriedMachine machine = emulated(2, 2);
  for (const char* name : {"route/ecube", "alltoall/sbnt", "allgather/tea2"}) {
    const Method& method = machine.method(name);
    Settings settings;
    method.resolve(*machine.embedded.machine, method.defaults, settings);
    EXPECT_FALSE(carried_prediction(machine.embedded, method, method.defaults, settings).steps) << name;
  }
}

// With cut-through and circuits the host sends each guest's message as a whole over its path: only dimension 0 has one
// link, and each dilation 2p + 1 costs as many header hops. Data is right, and messages and words are as with
// store-and-forward.
TEST(Emulation, SwitchesWhatItCarries) {
  for (const Switching switching : {Switching::cut_through, Switching::circuit}) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      const CarriedMachine machine = emulated(2, 1);
      Model model = model_of(ports);
      const auto stored = machine.run("scan/cube", model, block_settings(3));
      model.cost.switching = switching;
      model.cost.hop_cost = 0.25;
      const auto result = machine.run("scan/cube", model, block_settings(3));
      EXPECT_EQ(result.outcome.wrong, "");
      EXPECT_EQ(result.carried.problem, "");
      EXPECT_EQ(result.outcome.report.messages, stored.outcome.report.messages);
      EXPECT_EQ(result.outcome.report.words, stored.outcome.report.words);
      EXPECT_EQ(result.outcome.data_digest, stored.outcome.data_digest);
      expect_kept(result.predicted, result.outcome.report, model.cost);
      // Two steps inside blocks, 3 + 0.25 + 1.5 each; two between blocks whose longest paths have three links.
      EXPECT_GE(result.outcome.report.time_synchronous, 2 * 4.75 + 2 * (3 + 3 * 0.25 + 1.5));
    }
  }
  // Alone on its path: from rank 0 over dimension 3 to rank 8, three links in RH(2,1).
  const CarriedMachine machine = emulated(2, 1);
  Settings settings = block_settings(5);
  settings.source = 0;
  settings.destination = 8;
  Model model = model_of(PortModel::one);
  model.cost.switching = Switching::circuit;
  model.cost.hop_cost = 0.25;
  const auto circuit = machine.run("send/store-and-forward", model, settings);
  EXPECT_EQ(circuit.outcome.report.messages, 3U);
  EXPECT_DOUBLE_EQ(circuit.outcome.report.time_synchronous, 3 + 3 * 0.25 + 2.5);
  EXPECT_DOUBLE_EQ(circuit.outcome.report.time_asynchronous, 3 + 3 * 0.25 + 2.5);
  model.cost = model_of(PortModel::one).cost;
  model.cost.startup = StartupPer::path;
  EXPECT_DOUBLE_EQ(machine.run("send/store-and-forward", model, settings).outcome.report.time_synchronous, 3 + 3 * 2.5);
}

}  // namespace
}  // namespace lockstep::emulation_test
