#pragma once

#include <bit>
#include <cassert>
#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

// Address bits of the n-cube: rank r is the corner whose bit p is its place in dimension p, and port p leads to
// r xor 2^p.
//
//        110-----111      highest_bit(0b101) = 2    the last dimension on the way from 0 to 101
//        /|      /|       width(0b101)       = 3    the first dimension that leads out of 0..111's subcube
//     100-----101 |       one_bits(0b101)    = 2    its distance from 0
//       | 010---|-011
//       |/      |/       reversed(0b001, 3) = 0b100
//     000-----001

/// Whether the machine belongs to the family hypercube.
inline bool is_hypercube(const MachineSpec& machine) { return machine.family == "hypercube"; }

/// Index of the highest one bit. x must not be 0.
constexpr Port highest_bit(Rank x) {
  assert(x != 0);
  return static_cast<Port>(std::bit_width(x) - 1);
}

/// Number of bits of x without leading zeros: 0 for 0, else highest_bit(x) + 1.
constexpr Port width(Rank x) { return static_cast<Port>(std::bit_width(x)); }

/// Number of one bits; one_bits(a ^ b) is the distance of a and b in the cube.
constexpr Port one_bits(Rank x) { return static_cast<Port>(std::popcount(x)); }

/// Whether bit `place` of x is one.
constexpr bool has_bit(Rank x, Port place) { return (x >> place & 1U) != 0; }

/// The lowest `count` bits of x read backwards, the others dropped; count is at most 32.
constexpr Rank reversed(Rank x, Port count) {
  Rank bits = 0;
  for (Port bit = 0; bit < count; ++bit) bits = bits << 1 | (x >> bit & 1U);
  return bits;
}

/// The ports of the E-cube path: the differing bits, lowest first.
inline std::vector<Port> ecube_path(Rank from, Rank to) {
  std::vector<Port> ports;
  for (Port bit = 0; bit < width(from ^ to); ++bit) {
    if (has_bit(from ^ to, bit)) ports.push_back(bit);
  }
  return ports;
}

}  // namespace lockstep
