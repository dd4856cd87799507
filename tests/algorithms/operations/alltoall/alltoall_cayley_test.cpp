// alltoall/cayley (dimakopoulos.md, Cayley graphs): T = AS, with every node sending and receiving in every step.
#include <gtest/gtest.h>

#include "distances.hpp"
#include "lockstep/algorithms/schedule.hpp"
#include "lockstep/machines/cayley.hpp"
#include "total_exchange.hpp"

namespace lockstep::alltoall_cayley_test {
namespace {

constexpr std::string_view cayley = "alltoall/cayley";

void expect_optimal(const std::string& text, std::uint64_t T) {
  SCOPED_TRACE(text);
  const BuiltMachine machine(text);
  const std::uint64_t n = machine.topology.processors();
  for (const std::uint64_t b : {1, 3}) {
    const Report report = expect_total_exchange(cayley, machine, T, n * T, b);
    EXPECT_EQ(report.peak_words_held, (n - 1) * b);  // a forwarded block makes room for the next
  }
  expect_bound(cayley, text, PortModel::one, T);

  const auto schedule = cayley_schedule(machine.spec);
  EXPECT_EQ(schedule->steps(), T);
  for (std::uint64_t step = 0; step < T; ++step) ASSERT_EQ(schedule->moves(step).size(), n) << "step " << step;
  EXPECT_NO_THROW(validate(*schedule, machine.topology));
}

/// AS of a machine that looks alike from every processor, by breadth-first search.
std::uint64_t status(const std::string& text) {
  std::uint64_t sum = 0;
  for (const Rank distance : distances_from(BuiltMachine(text).topology, 0)) sum += distance;
  return sum;
}

TEST(AlltoallCayley, TakesTheAverageStatusOnHypercubes) {
  expect_optimal("hypercube:0", 0);
  for (std::uint64_t d = 1; d <= 6; ++d) expect_optimal(cube(d), d << (d - 1));
}

TEST(AlltoallCayley, TakesTheAverageStatusOnRingsAndCompleteGraphs) {
  for (std::uint64_t m = 1; m <= 13; ++m) {
    expect_optimal("ring:" + std::to_string(m), m * m / 4);
    expect_optimal("complete:" + std::to_string(m), m - 1);
  }
}

TEST(AlltoallCayley, TakesTheAverageStatusOnTori) {
  expect_optimal("torus:1x1", 0);
  expect_optimal("torus:2x2", 4);
  expect_optimal("torus:4x3", 20);
  expect_optimal("torus:2x5", 10 * (1 * 5 + 6 * 2) / 10);  // n sum floor(m_i^2/4) / m_i
  expect_optimal("torus:3x4x5", 172);
}

TEST(AlltoallCayley, TakesTheAverageStatusOnGraphsOfPermutations) {
  expect_optimal("star:2", 1);
  expect_optimal("star:3", 9);  // a ring of 6
  expect_optimal("pancake:3", 9);
  for (const std::string text : {"star:4", "star:5", "pancake:2", "pancake:4", "pancake:5"}) {
    expect_optimal(text, status(text));
  }
}

TEST(AlltoallCayley, TakesTheAverageStatusOnCubeConnectedCyclesAndCirculants) {
  for (const std::string text : {"ccc:3", "ccc:4", "circulant:2,1", "circulant:8,4,1", "circulant:13,2,3",
                                 "circulant:21,5,1", "circulant:12,3,4,6"}) {
    expect_optimal(text, status(text));
  }
}

TEST(AlltoallCayley, TakesTheAverageStatusOnReducedHypercubes) {
  expect_optimal("rh:0,0", 1);
  expect_optimal("rh:1,1", 16);  // a ring of 8
  expect_optimal("rh:3,0", 32);  // the 4-cube
  for (const std::string text : {"rh:2,1", "rh:3,1", "rh:2,2", "rh:3,2", "rh:4,2"}) expect_optimal(text, status(text));
}

TEST(AlltoallCayley, SendsWithAllPortsToo) {
  expect_run(BuiltMachine("star:4"), cayley, model_of(PortModel::all), block_settings(2), {.steps = status("star:4")});
}

TEST(AlltoallCayley, NeedsTwoPortsAndBothDirectionsOfALink) {
  EXPECT_EQ(
      violation(cayley, "ring:5", model_of(PortModel::one_strict)),
      "alltoall/cayley: cycle 0, rank 0, port 1: received there, but sent on port 0 in the same cycle (port model "
      "one-strict: both on one port)");
  EXPECT_EQ(violation(cayley, "hypercube:2", model_of(PortModel::one, Duplex::half_link)),
            "alltoall/cayley: cycle 0, rank 0, port 0: sent and received over one link in one cycle (duplex half-link: "
            "one direction a cycle)");
}

TEST(AlltoallCayley, IsRefusedOnOtherMachines) {
  try {
    find_method(cayley, "mesh");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string_view(error.what())
                    .starts_with("alltoall/cayley does not run on mesh: it is for hypercube, torus, ring, ccc, star, "
                                 "pancake, complete, circulant, rh; "));
  }
}

/// A group looks the same at every node: for every x the map that takes e to x and keeps generators is a map of all
/// nodes.
TEST(CayleyGraph, LooksAlikeFromEveryNodeGeneratorByGenerator) {
  for (const std::string text :
       {"hypercube:4", "torus:3x4", "torus:2x5", "ring:7", "ring:2", "ccc:3", "ccc:4", "star:4", "pancake:4",
        "complete:6", "circulant:8,4,1", "circulant:13,2,3", "rh:2,1", "rh:2,2", "rh:3,2"}) {
    SCOPED_TRACE(text);
    const CayleyGraph graph(parse_machine(text));
    for (Rank x = 0; x < graph.nodes(); ++x) {
      std::vector<Rank> image(graph.nodes(), no_rank);
      std::vector<Rank> queue{0};
      image[0] = x;
      for (std::size_t next = 0; next < queue.size(); ++next) {
        const Rank node = queue[next];
        for (Port generator = 0; generator < graph.generators(); ++generator) {
          const Rank to = graph.times(node, generator);
          EXPECT_EQ(graph.times(to, graph.inverse(generator)), node);
          const Rank expected = graph.times(image[node], generator);
          if (image[to] == no_rank) {
            image[to] = expected;
            queue.push_back(to);
          }
          ASSERT_EQ(image[to], expected) << "from " << x;
        }
      }
      EXPECT_EQ(queue.size(), graph.nodes());
    }
  }
}

}  // namespace
}  // namespace lockstep::alltoall_cayley_test
