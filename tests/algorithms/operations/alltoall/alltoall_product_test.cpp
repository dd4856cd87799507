// alltoall/product against algorithm A2 (dimakopoulos.md, Products): T = n sum T_i/n_i, S_G messages.
#include <gtest/gtest.h>

#include <tuple>

#include "distances.hpp"
#include "lockstep/machines/dimensions.hpp"
#include "operations/alltoall/parcels.hpp"
#include "random_product.hpp"
#include "total_exchange.hpp"

namespace lockstep::alltoall_product_test {
namespace {

constexpr std::string_view product = "alltoall/product";

void expect_steps(const std::string& text, std::uint64_t T) {
  SCOPED_TRACE(text);
  const BuiltMachine machine(text);
  for (const std::uint64_t b : {1, 3}) {
    expect_total_exchange(product, machine, T, sum_of_distances(machine.topology), b);
  }
}

TEST(AlltoallProduct, HasTheStepsOfTheSpec) {
  expect_steps("torus:4x3", 20);
  expect_steps("torus:3x4", 20);
  expect_steps("torus:3x4x5", 172);
  expect_steps("product:complete:4*ring:5", 39);
  expect_steps("product:path:3*ring:4", 28);
  expect_steps("mesh:3x2", 11);
  expect_steps("mesh:3x3", 24);
  expect_steps("mesh:4x4", 56);
}

TEST(AlltoallProduct, HasTheStepsOfTheSpecOnHypercubes) {
  for (std::uint64_t d = 0; d <= 8; ++d) {
    const std::uint64_t n = std::uint64_t{1} << d;
    const BuiltMachine machine(cube(d));
    SCOPED_TRACE(machine.spec.text);
    for (const std::uint64_t b : {1, 3}) {
      // T = d 2^{d-1}, all nodes send in every step, and no node holds more than it began with.
      const Report report = expect_total_exchange(product, machine, d * n / 2, n * d * n / 2, b);
      EXPECT_EQ(report.peak_words_held, (n - 1) * b);
      EXPECT_EQ(report.busiest_link_words, d == 0 ? 0 : n / 2 * b);
    }
    expect_bound(product, machine.spec.text, PortModel::one, d * n / 2);
  }
}

TEST(AlltoallProduct, UsesALinkOfTheHypercubeInBothDirectionsAtOnce) {
  // Every step is an exchange between neighbours, so one-strict allows it, too.
  expect_run(BuiltMachine("hypercube:4"), product, model_of(PortModel::one_strict), block_settings(2), {.steps = 32});
}

TEST(AlltoallProduct, TakesSidesOfTwo) {
  expect_steps("torus:2", 1);
  expect_steps("torus:2x2", 4);
  expect_steps("torus:2x3", 7);
  expect_steps("mesh:4", 7);
  expect_steps("mesh:2x2x2", 12);
  expect_steps("product:complete:2*ring:2*path:2", 12);
  expect_steps("product:torus:2x3*hypercube:1*mesh:2", 52);
}

TEST(AlltoallProduct, RefusesFactorsOfOneNode) {
  const auto refused = [](const std::string& machine, const std::string& factor) {
    EXPECT_EQ(refusal(product, machine, {}),
              "alltoall/product takes factors of two nodes or more, and " + factor + " has one; leave it out");
  };
  refused("torus:1", "ring:1");
  refused("torus:2x1x3", "ring:1");
  refused("mesh:1x4x1", "path:1");
  refused("product:complete:1*path:3", "complete:1");
  refused("product:hypercube:0*complete:3", "hypercube:0");
  refused("product:torus:2x3*mesh:2x1", "path:1");
}

// dimakopoulos.md, Products: T = n sum T_i/n_i, with T_i of a Cayley factor its average status (dimakopoulos.md, Cayley
// graphs).
TEST(AlltoallProduct, TakesFactorsThatAreCayleyGraphs) {
  expect_steps("product:star:3*ring:4", 60);  // AS: 24 (9/6 + 4/4)
  expect_steps("product:ring:4*star:3", 60);
  expect_steps("product:rh:1,1*path:3", 80);                  // RH(1,1) is a ring of 8: 24 (16/8 + 4/3)
  expect_steps("product:circulant:8,4,1*complete:3", 49);     // distances 1 1 1 2 2 2 2: 24 (11/8 + 2/3)
  expect_steps("product:pancake:3*hypercube:2*ring:3", 228);  // 72 (9/6 + 2 * 1/2 + 2/3)
}

TEST(AlltoallProduct, TakesFactorsThatAreAnyConnectedGraph) {
  for (const auto& [text, n, other_steps] :
       {std::tuple{"product:graph:" LOCKSTEP_GRAPHS "/petersen.json*ring:3", 30U, 20U},         // 30 * 2/3
        std::tuple{"product:complete:4*graph:" LOCKSTEP_GRAPHS "/petersen.json", 40U, 30U}}) {  // 40 * 3/4
    SCOPED_TRACE(text);
    const std::uint64_t greedy = greedy_steps(build(parse_machine("graph:" LOCKSTEP_GRAPHS "/petersen.json"))).size();
    const BuiltMachine machine(text);
    const Report report = expect_run(machine, product, model_of(PortModel::one), block_settings(2), {});
    EXPECT_EQ(report.steps, n / 10 * greedy + other_steps);
    EXPECT_EQ(report.messages, sum_of_distances(machine.topology));
  }
  const BuiltMachine mixed("product:shuffle-exchange:3*path:3*star:3");
  const Report report = expect_run(mixed, product, model_of(PortModel::one), block_settings(1), {});
  EXPECT_EQ(report.messages, sum_of_distances(mixed.topology));
  EXPECT_NO_THROW(validate(total_exchange_schedule(mixed.spec), mixed.topology));
}

std::string chosen(const std::string& machine, const std::optional<std::string>& given = {}) {
  Settings settings;
  settings.schedules = given;
  return resolved(product, machine, settings, Model{}).schedules.value();
}

TEST(AlltoallProduct, ChoosesAScheduleForEachFactor) {
  EXPECT_EQ(chosen("torus:4x3x2"), "factor");
  EXPECT_EQ(chosen("hypercube:10"), "factor");
  EXPECT_EQ(chosen("hypercube:0"), "factor");
  EXPECT_EQ(chosen("product:star:3*pancake:3"), "cayley");
  EXPECT_EQ(chosen("product:ccc:3*mesh:2x3*shuffle-exchange:2"), "cayley,factor,factor,greedy");
}

TEST(AlltoallProduct, TakesTheGivenSchedules) {
  EXPECT_EQ(chosen("torus:4x3", "greedy"), "greedy");
  EXPECT_EQ(chosen("torus:4x3", "greedy,greedy"), "greedy");
  EXPECT_EQ(chosen("product:ring:4*path:3", "cayley,greedy"), "cayley,greedy");
  const auto refused = [](const std::string& machine, const std::string& given) {
    Settings settings;
    settings.schedules = given;
    return refusal(product, machine, settings);
  };
  EXPECT_EQ(refused("mesh:4x3", "cayley"), "--schedules (for path:4) 'cayley' is not one of factor, greedy");
  EXPECT_EQ(refused("mesh:4x3", "factor,gredy"),
            "--schedules (for path:3) 'gredy' is not one of factor, greedy; did you mean 'greedy'?");
  EXPECT_EQ(refused("mesh:4x3x2", "factor,greedy"),
            "--schedules names 2 schedules, the machine has 3 factors; name one for each, or one for all");
  EXPECT_EQ(refused("mesh:4x3", ""), "--schedules (for path:4) '' is not one of factor, greedy");
  // A ring's own schedule and that for Cayley graphs are both as short as its average status.
  for (const char* schedules : {"factor", "cayley", "factor,cayley", "cayley,factor"}) {
    Settings settings = block_settings(2);
    settings.schedules = schedules;
    SCOPED_TRACE(schedules);
    expect_run(BuiltMachine("torus:4x3"), product, model_of(PortModel::one), settings, {.steps = 20});
  }
}

TEST(AlltoallProduct, HasTheCountsOfRandomProducts) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 25; ++trial) {
    const RandomProduct machine = random_product(random);
    ASSERT_LE(machine.nodes, 200U);
    expect_steps(machine.text, machine.steps);
  }
}

