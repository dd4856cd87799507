// Schedules found by search: known optima, bounds, validity by the test's own walk, data on the emulator.
#include "lockstep/algorithms/synthesis.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "../../sanitized.hpp"
#include "../../temporary_directory.hpp"
#include "built_machine.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep::synthesis_test {
namespace {

const std::atomic<bool> go_on{false};

struct Searched {
  explicit Searched(const std::string& text) : machine(text), network(machine.spec, machine.topology) {}

  Synthesis find(const ChunkTask& task, PortModel ports, const SynthesisLimits& limits = {}) const {
    auto found = synthesize(task, network, ports, limits, go_on);
    if (!found) throw std::runtime_error("nothing was found");
    return *found;
  }
  ChunkCounts found_counts(const ChunkTask& task, PortModel ports, const SynthesisLimits& limits = {}) const {
    return counts(find(task, ports, limits).schedule, network);
  }
  Outcome carry(const ChunkSchedule& schedule, PortModel ports, std::uint64_t words = 3,
                const std::optional<Fault>& fault = {}) const {
    const auto executor = make_executor(ExecutorKind::sequential);
    const Model model = model_of(ports);
    const Settings settings = block_settings(words);
    RunOptions options;
    options.name = "search";
    return carry_out(
        {machine.spec, machine.topology, model, settings, *executor, options, {}, PlantedFault(fault).observer()},
        schedule);
  }

