#pragma once

#include <cstdint>
#include <span>
#include <vector>

// The results that the applications must reach, by Eigen; they share no line with what the processors compute. Matrices
// are square, row by row.
namespace lockstep::application::oracle {

using Doubles = std::vector<double>;

/// The largest matrix, in rows, whose power iteration is known from its eigenvectors; that of larger ones is repeated.
inline constexpr std::uint64_t most_decomposed = 512;

struct Iterate {
  Doubles vector;       ///< of length 1
  double estimate = 0;  ///< of the eigenvalue of largest magnitude, from the last product
  double growth = 1;    ///< how much relative errors of one product may have grown since
};
/// `iterations` times x := A x / |A x| from the vector of all ones scaled to length 1, where A is symmetric: up to 512
/// rows by the decomposition of A, which does not iterate, else by products.
Iterate power_iteration(const Doubles& matrix, std::uint64_t size, std::uint64_t iterations);

struct Solution {
  Doubles x;
  double condition = 1;  ///< of the matrix, estimated
};
/// A x = b by an LU decomposition with pivoting.
Solution solve(const Doubles& matrix, const Doubles& right_side);

/// The iterate of conjugate gradients after `iterations` steps from 0 on the g x g grid, and the solution.
struct ConjugateGradients {
  Doubles iterate;
  Doubles sums;      ///< r r at first, and p A p and r r of every iteration
  Doubles solution;  ///< from a decomposition of the sparse matrix
};
ConjugateGradients conjugate_gradients(const Doubles& right_side, std::uint64_t side, std::uint64_t iterations);
/// The norm of x - y in which conjugate gradients are optimal, that of the matrix.
double energy_distance(const Doubles& x, const Doubles& y, std::uint64_t side);

/// The sum of the products, and of their magnitudes.
struct Product {
  double value = 0;
  double magnitude = 0;
};
Product inner_product(const Doubles& a, const Doubles& b);

/// u after `steps` time steps of ADI on the g x g grid, by decompositions of the sparse matrices of both directions.
Doubles alternating_directions(const Doubles& u, std::uint64_t side, std::uint64_t steps);

/// T x = b, T symmetric with `diagonal` and `beside` next to it, by a decomposition of the sparse matrix.
Doubles tridiagonal(const Doubles& diagonal, const Doubles& beside, const Doubles& right_side);

/// Positions, velocities and masses of bodies: 7 numbers each, x y z vx vy vz m.
Doubles n_body(const Doubles& bodies, std::uint64_t steps, double time_step, double softening);

}  // namespace lockstep::application::oracle
