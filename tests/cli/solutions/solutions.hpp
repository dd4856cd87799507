#pragma once

#include <bit>
#include <vector>

#include "lockstep/algorithms/method.hpp"

// Programs as students write them: for each operation a right one, OPERATION/right, a slow one that is also right, and
// a wrong one with a common mistake; for sorts also one that does nothing. All run on hypercubes.
namespace lockstep::solutions {

std::vector<Method> broadcasts();
std::vector<Method> allgathers();
std::vector<Method> alltoalls();
std::vector<Method> scans();
std::vector<Method> sorts();

/// The dimensions of a path through a hypercube: processors in the order of the Gray code are neighbours.
struct GrayPath {
  explicit GrayPath(Rank rank) {
    for (Rank rest = rank; rest != 0; rest >>= 1) position ^= rest;
  }

  /// The dimension to the processor at the previous position.
  static Port dimension_before(Rank place) { return static_cast<Port>(std::countr_zero(place)); }
  Port to_previous() const { return dimension_before(position); }
  Port to_next() const { return dimension_before(position + 1); }

  Rank position = 0;
};

}  // namespace lockstep::solutions
