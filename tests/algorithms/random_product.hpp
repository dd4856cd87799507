#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

namespace lockstep {

/// A random product machine with its properties from dimakopoulos.md, Cayley graphs to Products.
struct RandomProduct {
  std::string text;         ///< its specification
  std::uint64_t nodes = 1;  ///< n
  std::uint64_t steps = 0;  ///< T = n sum T_i / n_i
  bool regular = true;      ///< no path longer than 2, so that T = AS
};

/// A product of 1 to 4 factors of two or more nodes with at most 200 processors in all; some factors are products
/// themselves.
inline RandomProduct random_product(std::mt19937_64& random) {
  RandomProduct product{"product:"};
  const auto multiply = [&](std::uint64_t side, std::uint64_t factor_steps) {
    product.steps = product.steps * side + product.nodes * factor_steps;
    product.nodes *= side;
  };
  const auto ring = [&](std::uint64_t side) { multiply(side, side * side / 4); };
  const auto path = [&](std::uint64_t side) {
    multiply(side, (side * side + 1) / 2 - 1);
    product.regular = product.regular && side <= 2;
  };
  const std::uint64_t factors = 1 + random() % 4;
  for (std::uint64_t factor = 0; factor < factors; ++factor) {
    const std::uint64_t most = std::min<std::uint64_t>(200 / product.nodes, 9);
    if (most < 2) break;
    const std::uint64_t side = 2 + random() % (most - 1);
    product.text += factor == 0 ? "" : "*";
    switch (random() % (most >= 8 ? 6 : 3)) {
      case 0:
        product.text += "ring:" + std::to_string(side);
        ring(side);
        break;
      case 1:
        product.text += "path:" + std::to_string(side);
        path(side);
        break;
      case 2:
        product.text += "complete:" + std::to_string(side);
        multiply(side, side - 1);
        break;
      case 3:
        product.text += "hypercube:3";
        for (int dimension = 0; dimension < 3; ++dimension) multiply(2, 1);
        break;
      case 4:
        product.text += "torus:4x2";
        ring(4);
        ring(2);
        break;
      default:
        product.text += "mesh:2x3";
        path(2);
        path(3);
        break;
    }
  }
  return product;
}

}  // namespace lockstep
