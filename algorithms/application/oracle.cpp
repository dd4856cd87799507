#include "oracle.hpp"

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::application::oracle {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using DenseMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Sparse = Eigen::SparseMatrix<double>;

Eigen::Map<const VectorXd> vector_of(const Doubles& numbers) {
  return {numbers.data(), static_cast<Index>(numbers.size())};
}
Eigen::Map<const DenseMatrix> matrix_of(const Doubles& numbers, std::uint64_t size) {
  return {numbers.data(), static_cast<Index>(size), static_cast<Index>(size)};
}
template <class Values>
Doubles numbers_of(const Values& values) {
  return {values.data(), values.data() + values.size()};
}

/// The matrix of a grid: `diagonal` on the diagonal, and -1 for every two neighbours.
Sparse five_points(Index side, double diagonal) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto number = [&](Index y, Index x) { return y * side + x; };
  for (Index y = 0; y < side; ++y) {
    for (Index x = 0; x < side; ++x) {
      entries.emplace_back(number(y, x), number(y, x), diagonal);
      if (x > 0) entries.emplace_back(number(y, x), number(y, x - 1), -1);
      if (x + 1 < side) entries.emplace_back(number(y, x), number(y, x + 1), -1);
      if (y > 0) entries.emplace_back(number(y, x), number(y - 1, x), -1);
      if (y + 1 < side) entries.emplace_back(number(y, x), number(y + 1, x), -1);
    }
  }
  Sparse matrix(side * side, side * side);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// Estimates that of a symmetric matrix from below, by products from a vector that is near no eigenvector.
double spectral_norm(const Eigen::Ref<const DenseMatrix>& a) {
  constexpr int products = 64;
  VectorXd x = VectorXd::LinSpaced(a.rows(), 1, 2).array().sin();
  double norm = 0;
  for (int product = 0; product < products; ++product) {
    x = a * x.normalized();
    norm = x.norm();
  }
  return norm;
}

}  // namespace

Iterate power_iteration(const Doubles& matrix, std::uint64_t size, std::uint64_t iterations) {
  const auto a = matrix_of(matrix, size);
  Iterate result;
  VectorXd x = VectorXd::Constant(static_cast<Index>(size), 1 / std::sqrt(static_cast<double>(size)));
  if (size <= most_decomposed) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(a)};
    const VectorXd& values = solver.eigenvalues();
    const double largest = values.cwiseAbs().maxCoeff();
    VectorXd parts = solver.eigenvectors().transpose() * x;
    for (std::uint64_t iteration = 0; iteration < iterations; ++iteration) {
      result.estimate = (parts.array().square() * values.array()).sum();
      parts.array() *= values.array();
      result.growth *= largest / parts.norm();
      parts.normalize();
    }
    x = solver.eigenvectors() * parts;
  } else {
    const double largest = spectral_norm(a);
    for (std::uint64_t iteration = 0; iteration < iterations; ++iteration) {
      const VectorXd product = a * x;
      result.estimate = x.dot(product);
      const double length = product.norm();
      if (length > 0) {
        result.growth *= std::max(1.0, largest / length);
      } else {
        result.growth = std::numeric_limits<double>::infinity();
      }
      x = product.normalized();
    }
  }
  result.vector = numbers_of(x);
  return result;
}

Solution solve(const Doubles& matrix, const Doubles& right_side) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu{Eigen::MatrixXd(matrix_of(matrix, right_side.size()))};
  const VectorXd x = lu.solve(vector_of(right_side));
  return {numbers_of(x), 1 / lu.rcond()};
}