// dimakopoulos.md, Status and bounds: ceil(AS) steps and ceil(3 AS) words, AS = n sum AS_i / n_i.
TEST(AlltoallProduct, IsBoundedByTheAverageStatus) {
  expect_bound(product, "torus:4x3", PortModel::one, 20);
  expect_bound(product, "torus:3x4x5", PortModel::one, 172);
  expect_bound(product, "product:path:3*ring:4", PortModel::one, 23);  // 68/3
  expect_bound(product, "mesh:3x2", PortModel::one, 9);                // 6 (8/9 + 1/2) = 25/3
  expect_bound(product, "mesh:3x2", PortModel::one_strict, 9);
  expect_bound(product, "mesh:3x3", PortModel::one, 16);
  expect_bound(product, "mesh:4x4", PortModel::one, 40);
  expect_bound(product, "hypercube:0", PortModel::one, 0);
  expect_bound(product, "product:path:16*complete:2", PortModel::one, 255);  // 31 + 2 * 112, more than AS 186
  expect_bound(product, "torus:4x4", PortModel::all, 8);                     // 16 * 32 distances over 64 directed links
  expect_bound(product, "mesh:3x2", PortModel::all, 4);     // 2 pairs cross a link of the longer sides, 2 copies
  expect_bound(product, "hypercube:3", PortModel::all, 4);  // 2^{d-1}
  expect_bound(product, "hypercube:0", PortModel::all, 0);
}

