#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// Word `index` of the generated block that `origin` has for `destination`: a number that differs from all others of
/// the same seed with near certainty, so that a misplaced or altered word is seen. The same on every host.
Word generated_word(std::uint64_t seed, Rank origin, Rank destination, std::uint64_t index);

/// Writes the words of the generated block that `origin` has for `destination`.
void generate_block(std::uint64_t seed, Rank origin, Rank destination, std::span<Word> block);

/// The generated block of `size` words that `origin` has for `destination` (itself, where the data is for all).
Block generated_block(std::uint64_t seed, Rank origin, Rank destination, std::uint64_t size);

/// One to four small letters, made of a generated word.
std::string short_text(Word random);

}  // namespace lockstep
