#pragma once

#include <optional>
#include <span>

#include "lockstep/core/medium.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

// The Omega network of k = 2^n lines (Saad & Schultz; saad-schultz-1988.md, Omega network): n stages, each a perfect
// shuffle, which rotates the bits of the line's number left, followed by elements with two inputs and two outputs. In
// stage t, from 0, a message takes the output whose lowest bit is bit n-1-t of its destination.
//
//      0 --+ +-[0]-+ +-[0]- 0        k = 4: lines 0 and 2 meet in the upper element of the first stage,
//      1 -- X  [ ]  X  [ ]- 1        lines 1 and 3 in the lower one
//      2 -- X  [1]  X  [1]- 2
//      3 --+ +-[ ]-+ +-[ ]- 3

/// The first two of these messages that want the same output of one stage, the lowest such stage and then the lowest
/// senders; none if all pass at once. The crossings are ordered by sender; senders and receivers are below `lines`, a
/// power of two, and no receiver comes twice.
std::optional<Blocking> omega_blocking(Rank lines, std::span<const Crossing> crossings);

/// Whether a permutation passes an Omega network in one go, line i leading to permutation[i]; no_rank stands for a line
/// that is idle. Of all permutations of k lines 2^(n k/2) pass. Throws std::invalid_argument if the size is no power of
/// two, a destination does not exist, or two lines have the same.
bool omega_passes(std::span<const Rank> permutation);

}  // namespace lockstep
