// alltoall/multiport (dimakopoulos.md, All ports): steps from the proofs there, and every move on paper.
#include <gtest/gtest.h>

#include <random>

#include "plans/turns/edge_colouring.hpp"
#include "replayed_exchange.hpp"

namespace lockstep::alltoall_multiport_test {
namespace {

constexpr std::string_view multiport = "alltoall/multiport";

/// Expects the steps, S messages, and steps no fewer than the bound: equal to it if optimal.
void expect_steps(const std::string& text, std::uint64_t T, bool optimal = true) {
  SCOPED_TRACE(text);
  const BuiltMachine machine(text);
  if (sanitized && machine.topology.processors() > 36) return;
  const Model model = model_of(PortModel::all);
  const std::uint64_t S = sum_of_distances(machine.topology);
  for (const std::uint64_t b : {1, 3}) {
    expect_run(machine, multiport, model, block_settings(b),
               {.steps = T, .longest_sum = T * b, .messages = S, .words = S * b, .message_words = b});
  }
  const std::uint64_t least = bound(multiport, text, block_settings(1), model).first;
  EXPECT_EQ(T == least, optimal) << "bound " << least;
  expect_total_exchange_on_paper(moves_of(multiport, machine, model), machine.topology, PortModel::all);
}

std::string sized(const std::string& family, const std::vector<std::uint64_t>& sides) {
  std::string text = family + ":";
  for (const std::uint64_t side : sides) text += (text.back() == ':' ? "" : "x") + std::to_string(side);
  return text;
}

/// The share of a direction: half of the hops of a node's messages in a ring, times the copies of the ring; sides of
/// two have one direction, and sides of one take no steps.
std::uint64_t torus_steps(const std::vector<std::uint64_t>& sides) {
  std::uint64_t n = 1;
  std::uint64_t most = 0;
  for (const std::uint64_t m : sides) n *= m;
  for (const std::uint64_t m : sides) {
    std::uint64_t walked = 0;
    for (std::uint64_t d = 0; d < m; ++d) walked += std::min(d, m - d);
    const std::uint64_t directions = m == 2 ? 1 : 2;
    most = std::max(most, (n / m * walked + directions - 1) / directions);
  }
  return most;
}

/// The messages that cross the middle of the longest side, divided by the links there.
std::uint64_t mesh_steps(const std::vector<std::uint64_t>& sides) {
  std::uint64_t n = 1;
  std::uint64_t longest = 1;
  for (const std::uint64_t m : sides) n *= m;
  for (const std::uint64_t m : sides) longest = std::max(longest, m);
  return (longest / 2) * (longest - longest / 2) * (n / longest);
}

TEST(AlltoallMultiport, IsOptimalOnToriOfAnySides) {
  expect_steps("torus:4x3", 6);   // 3 copies of a ring of four, 4 links a node, 2 directions
  expect_steps("torus:6x6", 27);  // 6 * 9 / 2, where rings one by one would take 6 * 5
  expect_steps("torus:1", 0);
  expect_steps("torus:1x2x1", 1);
  for (std::uint64_t a = 1; a <= 8; ++a) {
    expect_steps(sized("torus", {a}), torus_steps({a}));
    for (std::uint64_t b = 1; b <= 7; ++b) expect_steps(sized("torus", {a, b}), torus_steps({a, b}));
  }
  for (const std::vector<std::uint64_t>& sides : std::vector<std::vector<std::uint64_t>>{{2, 2, 2},
                                                                                         {3, 3, 3},
                                                                                         {2, 3, 4},
                                                                                         {4, 3, 3},
                                                                                         {6, 3, 3},
                                                                                         {3, 5, 4},
                                                                                         {2, 2, 6},
                                                                                         {5, 3, 2},
                                                                                         {2, 3, 2, 3},
                                                                                         {10, 3},
                                                                                         {14, 5}}) {
    expect_steps(sized("torus", sides), torus_steps(sides));
  }
}

TEST(AlltoallMultiport, IsOptimalOnRings) {
  for (std::uint64_t m = 1; m <= 24; ++m) {
    expect_steps("ring:" + std::to_string(m), m == 2 ? 1 : (m * m / 4 + 1) / 2);
  }
}

TEST(AlltoallMultiport, IsOptimalOnHypercubesAndCompleteGraphs) {
  for (std::uint64_t d = 0; d <= 7; ++d) expect_steps(cube(d), d == 0 ? 0 : std::uint64_t{1} << (d - 1));
  for (std::uint64_t m = 1; m <= 9; ++m) expect_steps("complete:" + std::to_string(m), m == 1 ? 0 : 1);
  expect_steps("product:complete:4*complete:3", 4);  // n over the smaller side
  expect_steps("product:complete:5*complete:2*complete:3", 15);
  expect_steps("product:complete:4*ring:5", 12);  // max(20/4, 4 * 6/2)
  expect_steps("product:hypercube:2*torus:3x4", 24);
}

TEST(AlltoallMultiport, IsOptimalOnMeshes) {
  for (std::uint64_t m = 1; m <= 17; ++m) expect_steps("path:" + std::to_string(m), m * m / 4);
  expect_steps("mesh:3x2", 4);
  for (std::uint64_t a = 1; a <= 9; ++a) {
    for (std::uint64_t b = 1; b <= 8; ++b) expect_steps(sized("mesh", {a, b}), mesh_steps({a, b}));
  }
  for (const std::vector<std::uint64_t>& sides : std::vector<std::vector<std::uint64_t>>{
           {3, 3, 3}, {2, 3, 4}, {5, 3, 2}, {2, 3, 3}, {4, 4, 3}, {2, 5, 5}, {3, 1, 3}, {2, 3, 2, 3}, {3, 2, 3, 3}}) {
    expect_steps(sized("mesh", sides), mesh_steps(sides));
  }
}

// Sums of two phases, as small as they can be, worked out by hand: s rounds of the first factor and w of the second in
// phase 1.
TEST(AlltoallMultiport, JoinsRingsAndPathsInTwoPhases) {
  expect_steps("product:ring:4*path:3", 8);  // 4 copies of a path of three: 8; 3 copies of the ring: 3 * 2
  expect_steps("product:path:3*ring:4", 8);
  expect_steps("product:path:4*path:3*ring:3", 36);  // 9 copies of 4
  expect_steps("product:ring:6*path:3", 16, false);  // 3 * 9/2 is the bound; rounds of 5 and 2, 10 + 6
  expect_steps("product:complete:4*path:3", 8);
}

// Half of the corner's bits are wrong on average, and a node has one link that changes bits: half the bits times the
// nodes of ccc and rh is a bound.
TEST(AlltoallMultiport, IsOptimalOnCubeConnectedCyclesAndReducedHypercubes) {
  for (std::uint64_t d = 3; d <= 5; ++d) expect_steps("ccc:" + std::to_string(d), d * (d << d) / 2);
  expect_steps("rh:1,0", 2);  // the square
  expect_steps("rh:1,1", 8);  // 2^(k+2^n) 2^n/2
  expect_steps("rh:2,1", 16);
  expect_steps("rh:3,1", 32);
  expect_steps("rh:2,2", 128);
}

// Sums of the distances from a node over its links: 9/2, 62/3, 60/3 and 425/4; for circulants, half of the steps of one
// more stride.
TEST(AlltoallMultiport, IsOptimalOrCloseToItOnOtherCayleyGraphs) {
  expect_steps("star:3", 5);
  expect_steps("pancake:3", 5);
  expect_steps("pancake:4", 20);
  expect_steps("circulant:8,1,4", 4);    // 11/3
  expect_steps("circulant:13,1,5", 5);   // 20/4
  expect_steps("circulant:25,1,7", 14);  // 56/4
  expect_steps("circulant:64,1,8", 64);
  expect_steps("circulant:12,1,6", 9);
  for (const auto& [text, least] :
       {std::pair("star:4", 21U), std::pair("star:5", 111U), std::pair("pancake:5", 107U)}) {
    SCOPED_TRACE(text);
    const BuiltMachine machine(text);
    const Report report = expect_run(machine, multiport, model_of(PortModel::all), block_settings(2), {});
    EXPECT_EQ(bound(multiport, text, block_settings(1), model_of(PortModel::all)).first, least);
    EXPECT_LE(report.steps, least + least / 20);
    EXPECT_EQ(report.messages, sum_of_distances(machine.topology));
    expect_total_exchange_on_paper(moves_of(multiport, machine, model_of(PortModel::all)), machine.topology,
                                   PortModel::all);
  }
}

TEST(AlltoallMultiport, TakesOtherGraphsAsFactors) {
  expect_steps("product:star:3*path:2", 10, false);  // 2 rounds of 5, where 9 are the bound
  expect_steps("product:star:3*star:3", 30, false);  // 6 rounds
  expect_steps("product:ccc:3*complete:2", 72);      // 2 rounds of 36
  const BuiltMachine any("product:shuffle-exchange:3*ring:3");
  const Report report = expect_run(any, multiport, model_of(PortModel::all), block_settings(2), {});
  EXPECT_EQ(report.messages, sum_of_distances(any.topology));
  expect_total_exchange_on_paper(moves_of(multiport, any, model_of(PortModel::all)), any.topology, PortModel::all);
}

// Checked by arithmetic only, for machines too large to run here.
TEST(AlltoallMultiport, PredictsTheBoundOnLargeToriAndMeshes) {
  const Model model = model_of(PortModel::all);
  for (std::uint64_t a = 2; a <= 40; a += 3) {
    for (std::uint64_t b = 2; b <= 40; ++b) {
      for (const auto& [text, steps] : {std::pair(sized("torus", {a, b}), torus_steps({a, b})),
                                        std::pair(sized("mesh", {a, b}), mesh_steps({a, b})),
                                        std::pair(sized("mesh", {a, b, 7}), mesh_steps({a, b, 7}))}) {
        const MachineSpec spec = parse_machine(text);
        const Prediction predicted = find_method(multiport, spec.family).predict(spec, model, block_settings(1));
        ASSERT_EQ(predicted.steps.value().value, steps) << text;
        ASSERT_TRUE(predicted.steps->exact) << text;
        ASSERT_EQ(bound(multiport, text, block_settings(1), model).first, steps) << text;
      }
    }
  }
  const MachineSpec spec = parse_machine("torus:60000x60000");
  const Prediction predicted = find_method(multiport, "torus").predict(spec, model, block_settings(1));
  EXPECT_EQ(predicted.steps.value().value, std::uint64_t{60'000} * 450'000'000);  // n/m m^2/8
  EXPECT_FALSE(predicted.messages);                                               // 3.9 * 10^23
  EXPECT_EQ(find_method(multiport, "torus").bytes(spec, model, block_settings(1)), too_many_bytes);
}

// dimakopoulos.md, All ports: per direction of the links of a dimension.
TEST(AlltoallMultiport, IsBoundedByEachDimension) {
  const auto least = [](const std::string& machine, Duplex duplex) {
    return bound(multiport, machine, block_settings(3), model_of(PortModel::all, duplex));
  };
  EXPECT_EQ(least("torus:4x3", Duplex::full), Bound(6, 18));
  EXPECT_EQ(least("torus:4x3", Duplex::half_link), Bound(12, 36));
  EXPECT_EQ(least("torus:6x3", Duplex::full), Bound(14, 42));  // 27/2
  EXPECT_EQ(least("mesh:5x4", Duplex::full), Bound(24, 72));   // 4 * 6, where 5 * 4 cross the shorter side
  EXPECT_EQ(least("mesh:5x4", Duplex::half_link), Bound(48, 144));
  EXPECT_EQ(least("hypercube:5", Duplex::full), Bound(16, 48));
  EXPECT_EQ(least("product:complete:4*complete:3", Duplex::full), Bound(4, 12));
  EXPECT_EQ(least("ring:1", Duplex::full), Bound(0, 0));
}

TEST(AlltoallMultiport, HasDefaultsAndLimits) {
  const Method& method = find_method(multiport, "torus");
  expect_defaults(multiport, "torus", PortModel::all);
  for (const char* family : {"mesh", "product", "hypercube", "ring", "path", "complete", "ccc", "star", "rh"}) {
    EXPECT_EQ(&method, &find_method(multiport, family));
  }
  expect_words_from(1, multiport, "torus:3x3");
  expect_catches_faults(multiport, "torus:4x3", block_settings(1));
  expect_catches_faults(multiport, "mesh:3x2", block_settings(1));
  EXPECT_EQ(broken_rule(multiport, "torus:3x3", model_of(PortModel::one)), ErrorKind::send_limit);
}

TEST(EdgeColouring, DoesAllPartsInAsManyStepsAsTheBusiestEndHas) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const auto jobs = static_cast<Rank>(1 + random() % 12);
    const auto resources = static_cast<Rank>(1 + random() % 8);
    std::vector<turns::JobPart> parts(random() % 60);
    for (turns::JobPart& part : parts) {
      part = {static_cast<Rank>(random() % jobs), static_cast<Rank>(random() % resources)};
    }
    std::map<Rank, std::uint64_t> of_job;
    std::map<Rank, std::uint64_t> of_resource;
    std::uint64_t busiest = 0;
    for (const auto& [job, resource] : parts) busiest = std::max({busiest, ++of_job[job], ++of_resource[resource]});
    EXPECT_EQ(turns::busiest_end(jobs, resources, parts), busiest);
    const std::vector<Rank> steps = turns::steps_of_parts(jobs, resources, parts);
    std::set<std::pair<Rank, Rank>> job_steps;
    std::set<std::pair<Rank, Rank>> resource_steps;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      EXPECT_LT(steps[part], busiest);
      EXPECT_TRUE(job_steps.emplace(parts[part].job, steps[part]).second);
      EXPECT_TRUE(resource_steps.emplace(parts[part].resource, steps[part]).second);
    }
  }
}

}  // namespace
}  // namespace lockstep::alltoall_multiport_test
