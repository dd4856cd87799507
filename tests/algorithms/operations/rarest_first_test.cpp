// The methods that send the rarest part first, against any-graph.md, Rarest first: P - 1 steps with one port, and with
// all ports ceil((2^n - 1)/n) on the n-cube, floor(P/2) on a ring, one on a complete graph; distances are from a search
// of their own.
#include <gtest/gtest.h>

#include <numeric>

#include "distances.hpp"
#include "method_run.hpp"

namespace lockstep::rarest_first_test {
namespace {

Settings words_settings(std::uint64_t words) {
  Settings settings;
  settings.words = words;
  return settings;
}

/// A part for every processor has b words; `steps` are those of the allgather.
void expect_all(const BuiltMachine& machine, PortModel ports, std::uint64_t steps, std::uint64_t b) {
  SCOPED_TRACE(machine.spec.text);
  const std::uint64_t p = machine.topology.processors();
  const std::uint64_t m = p * b;
  const auto expect = [&](std::string_view method, const Settings& settings, const SpecCounts& counts) {
    expect_run(machine, method, model_of(ports), settings, counts);
    expect_predicted(machine.predict(method, model_of(ports), settings), counts);
  };
  const std::uint64_t messages = p * (p - 1);
  expect("allgather/rarest-first", words_settings(b),
         {.steps = steps, .longest_sum = steps * b, .messages = messages, .words = messages * b});
  expect("reduce-scatter/rarest-first", words_settings(m),
         {.steps = steps, .longest_sum = steps * b, .messages = messages, .words = messages * b});
  expect("allreduce/rarest-first", words_settings(m),
         {.steps = 2 * steps, .longest_sum = 2 * steps * b, .messages = 2 * messages, .words = 2 * messages * b});
  if (ports != PortModel::one) return;
  for (const Rank root : {Rank{0}, static_cast<Rank>(p - 1)}) {
    const std::vector<Rank> distances = distances_from(machine.topology, root);
    const std::uint64_t hops = std::accumulate(distances.begin(), distances.end(), std::uint64_t{0});
    const std::uint64_t all = p - 1 + steps;
    Settings settings = words_settings(m);
    settings.root = root;
    const SpecCounts counts{
        .steps = all, .longest_sum = all * b, .messages = hops + messages, .words = (hops + messages) * b};
    expect("broadcast/scatter-rarest-first", settings, counts);
    expect("reduce/rarest-first", settings, counts);
  }
}

TEST(RarestFirst, TakesAStepForEveryOtherProcessorWithOnePort) {
  for (const char* text :
       {"ring:1", "ring:2", "ring:3", "ring:9", "path:2", "hypercube:0", "hypercube:3", "hypercube:4", "torus:3x4",
        "torus:3x5", "complete:1", "complete:7", "ccc:3", "star:4", "rh:2,1", "circulant:16,1,4"}) {
    const BuiltMachine machine(text);
    expect_all(machine, PortModel::one, machine.topology.processors() - 1, 3);
  }
}

TEST(RarestFirst, UsesAllPorts) {
  for (const std::uint64_t n : {1U, 2U, 3U, 4U, 5U, 6U}) {
    const std::uint64_t others = (std::uint64_t{1} << n) - 1;
    expect_all(BuiltMachine("hypercube:" + std::to_string(n)), PortModel::all, (others + n - 1) / n, 2);
  }
  for (const std::uint64_t p : {3U, 4U, 9U, 16U}) {
    expect_all(BuiltMachine("ring:" + std::to_string(p)), PortModel::all, p / 2, 2);
    expect_all(BuiltMachine("complete:" + std::to_string(p)), PortModel::all, 1, 2);
  }
}

// Parts of unequal length, and fewer words than processors; data only, as the plan decides where longer parts are.
TEST(RarestFirst, DividesAnyVector) {
  for (const char* text : {"path:7", "mesh:3x4", "pancake:4", "shuffle-exchange:4", "hypercube:3+1"}) {
    const BuiltMachine machine(text);
    for (const char* method : {"reduce-scatter/rarest-first", "allreduce/rarest-first",
                               "broadcast/scatter-rarest-first", "reduce/rarest-first"}) {
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        for (const std::uint64_t m : {std::uint64_t{1}, std::uint64_t{5}, 3 * machine.spec.processors + 2}) {
          SCOPED_TRACE(std::string(text) + " " + method + " " + std::to_string(m));
          const Outcome outcome = machine.run(method, model_of(ports), words_settings(m));
          EXPECT_EQ(outcome.wrong, "");
          const Prediction prediction = machine.predict(method, model_of(ports), words_settings(m));
          EXPECT_EQ(outcome.report.longest_sum, prediction.longest_sum->value);
          EXPECT_EQ(outcome.report.words, prediction.words->value);
          EXPECT_EQ(outcome.report.operations, prediction.operations ? prediction.operations->value : 0);
        }
      }
    }
  }
}

TEST(RarestFirst, CatchesFaults) {
  for (const char* method : {"allgather/rarest-first", "reduce-scatter/rarest-first", "allreduce/rarest-first",
                             "broadcast/scatter-rarest-first", "reduce/rarest-first"}) {
    expect_catches_faults(method, "mesh:3x2", words_settings(12));
  }
}

TEST(RarestFirst, RefusesMachinesTooLargeToPlan) {
  for (const char* method : {"allgather/rarest-first", "reduce-scatter/rarest-first", "allreduce/rarest-first",
                             "broadcast/scatter-rarest-first", "reduce/rarest-first"}) {
    EXPECT_EQ(refusal(method, "ring:513", words_settings(1)),
              std::string(method) + " plans for at most 512 processors; ring:513 has 513");
  }
}

}  // namespace
}  // namespace lockstep::rarest_first_test
