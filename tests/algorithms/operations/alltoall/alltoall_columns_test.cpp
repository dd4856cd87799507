// alltoall/product-columns, algorithm A1 (dimakopoulos.md, Columns): T = n (T_1/n_1 + (n_2 - 1) + .. + (n_d - 1)).
#include <gtest/gtest.h>

#include "operations/alltoall/parcels.hpp"
#include "replayed_exchange.hpp"
#include "total_exchange.hpp"

namespace lockstep::alltoall_columns_test {
namespace {

constexpr std::string_view columns = "alltoall/product-columns";

void expect_steps(const std::string& text, std::uint64_t T) {
  SCOPED_TRACE(text);
  const BuiltMachine machine(text);
  for (const std::uint64_t b : {1, 3}) {
    expect_total_exchange(columns, machine, T, sum_of_distances(machine.topology), b);
  }
  expect_total_exchange_on_paper(moves_of(columns, machine, model_of(PortModel::one)), machine.topology,
                                 PortModel::one);
}

TEST(AlltoallColumns, HasTheStepsOfTheProof) {
  expect_steps("torus:4x3", 36);                  // 12 (4/4 + 2); A2 takes 20
  expect_steps("torus:3x4", 44);                  // 12 (2/3 + 3): the order matters
  expect_steps("torus:3x4x5", 460);               // 60 (2/3 + 3 + 4)
  expect_steps("mesh:3x2", 14);                   // 6 (4/3 + 1)
  expect_steps("mesh:2x3", 15);                   // 6 (1/2 + 2)
  expect_steps("product:complete:4*ring:5", 95);  // 20 (3/4 + 4)
  expect_steps("product:star:3*path:3", 63);      // 18 (9/6 + 2)
  expect_steps("product:ring:4*star:3", 144);     // 24 (4/4 + 5)
}

TEST(AlltoallColumns, HasTheStepsOfTheProofForManySides) {
  const auto ring = [](std::uint64_t m) { return m * m / 4; };
  const auto path = [](std::uint64_t m) { return m == 1 ? 0 : (m * m + 1) / 2 - 1; };
  for (std::uint64_t a = 2; a <= 6; ++a) {
    for (std::uint64_t b = 2; b <= 6; ++b) {
      const std::string sides = std::to_string(a) + "x" + std::to_string(b);
      expect_steps("torus:" + sides, b * ring(a) + a * b * (b - 1));
      expect_steps("mesh:" + sides, b * path(a) + a * b * (b - 1));
    }
  }
  for (std::uint64_t d = 0; d <= 6; ++d) {
    const std::uint64_t n = std::uint64_t{1} << d;
    expect_steps(cube(d), d == 0 ? 0 : n / 2 + n * (d - 1));
  }
}

TEST(AlltoallColumns, LeavesOutFactorsOfOneNode) {
  expect_steps("torus:1", 0);
  expect_steps("torus:1x4", 4);
  expect_steps("torus:4x1x3", 36);
  expect_steps("mesh:1x1x2", 1);
}

TEST(AlltoallColumns, TakesGreedyFirstFactors) {
  const BuiltMachine machine("product:shuffle-exchange:3*ring:3");
  const std::uint64_t greedy = greedy_steps(build(parse_machine("shuffle-exchange:3"))).size();
  const Report report = expect_run(machine, columns, model_of(PortModel::one), block_settings(2), {});
  EXPECT_EQ(report.steps, 3 * greedy + 24 * 2);
}

// Figure 2, lines 1 to 4: the copies of A receive all their messages one copy after the other, n_1 from each other
// copy.
TEST(AlltoallColumns, SendsToOneCopyAfterTheOther) {
  const BuiltMachine machine("torus:4x3");
  const MoveSteps steps = moves_of(columns, machine, model_of(PortModel::one));
  for (std::size_t step = 0; step < 36; ++step) {
    for (const Move& move : steps[step]) {
      const bool along_b = move.from / 3 == move.to / 3;
      EXPECT_EQ(along_b, step < 24) << step;
      if (step < 24) {
        EXPECT_EQ(move.destination % 3, step / 8) << step;
      } else {
        EXPECT_EQ(move.origin % 3, (step - 24) / 4) << step;
      }
    }
  }
}

TEST(AlltoallColumns, HasDefaultsAndLimits) {
  const Method& method = find_method(columns, "torus");
  expect_defaults(columns, "torus", PortModel::one);
  EXPECT_EQ(&method, &find_method("A1", "mesh"));
  expect_words_from(1, columns, "torus:3x3");
  expect_bound(columns, "torus:4x3", PortModel::one, 20);
  expect_run(BuiltMachine("torus:4x3"), columns, model_of(PortModel::all), block_settings(2), {.steps = 36});
  expect_catches_faults(columns, "torus:3x3", block_settings(1));
  EXPECT_EQ(method.bytes(parse_machine("torus:60000x60000"), method.defaults, block_settings(1)), too_many_bytes);
}

}  // namespace
}  // namespace lockstep::alltoall_columns_test
