#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep::permute {

/// Node x sends to the node whose bit i is bit delta[i] of x (johnsson-ho.md, Permutations, delta): position i of the
/// address receives the bit at position delta[i]. Every position occurs once.
///
///     delta 2,0,1    x = abc (bits 2, 1, 0)  -->  bca, so that 110 sends to 101
using DimensionPermutation = std::vector<Port>;

/// The node that x sends to, bit by bit as the definition has it.
Rank destination(const DimensionPermutation& delta, Rank x);

/// Positions that receive another position's bit.
Port moved_dimensions(const DimensionPermutation& delta);

/// The largest Hamming distance between a node and its destination: every cycle of delta has as many changes as
/// positions, or one less if they are odd in number (johnsson-ho.md, Storage forms, max_w).
Port largest_distance(const DimensionPermutation& delta);

/// The cycles of delta that move bits: position c[k] receives the bit at c[k+1], the last one that at c[0].
std::vector<std::vector<Port>> cycles(const DimensionPermutation& delta);

/// delta(0),delta(1),.., e.g. "2,0,1".
std::string to_string(const DimensionPermutation& delta);

/// The numbers 0 .. size-1 in a random order, the same on every host.
std::vector<Rank> random_permutation(Rank size, std::uint64_t seed);

}  // namespace lockstep::permute
