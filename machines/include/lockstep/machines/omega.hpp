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
//
// The inverse Omega network is the same crossed from right to left: elements, then a shuffle back, and in stage t a
// message takes the output whose lowest bit is bit t of its destination. The indirect binary n-cube has in stage t
// elements for the lines that differ in bit t. Both replace in stage t bit t of the source by that of the destination,
// so two messages meet in one exactly where they meet in the other.

/// The first two of these messages that need the same output of a stage, by the lowest such stage and then the lowest
/// senders; none if all pass at once. The crossings are ordered by sender and receiver; senders and receivers are below
/// `lines`, a power of two, and no receiver occurs twice. A sender that occurs several times has one message for all
/// its receivers, which the elements copy: its copies never conflict at an output.
std::optional<Blocking> omega_blocking(Rank lines, std::span<const Crossing> crossings);

/// The same for an inverse Omega network, and for an indirect binary n-cube.
std::optional<Blocking> inverse_omega_blocking(Rank lines, std::span<const Crossing> crossings);

/// Whether a permutation passes an Omega network in one pass, line i leading to permutation[i]; no_rank stands for an
/// idle line. Of all permutations of k lines 2^(n k/2) pass. Throws std::invalid_argument if the size is not a power of
/// two, a destination does not exist, or two lines have the same destination.
bool omega_passes(std::span<const Rank> permutation);

/// The same for another network with 2^n lines: inverse_omega_blocking, of whose permutations 2^(n k/2) pass too, the
/// inverses of those that pass an Omega network; or data_manipulator_blocking.
bool passes(Medium::Network network, std::span<const Rank> permutation);

/// The stages that a message passes: log2 of the lines of a network; 0 on a medium without one.
unsigned stages_of(const Medium& medium, Rank lines);

}  // namespace lockstep