  BuiltMachine machine;
  SearchNetwork network;
};

std::string graph(const std::string& name) { return "graph:" LOCKSTEP_GRAPHS "/" + name; }

/// The error of a schedule; empty if there is none. Every processor's sums are multisets of ranks.
std::string walked(const ChunkSchedule& schedule, const Topology& topology, PortModel ports) {
  using Name = std::tuple<Rank, Rank, std::uint32_t>;
  const auto& [operation, root, chunks, owners] = schedule.task;
  const Rank nodes = schedule.nodes;
  std::vector<std::map<Name, std::multiset<Rank>>> held(nodes);
  std::vector<std::map<Name, std::multiset<Rank>>> wanted(nodes);
  for (Rank a = 0; a < nodes; ++a) {
    for (Rank b = 0; b < nodes; ++b) {
      for (std::uint32_t k = 0; k < chunks; ++k) {
        if (operation == "alltoall" && a != b) held[a][{a, b, k}] = wanted[b][{a, b, k}] = {a};
        if (operation == "allgather") wanted[b][{a, a, k}] = held[a][{a, a, k}] = {a};
        if (operation == "broadcast") wanted[b][{root, root, k}] = held[root][{root, root, k}] = {root};
        if (operation == "allreduce") {
          held[a][{b, b, k}] = {a};
          for (Rank each = 0; each < nodes; ++each) wanted[a][{b, b, k}].insert(each);
        }
      }
    }
  }
  for (const auto& moves : schedule.steps) {
    if (moves.empty()) return "an empty step";
    auto after = held;
    std::set<std::pair<Rank, Rank>> links;
    for (const ChunkMove& move : moves) {
      const Name name{move.origin, move.destination, move.chunk};
      if (topology.port_to(move.from, move.to) == topology.ports()) return "no link";
      links.emplace(move.from, move.to);
      if (!held[move.from].contains(name)) return "sends what it has not";
      const auto& brought = held[move.from].at(name);
      if (move.adds) {
        after[move.to][name].insert(brought.begin(), brought.end());
      } else {
        after[move.to][name] = brought;
      }
    }
    std::multiset<Rank> senders;
    std::multiset<Rank> receivers;
    for (const auto& [from, to] : links) {
      senders.insert(from);
      receivers.insert(to);
    }
    for (Rank rank = 0; rank < nodes && ports == PortModel::one; ++rank) {
      if (senders.count(rank) > 1 || receivers.count(rank) > 1) return "two messages at a port";
    }
    held = std::move(after);
  }
  for (Rank rank = 0; rank < nodes; ++rank) {
    for (const auto& [name, ranks] : wanted[rank]) {
      if (!held[rank].contains(name)) return "lacks a chunk";
      if (held[rank].at(name) != ranks) return "has other summands";
    }
  }
  return {};
}

/// Machine, operation, ports and chunks.
using Case = std::tuple<std::string, std::string, std::string, std::uint32_t>;

class SynthesisOn : public ::testing::TestWithParam<Case> {};

// The walk, the library's own check, the run with its oracle and the counts agree, and no bound is beaten.
TEST_P(SynthesisOn, IsRight) {
  const auto& [text, operation, name_of_ports, chunks] = GetParam();
  const PortModel ports = name_of_ports == "all" ? PortModel::all : PortModel::one;
  const Searched searched(text);
  const Rank last = searched.network.nodes - 1;
  const ChunkTask task{operation, operation == "broadcast" ? last : 0, chunks};
  constexpr std::uint64_t tries = sanitized ? 300 : 3000;
  const Synthesis found = searched.find(task, ports, {.tries = tries, .seed = 7});
  EXPECT_EQ(walked(found.schedule, searched.machine.topology, ports), "");
  EXPECT_NO_THROW(check(found.schedule, searched.network, ports));
  EXPECT_LE(found.tries, tries);
  const ChunkCounts its = counts(found.schedule, searched.network);
  const ChunkBound bound = chunk_bound(task, searched.network, ports);
  EXPECT_GE(its.steps, bound.steps);
  EXPECT_GE(its.rounds, bound.rounds);
  const Outcome outcome = searched.carry(found.schedule, ports);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome.report.steps, its.steps);
  EXPECT_EQ(outcome.report.messages, its.messages);
  EXPECT_EQ(outcome.report.words, 3 * its.moves);
  EXPECT_EQ(outcome.report.longest_sum, 3 * its.longest_sum);
  // No processor receives a chunk twice.
  const std::uint64_t p = searched.network.nodes;
  const std::map<std::string, std::uint64_t> moves{
      {"allgather", p * (p - 1)}, {"broadcast", p - 1}, {"allreduce", 2 * p * (p - 1)}};
  if (moves.contains(operation)) {
    EXPECT_EQ(its.moves, moves.at(operation) * chunks);
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, SynthesisOn,
                         ::testing::Combine(::testing::Values("path:1", "path:2", "ring:2", "ring:5", "path:6",
                                                              "complete:5", "hypercube:3", "mesh:3x3", "torus:3x3",
                                                              "mesh:4x2", "rh:2,1", "ccc:3", graph("petersen.json"),
                                                              graph("dgx1.json")),
                                            ::testing::Values("allgather", "broadcast", "alltoall", "allreduce"),
                                            ::testing::Values("one", "all"), ::testing::Values(1U, 3U)));

struct Optimum {
  std::string machine;
  std::string operation;
  PortModel ports;
  std::uint64_t steps;
  std::uint64_t rounds;
};

// Steps: the diameter, or ceil(log2 P) with one port. Rounds: the chunks that one processor must receive over its
// links, or for alltoall the chunks that all links must carry.
TEST(Synthesis, FindsWhatIsKnownToBeOptimal) {
  const auto one = PortModel::one;
  const auto all = PortModel::all;
  for (const Optimum& known : std::vector<Optimum>{{"ring:8", "allgather", all, 4, 4},
                                                   {"ring:8", "allgather", one, 4, 7},
                                                   {"ring:8", "alltoall", all, 4, 8},
                                                   {"complete:6", "allgather", all, 1, 1},
                                                   {"complete:6", "allgather", one, 3, 5},
                                                   {"complete:8", "broadcast", one, 3, 3},
                                                   {"hypercube:3", "allgather", all, 3, 3},
                                                   {"hypercube:3", "allgather", one, 3, 7},
                                                   {"hypercube:3", "alltoall", all, 3, 4},
                                                   {"hypercube:4", "allgather", all, 4, 4},
                                                   {"hypercube:4", "broadcast", one, 4, 4},
                                                   {"hypercube:4", "allgather", one, 4, 15},
                                                   {"torus:4x4", "allgather", one, 4, 15},
                                                   {"torus:4x4", "alltoall", one, 4, 32},
                                                   {graph("petersen.json"), "allgather", all, 2, 3},
                                                   {graph("petersen.json"), "broadcast", all, 2, 2},
                                                   {"mesh:3x3", "allgather", all, 4, 4},
                                                   {"torus:3x3", "allgather", all, 2, 2},
                                                   {"torus:3x3", "alltoall", all, 2, 3},
                                                   {"mesh:4x4", "allgather", all, 6, 8},
                                                   {"torus:4x4", "allgather", all, 4, 4},
                                                   {"torus:4x4", "alltoall", all, 4, 8}}) {
    const Searched searched(known.machine);
    const ChunkCounts found = searched.found_counts({known.operation, 0, 1}, known.ports);
    EXPECT_EQ(found.steps, known.steps) << known.machine << " " << known.operation;
    EXPECT_EQ(found.rounds, known.rounds) << known.machine << " " << known.operation;
  }
}

struct Sccl {
  std::uint32_t chunks;
  std::uint64_t steps;
  std::uint64_t rounds;
};

// The instances that SCCL's tool reports as synthesized for the NVLinks of a DGX-1 (docs/search.md).
TEST(Synthesis, FindsAllgathersOfSccl) {
  const Searched searched(graph("dgx1.json"));
  ASSERT_TRUE(searched.network.has_multiplicities);
  for (const auto& [chunks, steps, rounds] :
       std::vector<Sccl>{{1, 2, 2}, {2, 2, 3}, {3, 3, 4}, {4, 3, 5}, {5, 3, 6}, {6, 3, 7}}) {
    const ChunkCounts found = searched.found_counts({"allgather", 0, chunks}, PortModel::all, {.steps = steps});
    EXPECT_LE(found.steps, steps) << chunks;
    EXPECT_EQ(found.rounds, rounds) << chunks;
  }
}

TEST(Synthesis, KnowsItsBounds) {
  const auto bound = [](const std::string& text, const ChunkTask& task, PortModel ports) {
    const Searched searched(text);
    const ChunkBound its = chunk_bound(task, searched.network, ports);
    return std::pair(its.steps, its.rounds);
  };
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  const auto one = PortModel::one;
  const auto all = PortModel::all;
  EXPECT_EQ(bound("path:1", {"allgather", 0, 4}, all), Pair(0, 0));
  EXPECT_EQ(bound(graph("petersen.json"), {"allgather", 0, 1}, all), Pair(2, 3));
  EXPECT_EQ(bound(graph("petersen.json"), {"allgather", 0, 1}, one), Pair(4, 9));
  EXPECT_EQ(bound(graph("dgx1.json"), {"allgather", 0, 6}, all), Pair(2, 7));
  EXPECT_EQ(bound(graph("dgx1.json"), {"alltoall", 0, 3}, all), Pair(2, 8));  // 16 * 3 chunks over 6 cables
  EXPECT_EQ(bound("path:4", {"broadcast", 0, 5}, all), Pair(3, 7));
  EXPECT_EQ(bound("complete:8", {"broadcast", 0, 5}, one), Pair(3, 7));  // n - 1 + ceil(log2 P)
  EXPECT_EQ(bound("path:4", {"alltoall", 0, 1}, all), Pair(3, 4));
  EXPECT_EQ(bound("ring:4", {"allreduce", 0, 1}, one), Pair(2, 6));  // 2 (P - 1)
}

// --steps: fewer rounds where more steps are allowed, and nothing where too few are.
TEST(Synthesis, KeepsToTheStepsAllowed) {
  const Searched searched("path:4");
  EXPECT_FALSE(synthesize({"broadcast", 0, 5}, searched.network, PortModel::all, {.steps = 2}, go_on));
  EXPECT_EQ(searched.found_counts({"broadcast", 0, 5}, PortModel::all, {.steps = 3}).rounds, 15U);
  const ChunkCounts pipelined = searched.found_counts({"broadcast", 0, 5}, PortModel::all, {.steps = 7});
  EXPECT_EQ(pipelined.steps, 7U);
  EXPECT_EQ(pipelined.rounds, 7U);
}

TEST(Synthesis, IsTheSameForTheSameSeed) {
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    const Searched searched("mesh:3x3");
    const auto steps = [&] {
      return searched.find({"alltoall", 0, 2}, ports, {.tries = 2000, .seed = 3}).schedule.steps;
    };
    EXPECT_EQ(steps(), steps());
  }
}

