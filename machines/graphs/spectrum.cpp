#include "graphs/spectrum.hpp"

#include <Eigen/Dense>

namespace lockstep {

double second_least_eigenvalue(const std::vector<std::vector<Rank>>& near) {
  const auto nodes = static_cast<Eigen::Index>(near.size());
  Eigen::MatrixXd laplacian = Eigen::MatrixXd::Zero(nodes, nodes);
  for (Eigen::Index node = 0; node < nodes; ++node) {
    for (const Rank neighbour : near[static_cast<std::size_t>(node)]) {
      laplacian(node, node) += 1;
      laplacian(node, static_cast<Eigen::Index>(neighbour)) -= 1;
    }
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(laplacian, Eigen::EigenvaluesOnly).eigenvalues()(1);
}

}  // namespace lockstep