// dimakopoulos.md, Products: 14 undelivered messages at a time on path3 x path4, so that n - 1 = 11 places are too few.
TEST(AlltoallProduct, MayHaveToHoldMoreThanNBlocksWhereThereArePaths) {
  EXPECT_GE(BuiltMachine("mesh:3x4").run(product, model_of(PortModel::one), block_settings(1)).report.peak_words_held,
            14U);
  EXPECT_EQ(BuiltMachine("torus:3x4").run(product, model_of(PortModel::one), block_settings(1)).report.peak_words_held,
            11U);
}

TEST(AlltoallProduct, HasTheSameStepsWithAllPorts) {
  expect_run(BuiltMachine("torus:3x4"), product, model_of(PortModel::all), block_settings(2), {.steps = 20});
}

void expect_the_ports_of_the_machine(const std::string& text) {
  SCOPED_TRACE(text);
  const BuiltMachine machine(text);
  Settings settings;
  alltoall::parcels::resolve_factor(machine.spec, {}, settings);
  const std::vector<alltoall::parcels::ParcelFactor> factors = alltoall::parcels::factors_of(machine.spec, settings);
  const std::vector<Dimension> all = dimensions(machine.spec);
  const auto differing = [&](Rank a, Rank b) {
    return std::find_if(all.begin(), all.end(), [&](const Dimension& dimension) {
      return a / dimension.stride % dimension.factor.processors != b / dimension.stride % dimension.factor.processors;
    });
  };
  for (Rank rank = 0; rank < machine.topology.processors(); ++rank) {
    for (Port port = 0; port < machine.topology.ports(); ++port) {
      const Rank peer = machine.topology.peer(rank, port).rank;
      if (peer == no_rank) continue;
      const auto dimension = differing(rank, peer);
      const auto coordinate = [&](Rank of) {
        return static_cast<Rank>(of / dimension->stride % dimension->factor.processors);
      };
      ASSERT_EQ(factors[static_cast<std::size_t>(dimension - all.begin())].port(coordinate(rank), coordinate(peer)),
                port)
          << rank << " to " << peer;
    }
  }
}

TEST(AlltoallProduct, FindsThePortsOfTheMachineByArithmetic) {
  for (const char* text : {"ring:1", "ring:2", "ring:3", "ring:8", "path:2", "path:7", "complete:2", "complete:9"}) {
    expect_the_ports_of_the_machine(text);
  }
  for (const char* text : {"hypercube:5", "torus:2x3x1x4", "mesh:2x5", "product:complete:4*hypercube:2*ring:3",
                           "product:star:3*shuffle-exchange:3*ring:2"}) {
    expect_the_ports_of_the_machine(text);
  }
  std::mt19937_64 random(9);
  for (int trial = 0; trial < 25; ++trial) expect_the_ports_of_the_machine(random_product(random).text);
}

TEST(AlltoallProduct, NamesWhatBreaksAModelThatDoesNotFit) {
  // The last dimension comes first: ports 2 and 3 of a torus, port 0 of a hypercube.
  EXPECT_EQ(violation(product, "torus:3x3", model_of(PortModel::one, Duplex::half_node)),
            "alltoall/product: cycle 0, rank 0, port 3: received there, but sent on port 2 in the same cycle (duplex "
            "half-node: either send or receive)");
  EXPECT_EQ(
      violation(product, "torus:3x3", model_of(PortModel::one_strict)),
      "alltoall/product: cycle 0, rank 0, port 3: received there, but sent on port 2 in the same cycle (port model "
      "one-strict: both on one port)");
  EXPECT_EQ(violation(product, "hypercube:2", model_of(PortModel::one, Duplex::half_link)),
            "alltoall/product: cycle 0, rank 0, port 0: sent and received over one link in one cycle (duplex "
            "half-link: one direction a cycle)");
}

TEST(AlltoallProduct, HasDefaultsAndLimits) {
  const Method& method = find_method(product, "torus");
  expect_defaults(product, "torus", PortModel::one);
  for (const char* family : {"mesh", "product", "hypercube"}) EXPECT_EQ(&method, &find_method(product, family));
  expect_words_from(1, product, "torus:3x3");
  EXPECT_EQ(refusal(product, "product:ring:3*hypercube:2*mesh:2x2*rh:2,1", block_settings(1)), "");
}

TEST(AlltoallProduct, PredictsWhatFits64BitsAndNeedsAllPairs) {
  const MachineSpec spec = parse_machine("torus:60000x60000");
  const Method& method = find_method(product, "torus");
  const Prediction predicted = method.predict(spec, method.defaults, block_settings(1));
  EXPECT_EQ(predicted.steps.value().value, std::uint64_t{3'600'000'000} * 30'000);  // n sum m_i/4
  EXPECT_EQ(predicted.longest_sum.value().value, std::uint64_t{3'600'000'000} * 30'000);
  EXPECT_FALSE(predicted.messages || predicted.words);  // n T = 3.9 * 10^23
  EXPECT_EQ(method.bytes(spec, method.defaults, block_settings(1)), too_many_bytes);
}

}  // namespace
}  // namespace lockstep::alltoall_product_test
