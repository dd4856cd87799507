// alltoall/product against algorithm A2 (X 3): T = n sum T_i/n_i, S_G messages.
#include <gtest/gtest.h>

#include "alltoall/parcels.hpp"
#include "distances.hpp"
#include "lockstep/machines/dimensions.hpp"
#include "random_product.hpp"
#include "total_exchange.hpp"

namespace lockstep {
namespace {

constexpr std::string_view product = "alltoall/product";

void expect_steps(const std::string& text, std::uint64_t T) {
  SCOPED_TRACE(text);
  const BuiltMachine machine(text);
  for (const std::uint64_t b : {1, 3}) {
    expect_total_exchange(product, machine, T, sum_of_distances(machine.topology), b);
  }
}

TEST(AlltoallProduct, has_the_steps_of_the_spec) {
  expect_steps("torus:4x3", 20);
  expect_steps("torus:3x4", 20);
  expect_steps("torus:3x4x5", 172);
  expect_steps("product:complete:4*ring:5", 39);
  expect_steps("product:path:3*ring:4", 28);
  expect_steps("mesh:3x2", 11);
  expect_steps("mesh:3x3", 24);
  expect_steps("mesh:4x4", 56);
}

TEST(AlltoallProduct, has_the_steps_of_the_spec_on_hypercubes) {
  for (std::uint64_t d = 0; d <= 8; ++d) {
    const std::uint64_t n = std::uint64_t{1} << d;
    const BuiltMachine machine("hypercube:" + std::to_string(d));
    SCOPED_TRACE(machine.spec.text);
    for (const std::uint64_t b : {1, 3}) {
      // T = d 2^{d-1}, all nodes send in every step, and nobody holds more than it began with.
      const Report report = expect_total_exchange(product, machine, d * n / 2, n * d * n / 2, b);
      EXPECT_EQ(report.peak_words_held, (n - 1) * b);
      EXPECT_EQ(report.busiest_link_words, d == 0 ? 0 : n / 2 * b);
    }
    expect_bound(product, machine.spec.text, PortModel::one, d * n / 2, 3 * d * n / 2);
  }
}

TEST(AlltoallProduct, uses_a_link_of_the_hypercube_in_both_directions_at_once) {
  // Every step is an exchange of two neighbours, so that one-strict allows it too.
  const Outcome outcome = BuiltMachine("hypercube:4").run(product, model_of(PortModel::one_strict), block_settings(2));
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome.report.steps, 32U);
}

TEST(AlltoallProduct, does_without_sides_of_one_and_takes_sides_of_two) {
  expect_steps("torus:1", 0);
  expect_steps("torus:1x1", 0);
  expect_steps("torus:2", 1);
  expect_steps("torus:1x5x1", 6);
  expect_steps("torus:2x2", 4);
  expect_steps("torus:2x1x3", 7);
  expect_steps("mesh:1x4x1", 7);
  expect_steps("mesh:2x2x2", 12);
  expect_steps("product:complete:1*path:1", 0);
  expect_steps("product:complete:2*ring:2*path:2", 12);
  expect_steps("product:hypercube:0*complete:3", 2);
  expect_steps("product:torus:2x3*hypercube:1*mesh:2x1", 52);
}

TEST(AlltoallProduct, has_the_counts_of_random_products) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 25; ++trial) {
    const RandomProduct machine = random_product(random);
    ASSERT_LE(machine.nodes, 200U);
    expect_steps(machine.text, machine.steps);
  }
}

// X 1: ceil(AS) steps and ceil(3 AS) words, AS = n sum AS_i / n_i.
TEST(AlltoallProduct, is_bounded_by_the_average_status) {
  expect_bound(product, "torus:4x3", PortModel::one, 20, 60);
  expect_bound(product, "torus:3x4x5", PortModel::one, 172, 516);
  expect_bound(product, "product:path:3*ring:4", PortModel::one, 23, 68);  // 68/3
  expect_bound(product, "mesh:3x2", PortModel::one, 9, 25);                // 6 (8/9 + 1/2) = 25/3
  expect_bound(product, "mesh:3x2", PortModel::one_strict, 9, 25);
  expect_bound(product, "mesh:3x3", PortModel::one, 16, 48);
  expect_bound(product, "mesh:4x4", PortModel::one, 40, 120);
  expect_bound(product, "torus:1x1", PortModel::one, 0, 0);
  expect_bound(product, "torus:4x4", PortModel::all, 8, 24);    // 16 * 32 distances over 64 directed links
  expect_bound(product, "mesh:3x2", PortModel::all, 4, 11);     // 50 over 14
  expect_bound(product, "hypercube:3", PortModel::all, 4, 12);  // 2^{d-1}
  expect_bound(product, "hypercube:0", PortModel::all, 0, 0);
}

