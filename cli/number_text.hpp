#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::cli {

// Numbers that people write. They are strict on purpose: no signs, no spaces, no leading zeros, so that nothing is
// read as something else. Each throws InputError with one line that names the flag and the range.

/// A decimal whole number in [least, most].
std::uint64_t parse_whole_number(std::string_view flag, std::string_view text, std::uint64_t least, std::uint64_t most);

/// A rank, decimal or binary ("0b1010"). That the machine has it is the method's check.
std::uint64_t parse_rank(std::string_view flag, std::string_view text);

/// A time, at least 0 and at most most_time: "5e-3".
double parse_time(std::string_view flag, std::string_view text);
inline constexpr double most_time = 1e15;

// Numbers for people to read.

/// "1,048,576".
std::string grouped(std::uint64_t number);
/// "1 link", "2 links": a number and what it counts.
std::string counted(std::uint64_t number, std::string_view noun);
/// Up to ten significant digits: "0.005", "20".
std::string short_number(double number);
/// "3.42 ms": three significant digits and the unit that suits.
std::string duration(double seconds);

}  // namespace lockstep::cli
