// Allreduce and scans whose messages are those of a gossip, with values combined, against any-graph.md, Gossip of sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "distances.hpp"
#include "method_run.hpp"

namespace lockstep::gossip_sums_test {
namespace {

constexpr auto methods = {"allreduce/gossip-sums", "scan/gossip-sums", "exscan/gossip-sums"};

Settings settings_of(std::uint64_t words, const char* chosen = "sum") {
  Settings settings;
  settings.words = words;
  settings.operator_name = chosen;
  return settings;
}

/// What a run of the method counts, after comparing it with the prediction.
Report counted(const BuiltMachine& machine, const char* method, PortModel ports, const Settings& settings) {
  SCOPED_TRACE(machine.spec.text + " " + method + " " + *settings.operator_name + " " +
               std::to_string(*settings.words));
  const Outcome outcome = machine.run(method, model_of(ports), settings);
  EXPECT_EQ(outcome.wrong, "");
  const Prediction prediction = machine.predict(method, model_of(ports), settings);
  EXPECT_EQ(outcome.report.steps, prediction.steps->value);
  EXPECT_EQ(outcome.report.messages, prediction.messages->value);
  EXPECT_EQ(outcome.report.words, prediction.words->value);
  EXPECT_EQ(outcome.report.longest_sum, prediction.longest_sum->value);
  EXPECT_EQ(outcome.report.operations, prediction.operations ? prediction.operations->value : 0);
  return outcome.report;
}

// The value of the one of two processors farthest apart comes to the other in a scan too.
TEST(GossipSums, TakeTheDiameterWithAllPorts) {
  for (const char* text : {"ring:1", "ring:2", "ring:9", "ring:16", "path:7", "hypercube:0", "hypercube:4", "torus:3x5",
                           "mesh:3x4", "complete:7", "ccc:3", "star:4", "pancake:4", "rh:2,1", "shuffle-exchange:4",
                           "hypercube:3+1", "circulant:16,1,4"}) {
    const BuiltMachine machine(text);
    std::uint64_t diameter = 0;
    for (Rank rank = 0; rank < machine.topology.processors(); ++rank) {
      diameter = std::max<std::uint64_t>(diameter, std::ranges::max(distances_from(machine.topology, rank)));
    }
    for (const char* method : methods) {
      EXPECT_EQ(counted(machine, method, PortModel::all, settings_of(3)).steps, diameter) << text << ' ' << method;
    }
  }
}

// With one port, on a hypercube, the exchange over the dimensions: a message is one sum.
TEST(GossipSums, ExchangeOverTheDimensionsOfAHypercube) {
  constexpr std::uint64_t m = 5;
  for (std::uint64_t q = 0; q <= 6; ++q) {
    const BuiltMachine machine("hypercube:" + std::to_string(q));
    const std::uint64_t p = std::uint64_t{1} << q;
    for (const char* chosen : {"sum", "concat"}) {  // in any order, and in that of the ranks
      const Report all = counted(machine, "allreduce/gossip-sums", PortModel::one, settings_of(m, chosen));
      EXPECT_EQ(all.steps, q);
      EXPECT_EQ(all.longest_sum, q * m);
      EXPECT_EQ(all.words, q * p * m);
      // What no one needs is not sent: Hillis and Steele's scan has as many messages.
      const Report scan = counted(machine, "scan/gossip-sums", PortModel::one, settings_of(m, chosen));
      EXPECT_EQ(scan.steps, q);
      EXPECT_EQ(scan.longest_sum, q * m);
      EXPECT_EQ(scan.messages, p * q - (p - 1));
      EXPECT_EQ(scan.words, scan.messages * m);
    }
    EXPECT_EQ(counted(machine, "allreduce/gossip-sums", PortModel::one, settings_of(m)).operations, q * p * m);
  }
}

// On a path with all ports, values follow one another, one in each direction a step; on a complete graph all come at
// once. A scan has those messages that go upwards.
TEST(GossipSums, HaveTheValuesOfPathsAndCompleteGraphs) {
  constexpr std::uint64_t m = 4;
  for (const std::uint64_t p : {2U, 3U, 7U, 16U}) {
    const BuiltMachine path("path:" + std::to_string(p));
    const BuiltMachine complete("complete:" + std::to_string(p));
    for (const BuiltMachine* machine : {&path, &complete}) {
      const std::uint64_t steps = machine == &path ? p - 1 : 1;
      const std::uint64_t pairs = p * (p - 1) / 2;
      const Report all = counted(*machine, "allreduce/gossip-sums", PortModel::all, settings_of(m));
      EXPECT_EQ(all.messages, 2 * pairs);
      EXPECT_EQ(all.words, 2 * pairs * m);
      EXPECT_EQ(all.longest_sum, steps * m);
      EXPECT_EQ(all.operations, 2 * pairs * m);
      const Report scan = counted(*machine, "scan/gossip-sums", PortModel::all, settings_of(m));
      EXPECT_EQ(scan.messages, pairs);
      EXPECT_EQ(scan.operations, pairs * m);
      const Report exscan = counted(*machine, "exscan/gossip-sums", PortModel::all, settings_of(m));
      EXPECT_EQ(exscan.messages, pairs);
      EXPECT_EQ(exscan.operations, (pairs - (p - 1)) * m);
    }
  }
}

// Generators whose subsets have all products, each once: on pancake:4 flips of 2, 4, 3, 2, 4, so that a message is one
// sum, and there are as few steps as doubling takes.
TEST(GossipSums, DoubleOnPancakes) {
  const Report report = counted(BuiltMachine("pancake:4"), "allreduce/gossip-sums", PortModel::one, settings_of(3));
  EXPECT_EQ(report.steps, 5U);
  EXPECT_EQ(report.longest_sum, 15U);
}

TEST(GossipSums, CombineByEveryOperator) {
  for (const char* text : {"ring:9", "path:7", "torus:3x5", "mesh:4x4", "ccc:3", "star:4", "pancake:4", "rh:2,1",
                           "shuffle-exchange:4", "hypercube:3+1", "circulant:16,1,4", "complete:13"}) {
    const BuiltMachine machine(text);
    for (const char* method : methods) {
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        for (const char* chosen : {"min", "and", "matrix2", "concat"}) {
          counted(machine, method, ports, settings_of(std::string_view(chosen) == "matrix2" ? 8 : 3, chosen));
        }
      }
    }
  }
}

TEST(GossipSums, CatchFaults) {
  for (const char* method : methods) {
    for (const char* chosen : {"sum", "max", "concat"}) {
      expect_catches_faults(method, "mesh:3x2", settings_of(12, chosen));
    }
  }
}

TEST(GossipSums, RefuseMachinesTooLargeToPlan) {
  for (const char* method : methods) {
    EXPECT_EQ(refusal(method, "ring:513", settings_of(1)),
              std::string(method) + " plans for at most 512 processors; ring:513 has 513");
  }
}

}  // namespace
}  // namespace lockstep::gossip_sums_test
