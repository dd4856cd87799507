// The methods that gossip, against any-graph.md, Gossip: with all ports as many steps as the diameter, by distances
// from a search of their own; with one port at least log2 P, and on these machines at most P.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "distances.hpp"
#include "method_run.hpp"

namespace lockstep::gossip_test {
namespace {

constexpr auto methods = {"allgather/gossip", "reduce-scatter/gossip", "allreduce/gossip"};
constexpr auto all_methods = {"allgather/gossip", "reduce-scatter/gossip", "allreduce/gossip",
                              "broadcast/scatter-gossip", "reduce/gossip"};

Settings words_settings(std::uint64_t words) {
  Settings settings;
  settings.words = words;
  return settings;
}

std::uint64_t diameter(const Topology& topology) {
  std::uint64_t most = 0;
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    most = std::max<std::uint64_t>(most, std::ranges::max(distances_from(topology, rank)));
  }
  return most;
}

/// What a run of the method counts, after comparing it with the prediction.
Report counted(const BuiltMachine& machine, const char* method, PortModel ports, std::uint64_t words) {
  SCOPED_TRACE(machine.spec.text + " " + method + " " + std::to_string(words));
  const Outcome outcome = machine.run(method, model_of(ports), words_settings(words));
  EXPECT_EQ(outcome.wrong, "");
  const Prediction prediction = machine.predict(method, model_of(ports), words_settings(words));
  EXPECT_EQ(outcome.report.steps, prediction.steps->value);
  EXPECT_EQ(outcome.report.messages, prediction.messages->value);
  EXPECT_EQ(outcome.report.words, prediction.words->value);
  EXPECT_EQ(outcome.report.longest_sum, prediction.longest_sum->value);
  EXPECT_EQ(outcome.report.operations, prediction.operations ? prediction.operations->value : 0);
  return outcome.report;
}

/// A part for every processor has b words.
void expect_words(const BuiltMachine& machine, PortModel ports, std::uint64_t least_steps, std::uint64_t most_steps) {
  SCOPED_TRACE(machine.spec.text);
  const std::uint64_t p = machine.topology.processors();
  constexpr std::uint64_t b = 3;
  for (const char* method : methods) {
    const bool is_allreduce = std::string_view(method) == "allreduce/gossip";
    const std::uint64_t halves = is_allreduce ? 2 : 1;
    const bool takes_blocks = std::string_view(method) == "allgather/gossip";
    const Report report = counted(machine, method, ports, takes_blocks ? b : p * b);
    EXPECT_GE(report.steps, halves * least_steps) << method;
    EXPECT_LE(report.steps, halves * most_steps) << method;
    EXPECT_EQ(report.words, halves * p * (p - 1) * b) << method;
    if (ports == PortModel::one) {
      EXPECT_GE(report.longest_sum, halves * (p - 1) * b) << method;
    }
  }
}

TEST(Gossip, TakesTheDiameterWithAllPorts) {
  for (const char* text : {"ring:1", "ring:2", "ring:9", "ring:16", "path:7", "hypercube:0", "hypercube:4", "torus:3x5",
                           "torus:4x4", "mesh:3x4", "complete:7", "ccc:3", "star:4", "pancake:4", "rh:2,1",
                           "shuffle-exchange:4", "hypercube:3+1", "circulant:16,1,4"}) {
    const BuiltMachine machine(text);
    const std::uint64_t steps = diameter(machine.topology);
    expect_words(machine, PortModel::all, steps, steps);
  }
}

TEST(Gossip, DoublesAtBestWithOnePort) {
  for (const char* text : {"ring:2", "ring:9", "path:7", "hypercube:4", "torus:3x5", "mesh:3x4", "complete:7", "ccc:3",
                           "star:4", "pancake:4", "rh:2,1", "hypercube:3+1", "circulant:16,1,4"}) {
    const BuiltMachine machine(text);
    std::uint64_t doublings = 0;
    while ((std::uint64_t{1} << doublings) < machine.spec.processors) ++doublings;
    expect_words(machine, PortModel::one, std::max(doublings, diameter(machine.topology)), machine.spec.processors);
  }
}

// A broadcast's parts first go down a tree, and those of a reduction's result come up one.
TEST(Gossip, BringsPartsDownOrUpATreeOfShortestPaths) {
  for (const char* text : {"ring:1", "ring:2", "ring:9", "path:7", "hypercube:4", "torus:3x5", "mesh:3x4", "complete:7",
                           "ccc:3", "star:4", "rh:2,1", "shuffle-exchange:4", "hypercube:3+1"}) {
    const BuiltMachine machine(text);
    const std::uint64_t p = machine.spec.processors;
    const auto distances = distances_from(machine.topology, 0);
    const std::uint64_t sum = std::accumulate(distances.begin(), distances.end(), std::uint64_t{0});
    for (const char* method : {"broadcast/scatter-gossip", "reduce/gossip"}) {
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        const Report report = counted(machine, method, ports, 3 * p);
        EXPECT_EQ(report.words, 3 * (p * (p - 1) + sum)) << method;
        const std::uint64_t least = std::ranges::max(distances) + diameter(machine.topology);
        if (ports == PortModel::all) {
          EXPECT_EQ(report.steps, least) << method;
        } else {
          EXPECT_GE(report.steps, least) << method;
        }
      }
    }
  }
}