TEST(Synthesis, StopsOnRequest) {
  const Searched searched("mesh:4x4");
  const std::atomic<bool> stop{true};
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    EXPECT_FALSE(synthesize({"alltoall", 0, 1}, searched.network, ports, {}, stop));
  }
}

// Cut as soon as there is a schedule: one that is right, though longer than that of the whole search.
TEST(Synthesis, IsCutWithTheBestSoFar) {
  for (const std::string operation : {"alltoall", "allgather", "allreduce"}) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      const Searched searched("mesh:4x4");
      std::uint64_t asked_with_one = 0;
      const auto until_there_is_one = [&](const SynthesisProgress& progress) {
        asked_with_one += progress.steps > 0 ? 1U : 0U;
        return progress.steps == 0;
      };
      const Synthesis cut = searched.find({operation, 0, 2}, ports, {.tries = 3000, .goes_on = until_there_is_one});
      EXPECT_EQ(asked_with_one, 1U) << operation;
      EXPECT_TRUE(cut.is_cut);
      check(cut.schedule, searched.network, ports);
      EXPECT_EQ(searched.carry(cut.schedule, ports).wrong, "");
      const Synthesis whole = searched.find({operation, 0, 2}, ports, {.tries = 3000});
      EXPECT_FALSE(whole.is_cut);
      const ChunkCounts of_cut = counts(cut.schedule, searched.network);
      const ChunkCounts of_whole = counts(whole.schedule, searched.network);
      EXPECT_GE(std::pair(of_cut.steps, of_cut.rounds), std::pair(of_whole.steps, of_whole.rounds)) << operation;
    }
  }
}

