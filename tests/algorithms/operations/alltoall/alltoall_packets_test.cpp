// The total exchange with the dimensions pipelined (johnsson-ho.md, Pipelined exchange), and in any order of the
// dimensions. Pipelined runs are compared with a walk of every word.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "arithmetic.hpp"
#include "method_run.hpp"

namespace lockstep::alltoall_packets_test {
namespace {

constexpr std::string_view exchange = "alltoall/exchange";
constexpr std::string_view pipelined = "alltoall/exchange-pipelined";
constexpr std::string_view interleaved = "alltoall/exchange-interleaved";

Settings cut_settings(std::uint64_t words, std::optional<std::uint64_t> packets) {
  Settings settings = block_settings(words);
  settings.packets = packets;
  return settings;
}

/// Lets every word of every block cross the dimensions in which its ends differ, the highest first, dimension d in
/// cycle n-1-d after the packet's number. Pair p of relative addresses is p and its complement, p < N/2; their words
/// are numbered one pair after the other, and cut into packets that differ by at most one word, the longer ones first.
SpecCounts walked(unsigned n, std::uint64_t b, std::uint64_t packets) {
  const unsigned N = 1U << n;
  std::vector<std::uint64_t> packet_of;
  const std::uint64_t all = N / 2 * b;
  for (std::uint64_t packet = 0; packet < packets; ++packet) {
    packet_of.insert(packet_of.end(), all / packets + (packet < all % packets ? 1 : 0), packet);
  }
  std::vector<std::map<std::pair<unsigned, unsigned>, std::uint64_t>> links(packets + n - 1);
  for (unsigned source = 0; source < N; ++source) {
    for (unsigned destination = 0; destination < N; ++destination) {
      const unsigned c = source ^ destination;
      const unsigned pair = std::min(c, N - 1 - c);
      for (std::uint64_t word = 0; word < b; ++word) {
        unsigned at = source;
        for (unsigned d = n; d-- > 0;) {
          if (((at ^ destination) >> d & 1U) == 0) continue;
          ++links[packet_of[pair * b + word] + n - 1 - d][{at, d}];
          at ^= 1U << d;
        }
      }
    }
  }
  SpecCounts counts{.steps = links.size(), .messages = 0, .words = 0, .longest = Lengths{}};
  for (const auto& cycle : links) {
    std::uint64_t longest = 0;
    for (const auto& [link, words] : cycle) {
      longest = std::max(longest, words);
      *counts.words += words;
    }
    *counts.messages += cycle.size();
    counts.longest->push_back(longest);
  }
  return counts;
}

TEST(PipelinedExchange, MovesAsEveryWordDoes) {
  for (unsigned n = 1; n <= 5; ++n) {
    const BuiltMachine machine(cube(n));
    for (const std::uint64_t b : {1U, 2U, 5U}) {
      const std::uint64_t all = b << (n - 1);
      for (const std::uint64_t packets : std::initializer_list<std::uint64_t>{1, 2, 3, 5, 16, all - 1, all}) {
        if (packets < 1 || packets > all) continue;
        const SpecCounts counts = walked(n, b, packets);
        expect_run(machine, pipelined, model_of(PortModel::all), cut_settings(b, packets), counts);
        expect_predicted(machine.predict(pipelined, model_of(PortModel::all), cut_settings(b, packets)), counts);
        EXPECT_EQ(counts.steps, packets + n - 1);
        EXPECT_EQ(sum_of(*counts.longest), all + (n - 1) * divided_up(all, packets));
        EXPECT_EQ(counts.messages, packets * n << n);
      }
    }
  }
}

// b = 6 on the 6-cube: 1,152 words in the longest messages as a whole, 222 in 32 packets, and at least 192.
TEST(PipelinedExchange, ComesNearTheBoundOfTheSixCube) {
  const BuiltMachine machine("hypercube:6");
  const auto run = [&](std::string_view method, std::optional<std::uint64_t> packets) {
    return machine.run(method, model_of(PortModel::all), cut_settings(6, packets)).report;
  };
  EXPECT_EQ(run(exchange, {}).longest_sum, 1152U);
  EXPECT_EQ(run(pipelined, 1).longest_sum, 1152U);
  EXPECT_EQ(run(pipelined, 32).longest_sum, 192U + 5 * 6);
  EXPECT_EQ(run(pipelined, 192).longest_sum, 192U + 5);
  EXPECT_EQ(run(interleaved, {}).longest_sum, 192U);
  EXPECT_EQ(bound(pipelined, "hypercube:6", block_settings(6), model_of(PortModel::all)), Bound(6, 192));
}

TEST(PipelinedExchange, TakesTheStartUpsOfAllPackets) {
  // 20 words a dimension in 3 packets of 7, 7 and 6: 3, 3 and 2 start-ups each, over 3 dimensions at 8 processors.
  Model model = model_of(PortModel::all);
  model.cost.max_packet_words = 3;
  const BuiltMachine machine("hypercube:3");
  const Report report = machine.run(pipelined, model, cut_settings(5, 3)).report;
  EXPECT_EQ(report.startups, 3U * 8 * (3 + 3 + 2));
  EXPECT_EQ(machine.predict(pipelined, model, cut_settings(5, 3)).startups->value, report.startups);
  EXPECT_DOUBLE_EQ(report.time_synchronous, 3 * (3 + 3 + 3 + 3 + 2) + 0.5 * (20 + 2 * 7));
}

// The least of (NU + n - 1) beta + (N b/2 + (n-1) ceil(N b/(2 NU))) tau over all numbers of packets.
TEST(PipelinedExchange, IsCutBestByDefault) {
  for (unsigned n = 1; n <= 7; ++n) {
    for (const std::uint64_t b : {1U, 6U, 40U}) {
      for (const double beta : {0.0, 0.5, 3.0, 700.0}) {
        Model model = model_of(PortModel::all);
        model.cost.beta = beta;
        const std::uint64_t all = b << (n - 1);
        const auto time = [&](std::uint64_t packets) {
          return static_cast<double>(packets + n - 1) * beta +
                 static_cast<double>(all + (n - 1) * divided_up(all, packets)) * 0.5;
        };
        double least = time(1);
        for (std::uint64_t packets = 2; packets <= all; ++packets) least = std::min(least, time(packets));
        const std::uint64_t chosen = *resolved(pipelined, cube(n), block_settings(b), model).packets;
        EXPECT_DOUBLE_EQ(time(chosen), least) << n << ", " << b << ", " << beta;
      }
    }
  }
}

TEST(PipelinedExchange, IsRefusedPacketsWithoutAWord) {
  EXPECT_EQ(refusal(pipelined, "hypercube:3", cut_settings(2, 9)), "--packets 9 is out of range: 1 to 8");
  EXPECT_EQ(refusal(pipelined, "hypercube:3", cut_settings(2, 0)), "--packets 0 is out of range: 1 to 8");
  for (const std::string_view method : {pipelined, interleaved}) {
    EXPECT_EQ(refusal(method, "hypercube:3", block_settings(0)), "--words 0 is out of range: 1 to 536870912");
    EXPECT_EQ(refusal(method, "hypercube:31", block_settings(3)), "--words 3 is out of range: 1 to 2");
    expect_defaults(method, "hypercube", PortModel::all);
    EXPECT_NE(violation(method, "hypercube:3", model_of(PortModel::one), cut_settings(2, 2)), "") << method;
    EXPECT_NE(violation(method, "hypercube:3", model_of(PortModel::all, Duplex::half_link), cut_settings(2, 2)), "");
  }
  EXPECT_EQ(resolved(pipelined, "hypercube:0").packets, 1U);
  for (const std::string_view method : {pipelined, interleaved}) {
    expect_run(BuiltMachine("hypercube:0"), method, model_of(PortModel::all), {}, nothing);
  }
}

// N/2 steps, in each of which a block crosses every link: the bound on words is met.
TEST(InterleavedExchange, KeepsAllLinksAtWork) {
  for (std::uint64_t n = 1; n <= 8; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    const BuiltMachine machine(cube(n));
    for (const std::uint64_t b : n <= 6 ? Lengths{1, 3, 20} : Lengths{1}) {
      const SpecCounts counts{.steps = N / 2,
                              .messages = n * N * (N / 2),
                              .words = n * N * (N / 2) * b,
                              .busiest_link_words = N / 2 * b,
                              .message_words = b,
                              .longest = Lengths(N / 2, b)};
      const Report report = expect_run(machine, interleaved, model_of(PortModel::all), block_settings(b), counts);
      for (std::uint64_t cycle = 0; cycle < N / 2; ++cycle) EXPECT_EQ(report.per_cycle[cycle].messages, n * N);
      EXPECT_EQ(report.longest_sum, bound(interleaved, cube(n), block_settings(b), model_of(PortModel::all)).second);
    }
  }
}

TEST(PipelinedExchange, CatchesEveryFault) {
  expect_catches_faults(pipelined, "hypercube:3", cut_settings(2, 3));
  expect_catches_faults(pipelined, "hypercube:2", cut_settings(3, 6));
  expect_catches_faults(interleaved, "hypercube:3", block_settings(2));
}

// In every order n steps of N/2 blocks, n N messages.
TEST(ExchangeInAnyOrder, CountsAsInTheOrderOfThePaper) {
  for (unsigned n = 1; n <= 4; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    const BuiltMachine machine(cube(n));
    std::vector<unsigned> order(n);
    std::iota(order.begin(), order.end(), 0U);
    do {
      std::string text;
      for (const unsigned dimension : order) text += (text.empty() ? "" : ",") + std::to_string(dimension);
      SCOPED_TRACE(text);
      Settings settings = block_settings(3);
      settings.order = text;
      for (const Duplex duplex : {Duplex::full, Duplex::half_node}) {
        const std::uint64_t f = duplex == Duplex::full ? 1 : 2;
        expect_run(machine, exchange, model_of(PortModel::one_strict, duplex), settings,
                   {.steps = f * n,
                    .messages = n * N,
                    .words = n * N * N / 2 * 3,
                    .message_words = N / 2 * 3,
                    .longest = Lengths(f * n, N / 2 * 3)});
      }
      if (n == 3) expect_catches_faults(exchange, cube(n), settings);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(ExchangeInAnyOrder, IsRefusedWhatIsNoOrder) {
  const auto said = [](const std::string& order) {
    Settings settings;
    settings.order = order;
    return refusal(exchange, "hypercube:3", settings);
  };
  EXPECT_EQ(said("2,0,1"), "");
  EXPECT_EQ(said("2,0"), "--order '2,0' names 2 dimensions; hypercube:3 has 3, each to be named once");
  EXPECT_EQ(said("2,0,2"), "--order '2,0,2' names dimension 2 twice");
  EXPECT_EQ(said("2,0,3"), "--order: dimension '3' is out of range: 0 to 2");
  EXPECT_NE(said("2,0,x").find("--order: dimension 'x'"), std::string::npos);
}

// The dimension named first is crossed first: in the first step only blocks for the other half leave, over it.
TEST(ExchangeInAnyOrder, CrossesTheFirstOneFirst) {
  Settings settings;
  settings.order = "1,2,0";
  const BuiltMachine machine("hypercube:3");
  const Model model = model_of(PortModel::one_strict);
  std::string said = noticed(machine, exchange, model, settings, {FaultKind::drop, 0});
  EXPECT_NE(said.find("port 1"), std::string::npos) << said;
}

}  // namespace
}  // namespace lockstep::alltoall_packets_test
