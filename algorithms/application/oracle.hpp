#pragma once

#include <cstdint>
#include <span>
#include <vector>

// What the applications must come to, by Eigen: no line of these is shared with what the processors compute. Matrices
// are square, row by row.
namespace lockstep::application::oracle {

using Numbers = std::vector<double>;

struct Iterate {
  Numbers vector;       ///< of length 1
  double estimate = 0;  ///< of the eigenvalue that is the largest in magnitude, from the last product
  double growth = 1;    ///< how much relative errors of one product may have grown since
};
/// After so many iterations x := A x / |A x| from the vector of all ones scaled to length 1, where A is symmetric: by
/// the decomposition of A as long as it has at most 512 rows, which knows nothing of iterations, else by products.
Iterate power_iteration(const Numbers& matrix, std::uint64_t size, std::uint64_t iterations);

struct Solution {
  Numbers x;
  double condition = 1;  ///< of the matrix, estimated
};
/// A x = b by an LU decomposition with pivoting.
Solution solve(const Numbers& matrix, const Numbers& right_side);

/// What conjugate gradients come to after so many iterations from 0 on the g x g grid, and what they go to.
struct ConjugateGradients {
  Numbers iterate;
  Numbers sums;      ///< r r at first, and p A p and r r of every iteration
  Numbers solution;  ///< by a decomposition of the sparse matrix
};
ConjugateGradients conjugate_gradients(const Numbers& right_side, std::uint64_t side, std::uint64_t iterations);
/// The norm of x - y in which conjugate gradients are optimal, that of the matrix.
double energy_distance(const Numbers& x, const Numbers& y, std::uint64_t side);

/// The sum of the products, and of their magnitudes.
struct Product {
  double value = 0;
  double magnitude = 0;
};
Product inner_product(const Numbers& a, const Numbers& b);

/// u after so many time steps of ADI on the g x g grid, by decompositions of the sparse matrices of both directions.
Numbers alternating_directions(const Numbers& u, std::uint64_t side, std::uint64_t steps);

/// T x = b, T symmetric with that diagonal and those numbers beside it, by a decomposition of the sparse matrix.
Numbers tridiagonal(const Numbers& diagonal, const Numbers& beside, const Numbers& right_side);

/// Positions, velocities and masses of bodies: 7 numbers each, x y z vx vy vz m.
Numbers n_body(const Numbers& bodies, std::uint64_t steps, double time_step, double softening);

}  // namespace lockstep::application::oracle