// X 3: 14 undelivered messages at a time on path3 x path4, so that n - 1 = 11 places are too few.
TEST(AlltoallProduct, may_have_to_hold_more_than_n_blocks_where_there_are_paths) {
  EXPECT_GE(BuiltMachine("mesh:3x4").run(product, model_of(PortModel::one), block_settings(1)).report.peak_words_held,
            14U);
  EXPECT_EQ(BuiltMachine("torus:3x4").run(product, model_of(PortModel::one), block_settings(1)).report.peak_words_held,
            11U);
}

TEST(AlltoallProduct, has_the_same_steps_with_all_ports) {
  const Outcome outcome = BuiltMachine("torus:3x4").run(product, model_of(PortModel::all), block_settings(2));
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome.report.steps, 20U);
}

void expect_the_ports_of_the_machine(const std::string& text) {
  SCOPED_TRACE(text);
  const BuiltMachine machine(text);
  const std::vector<alltoall::parcels::Factor> factors = alltoall::parcels::factors_of(machine.spec);
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

TEST(AlltoallProduct, finds_the_ports_of_the_machine_by_arithmetic) {
  for (const char* text : {"ring:1", "ring:2", "ring:3", "ring:8", "path:2", "path:7", "complete:2", "complete:9"}) {
    expect_the_ports_of_the_machine(text);
  }
  for (const char* text : {"hypercube:5", "torus:2x3x1x4", "mesh:2x5", "product:complete:4*hypercube:2*ring:3"}) {
    expect_the_ports_of_the_machine(text);
  }
  std::mt19937_64 random(9);
  for (int trial = 0; trial < 25; ++trial) expect_the_ports_of_the_machine(random_product(random).text);
}

TEST(AlltoallProduct, names_what_breaks_a_model_that_does_not_fit) {
  // The last dimension comes first: ports 2 and 3 of a torus, port 0 of a hypercube.
  EXPECT_EQ(violation(product, "torus:3x3", model_of(PortModel::one, Duplex::half_node)),
            "alltoall/product: cycle 0, rank 0, port 3: received there, but sent on port 2 in the same cycle (--duplex "
            "half-node: either send or receive)");
  EXPECT_EQ(violation(product, "torus:3x3", model_of(PortModel::one_strict)),
            "alltoall/product: cycle 0, rank 0, port 3: received there, but sent on port 2 in the same cycle (--ports "
            "one-strict: both on one port)");
  EXPECT_EQ(violation(product, "hypercube:2", model_of(PortModel::one, Duplex::half_link)),
            "alltoall/product: cycle 0, rank 0, port 0: sent and received over one link in one cycle (--duplex "
            "half-link: one direction a cycle)");
}

TEST(AlltoallProduct, has_defaults_and_limits) {
  const Method& method = find_method(product, "torus");
  EXPECT_EQ(method.defaults.ports, PortModel::one);
  for (const char* family : {"mesh", "product", "hypercube"}) EXPECT_EQ(&method, &find_method(product, family));
  EXPECT_EQ(refusal(product, "torus:3x3", block_settings(0)), "--words 0 is out of range: 1 to 2147483648");
  EXPECT_EQ(refusal(product, "product:ring:3*rh:2,1", block_settings(1)),
            "alltoall/product has no schedule for the factor rh:2,1: factors may be ring, path, complete, hypercube, "
            "torus and mesh");
  EXPECT_EQ(refusal(product, "product:ring:3*hypercube:2*mesh:2x2", block_settings(1)), "");
}

TEST(AlltoallProduct, predicts_what_fits_64_bits_and_needs_all_pairs) {
  const MachineSpec spec = parse_machine("torus:60000x60000");
  const Method& method = find_method(product, "torus");
  const Prediction predicted = method.predict(spec, method.defaults, block_settings(1));
  EXPECT_EQ(predicted.steps.value().value, std::uint64_t{3'600'000'000} * 30'000);  // n sum m_i/4
  EXPECT_EQ(predicted.longest_sum.value().value, std::uint64_t{3'600'000'000} * 30'000);
  EXPECT_FALSE(predicted.messages || predicted.words);  // n T = 3.9 * 10^23
  EXPECT_EQ(method.bytes(spec, method.defaults, block_settings(1)), std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace lockstep
