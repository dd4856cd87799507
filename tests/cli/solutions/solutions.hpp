#pragma once

#include <bit>
#include <vector>

#include "lockstep/algorithms/method.hpp"

// Programs as students write them: of each operation a right one, OPERATION/right, a slow one that is right too, and a
// wrong one with a mistake that is easily made. Of sorts also one that does nothing. All run on hypercubes.
namespace lockstep::solutions {

std::vector<Method> broadcasts();
std::vector<Method> allgathers();
std::vector<Method> alltoalls();
std::vector<Method> scans();
std::vector<Method> sorts();

/// Of the dimensions that lead round a hypercube: the processors in the order of the Gray code are neighbours.
struct GrayPath {
  explicit GrayPath(Rank rank) {
    for (Rank rest = rank; rest != 0; rest >>= 1) position ^= rest;
  }

  /// The dimension in which the processor at the position before that one is.
  static Port dimension_before(Rank place) { return static_cast<Port>(std::countr_zero(place)); }
  Port to_previous() const { return dimension_before(position); }
  Port to_next() const { return dimension_before(position + 1); }

  Rank position = 0;
};

}  // namespace lockstep::solutions