ConjugateGradients conjugate_gradients(const Doubles& right_side, std::uint64_t side, std::uint64_t iterations) {
  const Sparse a = five_points(static_cast<Index>(side), 8);
  const VectorXd b = vector_of(right_side);
  VectorXd x = VectorXd::Zero(b.size());
  VectorXd r = b;
  VectorXd p = b;
  ConjugateGradients result;
  double rr = r.squaredNorm();
  result.sums.push_back(rr);
  for (std::uint64_t iteration = 0; iteration < iterations; ++iteration) {
    const VectorXd q = a * p;
    const double pq = p.dot(q);
    if (pq == 0) {  // solved exactly
      result.sums.insert(result.sums.end(), {0, 0});
      continue;
    }
    x += rr / pq * p;
    r -= rr / pq * q;
    const double next = r.squaredNorm();
    p = rr == 0 ? r : VectorXd(r + next / rr * p);
    rr = next;
    result.sums.insert(result.sums.end(), {pq, rr});
  }
  const Eigen::SimplicialLDLT<Sparse> decomposition(a);
  result.iterate = numbers_of(x);
  result.solution = numbers_of(VectorXd(decomposition.solve(b)));
  return result;
}

double energy_distance(const Doubles& x, const Doubles& y, std::uint64_t side) {
  const VectorXd difference = vector_of(x) - vector_of(y);
  return std::sqrt(difference.dot(five_points(static_cast<Index>(side), 8) * difference));
}

Product inner_product(const Doubles& a, const Doubles& b) {
  const auto products = vector_of(a).cwiseProduct(vector_of(b));
  return {vector_of(a).dot(vector_of(b)), products.cwiseAbs().sum()};
}

Doubles alternating_directions(const Doubles& u, std::uint64_t side, std::uint64_t steps) {
  const auto g = static_cast<Index>(side);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(g, g);
  dense.diagonal().setConstant(3);
  dense.diagonal<1>().setConstant(-1);
  dense.diagonal<-1>().setConstant(-1);
  const Sparse line = dense.sparseView();
  const Eigen::SimplicialLDLT<Sparse> decomposition(line);
  Eigen::MatrixXd grid = matrix_of(u, side);
  for (std::uint64_t step = 0; step < steps; ++step) {
    const Eigen::MatrixXd along_rows = decomposition.solve(Eigen::MatrixXd(grid.transpose())).transpose();
    grid = decomposition.solve(along_rows);
  }
  return numbers_of(DenseMatrix(grid));
}

Doubles tridiagonal(const Doubles& diagonal, const Doubles& beside, const Doubles& right_side) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t index = 0; index < diagonal.size(); ++index) {
    const auto row = static_cast<int>(index);
    entries.emplace_back(row, row, diagonal[index]);
    if (index == 0) continue;
    entries.emplace_back(row, row - 1, beside[index - 1]);
    entries.emplace_back(row - 1, row, beside[index - 1]);
  }
  const auto size = static_cast<Index>(diagonal.size());
  Sparse matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Sparse> decomposition(matrix);
  const VectorXd solution = decomposition.solve(VectorXd(vector_of(right_side)));
  return {solution.begin(), solution.end()};
}

Doubles n_body(const Doubles& bodies, std::uint64_t steps, double time_step, double softening) {
  using Table = Eigen::Matrix<double, Eigen::Dynamic, 7, Eigen::RowMajor>;
  Table table = Eigen::Map<const Table>(bodies.data(), static_cast<Index>(bodies.size() / 7), 7);
  for (std::uint64_t step = 0; step < steps; ++step) {
    const Eigen::Matrix<double, Eigen::Dynamic, 3> positions = table.leftCols<3>();
    const VectorXd masses = table.col(6);
    for (Index body = 0; body < table.rows(); ++body) {
      const Eigen::Matrix<double, Eigen::Dynamic, 3> away = positions.rowwise() - positions.row(body);
      const Eigen::ArrayXd squares = away.rowwise().squaredNorm().array() + softening * softening;
      const VectorXd weights = masses.array() / (squares * squares.sqrt());
      table.row(body).segment<3>(3) += time_step * (weights.transpose() * away);
    }
    table.leftCols<3>() += time_step * table.middleCols<3>(3);
  }
  return numbers_of(table);
}

}  // namespace lockstep::application::oracle
