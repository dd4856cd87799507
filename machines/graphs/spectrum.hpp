#pragma once

#include <optional>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// The least eigenvalue of the Laplacian of a connected graph but the first: `near` has the neighbours of every node,
/// at least two. By Eigen's dense solver, which takes time in proportion to nodes^3.
double second_least_eigenvalue(const std::vector<std::vector<Rank>>& near);

}  // namespace lockstep
