#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lockstep/core/printable.hpp"

namespace lockstep {

/// More words than any host holds: a bound on --words that keeps every product of sizes within 64 bits.
inline constexpr std::uint64_t most_words = std::uint64_t{1} << 31;

// Whole numbers that users write, on the command line or in a file. They are strict on purpose: no signs, no spaces, no
// leading zeros, so that nothing is read as something else. Each throws InputError with one line that names the use of
// the number, e.g. "--root", the number as printable.hpp has it, and the range, if it is known where the number is
// read.

/// A decimal whole number in [least, most].
std::uint64_t parse_whole_number(std::string_view what, std::string_view text, std::uint64_t least, std::uint64_t most);

/// A decimal whole number of 64 bits. The caller checks its range.
std::uint64_t parse_whole_number(std::string_view what, std::string_view text);

/// A rank, decimal or binary ("0b1010"), of 64 bits. The caller checks that the machine has it.
std::uint64_t parse_rank(std::string_view what, std::string_view text);

}  // namespace lockstep
