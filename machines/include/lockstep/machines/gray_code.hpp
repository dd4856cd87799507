#pragma once

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// The binary-reflected Gray code: gray(i) and gray(i+1) differ in one bit, and so do the first and the last of a power
/// of two of them. Maps a ring of 2^n onto neighbours of the n-cube.
///
///      i        0    1    2    3    4    5    6    7
///      gray(i)  000  001  011  010  110  111  101  100
///                  p0   p1   p0   p2   p0   p1   p0     port of the cube between them
constexpr Rank gray(Rank i) { return i ^ (i >> 1); }

/// The place of a code word: inverse_gray(gray(i)) = i.
constexpr Rank inverse_gray(Rank code) {
  // Bit b of the place is the xor of the bits b and above of the code word.
  for (unsigned shift = 1; shift < 32; shift *= 2) code ^= code >> shift;
  return code;
}

}  // namespace lockstep
