// The oracles of the applications on problems that can be solved by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "application/oracle.hpp"

namespace lockstep::application::oracle::application_oracle_test {
namespace {

void expect_near(const Doubles& held, const Doubles& expected) {
  ASSERT_EQ(held.size(), expected.size());
  for (std::size_t index = 0; index < held.size(); ++index) EXPECT_NEAR(held[index], expected[index], 1e-14) << index;
}

TEST(ApplicationOracle, IteratesTowardsTheLargestEigenvalue) {
  // From (1, 1) / sqrt 2 with A = diag(2, 1): A x ~ (2, 1), then (4, 1); of x ~ (2, 1) the estimate is (8 + 1) / 5.
  const Iterate iterate = power_iteration({2, 0, 0, 1}, 2, 2);
  expect_near(iterate.vector, {4 / std::sqrt(17), 1 / std::sqrt(17)});
  EXPECT_NEAR(iterate.estimate, 1.8, 1e-14);
}

TEST(ApplicationOracle, IteratesWithManyRowsAsWithFew) {
  // The matrix of ones times ones: n times the vector of ones, computed directly. From 513 rows on it is multiplied.
  for (const std::uint64_t size : {512U, 513U}) {
    const Iterate iterate = power_iteration(Doubles(size * size, 1), size, 3);
    EXPECT_NEAR(iterate.estimate, static_cast<double>(size), 1e-9);
    for (const double component : iterate.vector) {
      ASSERT_NEAR(component, 1 / std::sqrt(static_cast<double>(size)), 1e-12);
    }
  }
}

TEST(ApplicationOracle, SolvesASystem) {
  const Solution solution = solve({2, 1, 1, 3}, {3, 5});
  expect_near(solution.x, {0.8, 1.4});
  EXPECT_GE(solution.condition, 1);
  EXPECT_LT(solution.condition, 10);
}

TEST(ApplicationOracle, GoesAlongConjugateGradients) {
  // On one point A is 8: from 0 with b = 4 the first step is 16 / (4 * 32) and gives 1/2.
  const ConjugateGradients one = conjugate_gradients({4}, 1, 1);
  expect_near(one.sums, {16, 128, 0});
  expect_near(one.iterate, {0.5});
  expect_near(one.solution, {0.5});
  // On four points each has two neighbours, so A b = 6 b if all are equal.
  const ConjugateGradients four = conjugate_gradients({1, 1, 1, 1}, 2, 1);
  expect_near(four.sums, {4, 24, 0});
  expect_near(four.solution, {1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6});
  // (x - y) A (x - y) of ones is 24.
  EXPECT_NEAR(energy_distance({1, 1, 1, 1}, {0, 0, 0, 0}, 2), std::sqrt(24), 1e-14);
}

TEST(ApplicationOracle, MultipliesVectors) {
  const Product product = inner_product({1, -2}, {3, 4});
  EXPECT_EQ(product.value, -5);
  EXPECT_EQ(product.magnitude, 11);
}

TEST(ApplicationOracle, SolvesAlongRowsAndThenAlongColumns) {
  expect_near(alternating_directions({9}, 1, 1), {1});
  // The inverse of (3 -1; -1 3) is (3 1; 1 3) / 8. It turns a corner of 64 into (9 3; 3 1).
  expect_near(alternating_directions({64, 0, 0, 0}, 2, 1), {9, 3, 3, 1});
}

TEST(ApplicationOracle, MovesBodies) {
  // Two bodies 3 apart, masses 2 and 5; with a softening of 4 the cube of their distance is 125. One time step of 1
  // adds the speeds 5 * 3 / 125 and -2 * 3 / 125 and moves them by as much, plus their earlier speed: 1 along y for the
  // second.
  const Doubles bodies{0, 0, 0, 0, 0, 0, 2, 3, 0, 0, 0, 1, 0, 5};
  expect_near(n_body(bodies, 1, 1, 4), {0.12, 0, 0, 0.12, 0, 0, 2, 2.952, 1, 0, -0.048, 1, 0, 5});
}

}  // namespace
}  // namespace lockstep::application::oracle::application_oracle_test
