#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// The finaliser of SplitMix64: a bijection that mixes every bit.
constexpr std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

/// Word `index` of the generated block that `origin` has for `destination`: a number that differs from all others of
/// the same seed with near certainty, so that a misplaced or altered word is seen. The same on every host.
constexpr Word generated_word(std::uint64_t seed, Rank origin, Rank destination, std::uint64_t index) {
  return mixed(mixed(mixed(seed) ^ (std::uint64_t{origin} << 32 | destination)) + index);
}

/// Writes the words of the generated block that `origin` has for `destination`.
void generate_block(std::uint64_t seed, Rank origin, Rank destination, std::span<Word> block);

/// The generated block of `size` words that `origin` has for `destination` (itself, where the data is for all).
Block generated_block(std::uint64_t seed, Rank origin, Rank destination, std::uint64_t size);

/// One to four small letters, made of a generated word.
std::string short_text(Word random);

}  // namespace lockstep