/// The fewest rounds in which all processors hear of processor 0 if in each all send over their ports of one number.
std::uint64_t fewest_rounds_of_ports(const Topology& topology) {
  std::set<std::vector<bool>> reached{{}};
  std::vector<bool> first(topology.processors());
  first[0] = true;
  reached = {first};
  for (std::uint64_t rounds = 0;; ++rounds) {
    if (std::ranges::any_of(reached, [](const auto& set) { return std::ranges::count(set, false) == 0; }))
      return rounds;
    std::set<std::vector<bool>> next;
    for (const std::vector<bool>& set : reached) {
      for (Port port = 0; port < topology.ports(); ++port) {
        std::vector<bool> after = set;
        for (Rank rank = 0; rank < topology.processors(); ++rank) {
          if (set[rank]) after[topology.peer(rank, port).rank] = true;
        }
        next.insert(std::move(after));
      }
    }
    reached = std::move(next);
  }
}

// Where all processors look alike through their ports, what they hear of processor 0 they hear of all others.
TEST(Gossip, TakesNoMoreStepsThanRoundsOfPorts) {
  for (const auto& [text, most] : {std::pair("star:4", 6U),
                                   {"pancake:4", 5U},
                                   {"ccc:3", 7U},
                                   {"hypercube:4", 4U},
                                   {"torus:3x5", 6U},
                                   {"ring:9", 8U},
                                   {"circulant:16,1,4", 6U}}) {
    const BuiltMachine machine(text);
    EXPECT_EQ(fewest_rounds_of_ports(machine.topology), most) << text;
    EXPECT_LE(counted(machine, "allgather/gossip", PortModel::one, 3).steps, most) << text;
  }
}

// A barrier has the messages of the allgather, without words. Its run is judged: nobody leaves before all have arrived.
TEST(Gossip, TellsOfArrivals) {
  for (const char* text : {"ring:1", "ring:9", "path:7", "hypercube:4", "torus:3x5", "mesh:3x4", "complete:7", "ccc:3",
                           "star:4", "pancake:4", "rh:2,1", "shuffle-exchange:4", "hypercube:3+1"}) {
    const BuiltMachine machine(text);
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      SCOPED_TRACE(std::string(text) + " " + std::string(name(ports)));
      const Prediction allgather = machine.predict("allgather/gossip", model_of(ports), words_settings(1));
      Settings settings;
      const Outcome punctual = machine.run("barrier/gossip", model_of(ports), settings);
      EXPECT_EQ(punctual.wrong, "");
      EXPECT_EQ(punctual.report.steps, allgather.steps->value);
      EXPECT_EQ(punctual.report.messages, allgather.messages->value);
      EXPECT_EQ(punctual.report.words, 0U);
      const Prediction prediction = machine.predict("barrier/gossip", model_of(ports), settings);
      EXPECT_EQ(punctual.report.steps, prediction.steps->value);
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        settings.arrivals = 20;
        settings.seed = seed;
        const Outcome late = machine.run("barrier/gossip", model_of(ports), settings);
        EXPECT_EQ(late.wrong, "") << seed;
        EXPECT_EQ(late.report.messages, allgather.messages->value) << seed;
        // Nobody leaves later than if all had begun when the last one arrived.
        EXPECT_LE(late.report.cycles, late.measures.front().value + allgather.steps->value) << seed;
      }
    }
  }
  expect_catches_faults("barrier/gossip", "mesh:3x2", {}, {}, {FaultKind::drop, FaultKind::repeat, FaultKind::swap});
  EXPECT_EQ(refusal("barrier/gossip", "ring:513", {}),
            "barrier/gossip plans for at most 512 processors; ring:513 has 513");
}

// On a ring with all ports two blocks come in a step, and the last one of an even number alone; on a complete graph
// each comes over its own link.
TEST(Gossip, SharesOutBlocksAmongLinks) {
  for (const std::uint64_t p : {3U, 4U, 9U, 16U}) {
    const BuiltMachine ring("ring:" + std::to_string(p));
    const BuiltMachine complete("complete:" + std::to_string(p));
    EXPECT_EQ(counted(ring, "allgather/gossip", PortModel::all, 5).longest_sum, p / 2 * 5);
    EXPECT_EQ(counted(complete, "allgather/gossip", PortModel::all, 5).longest_sum, 5U);
    EXPECT_EQ(counted(complete, "allreduce/gossip", PortModel::all, 5 * p).longest_sum, 10U);
  }
}

// Parts of unequal length, and fewer words than processors.
TEST(Gossip, DividesAnyVector) {
  for (const char* text : {"path:7", "mesh:3x4", "pancake:4", "shuffle-exchange:4", "hypercube:3+1"}) {
    const BuiltMachine machine(text);
    for (const char* method :
         {"reduce-scatter/gossip", "allreduce/gossip", "broadcast/scatter-gossip", "reduce/gossip"}) {
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        for (const std::uint64_t m : {std::uint64_t{1}, std::uint64_t{5}, 3 * machine.spec.processors + 2}) {
          counted(machine, method, ports, m);
        }
      }
    }
  }
}

TEST(Gossip, CatchesFaults) {
  for (const char* method : all_methods) expect_catches_faults(method, "mesh:3x2", words_settings(12));
}

TEST(Gossip, RefusesMachinesTooLargeToPlan) {
  for (const char* method : all_methods) {
    EXPECT_EQ(refusal(method, "ring:513", words_settings(1)),
              std::string(method) + " plans for at most 512 processors; ring:513 has 513");
  }
}

}  // namespace
}  // namespace lockstep::gossip_test