// From a schedule, with no tries left for another: never worse, and no other steps.
TEST(Synthesis, GoesOnFromASchedule) {
  for (const std::string operation : {"alltoall", "allgather", "broadcast", "allreduce"}) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      const Searched searched("mesh:3x3");
      const ChunkTask task{operation, 0, 3};
      const ChunkSchedule first = searched.find(task, ports, {.tries = 20, .seed = 5}).schedule;
      std::uint64_t trees = 0;
      const auto count = [&](const SynthesisProgress& progress) {
        EXPECT_GT(progress.steps, 0U);  // there is a schedule from the beginning
        return ++trees < 2000;
      };
      const SynthesisLimits from{.tries = 100'000, .seed = 6, .from = &first, .goes_on = count};
      const ChunkSchedule second = searched.find(task, ports, from).schedule;
      check(second, searched.network, ports);
      const auto merit = [&](const ChunkSchedule& one) {
        const ChunkCounts its = counts(one, searched.network);
        return std::pair(its.steps, its.rounds);
      };
      EXPECT_LE(merit(second), merit(first)) << operation;
      const SynthesisLimits none{.tries = 0, .from = &first};
      EXPECT_LE(merit(searched.find(task, ports, none).schedule), merit(first)) << operation;
    }
  }
}

// A dimension exchange is no reduce-scatter with an allgather after it: the search begins anew.
TEST(Synthesis, DoesNotGoOnFromAnotherKindOfAllreduce) {
  const Searched searched("path:2");
  ChunkSchedule exchange{.task = {"allreduce", 0, 1}, .nodes = 2, .steps = {{}}};
  for (const Rank rank : {0U, 1U}) {
    for (const Rank part : {0U, 1U}) exchange.steps[0].push_back({rank, 1 - rank, part, part, 0, true});
  }
  check(exchange, searched.network, PortModel::one);
  const ChunkSchedule found = searched.find({"allreduce", 0, 1}, PortModel::one, {.from = &exchange}).schedule;
  EXPECT_EQ(found.steps.size(), 2U);
  check(found, searched.network, PortModel::one);
}

