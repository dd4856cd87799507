#pragma once

#include <bit>
#include <cassert>
#include <vector>

#include "lockstep/core/topology.hpp"

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
  std::uint64_t bits = x;
  bits = (bits >> 1 & 0x55555555U) | (bits & 0x55555555U) << 1;
  bits = (bits >> 2 & 0x33333333U) | (bits & 0x33333333U) << 2;
  bits = (bits >> 4 & 0x0f0f0f0fU) | (bits & 0x0f0f0f0fU) << 4;
  bits = (bits >> 8 & 0x00ff00ffU) | (bits & 0x00ff00ffU) << 8;
  bits = (bits >> 16 & 0x0000ffffU) | (bits & 0x0000ffffU) << 16;
  return static_cast<Rank>(bits >> (32 - count));
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
