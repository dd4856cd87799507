#pragma once

#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// The most dimensions for which hamiltonian_cycles() is quick.
inline constexpr Port most_dimensions_of_cycles = 12;

/// The links of a hypercube of n dimensions as n/2 link-disjoint rings through all processors (they exist: Aubert &
/// Schneider 1982). Each ring lists the ranks in its order, rank 0 first; for n = 0 there is none. Throws
/// std::invalid_argument if n is odd or more than most_dimensions_of_cycles.
std::vector<std::vector<Rank>> hamiltonian_cycles(Port dimensions);

}  // namespace lockstep