/// Calls damage(schedule) on a copy; returns the errors of check() and of the walk.
template <class Damage>
std::pair<std::string, std::string> damaged(const Searched& searched, ChunkSchedule schedule, PortModel ports,
                                            const Damage& damage) {
  damage(schedule);
  std::string said;
  try {
    check(schedule, searched.network, ports);
  } catch (const ScheduleError& error) {
    said = error.what();
  }
  return {said, walked(schedule, searched.machine.topology, ports)};
}

TEST(Synthesis, FaultsAreSeen) {
  const Searched searched("hypercube:3");
  const ChunkSchedule gather = searched.find({"allgather", 0, 2}, PortModel::all).schedule;
  const ChunkSchedule reduce = searched.find({"allreduce", 0, 1}, PortModel::one).schedule;
  const auto all = PortModel::all;
  const auto refused = [](const std::pair<std::string, std::string>& said, const std::string& text) {
    EXPECT_NE(said.first.find(text), std::string::npos) << said.first;
    EXPECT_NE(said.second, "") << text;
  };
  refused(damaged(searched, gather, all,
                  [](ChunkSchedule& one) {
                    std::erase_if(one.steps.front(), [](const ChunkMove& move) { return move.origin == 0; });
                  }),
          "which it does not hold");
  refused(damaged(searched, gather, all, [](ChunkSchedule& one) { one.steps.back().pop_back(); }), "lacks chunk");
  refused(damaged(searched, gather, all, [](ChunkSchedule& one) { one.steps.front().front().to ^= 7; }), "no link");
  refused(damaged(searched, gather, all, [](ChunkSchedule& one) { one.steps.front().clear(); }), "no processor sends");
  refused(damaged(searched, gather, PortModel::one, [](ChunkSchedule&) {}), "two messages");
  refused(damaged(searched, reduce, PortModel::one,
                  [](ChunkSchedule& one) { one.steps.insert(one.steps.begin(), one.steps.front()); }),
          "the summand of processor");
  refused(damaged(searched, reduce, PortModel::one, [](ChunkSchedule& one) { one.steps.front().front().adds = false; }),
          "lacks summands");
  // On the machine: a word that changes on its way.
  for (const ChunkSchedule& schedule : {gather, reduce}) {
    const PortModel ports = schedule.task.operation == "allreduce" ? PortModel::one : all;
    EXPECT_EQ(searched.carry(schedule, ports).wrong, "");
    const Fault fault{.kind = FaultKind::corrupt, .transfer = 5};
    EXPECT_NE(searched.carry(schedule, ports, 3, fault).wrong, "");
  }
}

// `lockstep validate` reads the schedules that are written of single chunks.
TEST(Synthesis, IsWrittenAsOtherSchedulesAre) {
  const Searched searched(graph("petersen.json"));
  for (const std::string operation : {"allgather", "broadcast", "alltoall"}) {
    const ChunkSchedule found = searched.find({operation, 0, 1}, PortModel::all).schedule;
    const test::TemporaryDirectory directory;
    const std::string path = directory.file("schedule.json");
    std::ofstream(path) << found_schedule_text(found, "graph:petersen.json");
    const Schedule read = read_schedule(path, 10);
    EXPECT_EQ(read.task.operation, operation);
    EXPECT_EQ(read.steps.size(), found.steps.size());
    EXPECT_NO_THROW(validate(read, searched.machine.topology, model_of(PortModel::all)));
    EXPECT_EQ(in_chunks(read, 1).steps, found.steps);
  }
  const Searched pair("path:2");
  EXPECT_EQ(found_schedule_text(pair.find({"allreduce", 0, 1}, PortModel::one).schedule, "path:2"),
            R"({
  "schema": 1,
  "machine": "path:2",
  "algorithm": "search",
  "operation": "allreduce",
  "processors": 2,
  "chunks": 1,
  "steps": [
    [{"from":0,"to":1,"adds":true,"blocks":[[1,0]]},{"from":1,"to":0,"adds":true,"blocks":[[0,0]]}],
    [{"from":0,"to":1,"blocks":[[0,0]]},{"from":1,"to":0,"blocks":[[1,0]]}]
  ]
}
)");
}

}  // namespace
}  // namespace lockstep::synthesis_test
