#pragma once

#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep::transpose {

// The paths of the block of a processor x = (r||c) to (c||r), through the dimensions in which r and c differ (Johnsson
// & Ho, section 6.1; johnsson-ho.md, Two dimensions). H of them are a_(H-1) > .. > a_0 among the dimensions of r, and
// b_i = a_i - h among those of c. There are 2H paths of 2H links, no two of which share a link; path p visits the pairs
// j-1, j-2, .., j-H modulo H, j = p mod H, and of each pair a before b if p < H, else b before a.
//
//      n = 4, x = (10||01), H = 2: a = 3, 2 and b = 1, 0
//      path 0    3 1 2 0        path 2    1 3 0 2
//      path 1    2 0 3 1        path 3    0 2 1 3

/// H: the bits in which the halves of the rank differ.
Port differing_pairs(Rank rank, Port dimensions);

/// The dimensions that the path crosses, in order; empty if H = 0.
std::vector<Port> transposition_path(Rank rank, Port dimensions, std::uint32_t path);

}  // namespace lockstep::transpose
