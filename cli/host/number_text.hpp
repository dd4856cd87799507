#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lockstep/algorithms/written_number.hpp"

namespace lockstep::cli::host {

// Numbers that people write on the command line; whole ones are in lockstep/algorithms/written_number.hpp.

/// A number from 0 to the given most, such as the example. As strict as for whole numbers; throws InputError likewise.
double parse_number(std::string_view flag, std::string_view text, double most, std::string_view example);
/// A modelled time, at most most_time: "5e-3".
double parse_time(std::string_view flag, std::string_view text);
inline constexpr double most_time = 1e15;
/// Wall-clock seconds, more than 0.
double parse_seconds(std::string_view flag, std::string_view text, double most);

// Numbers in text.

/// "1,048,576".
std::string grouped(std::uint64_t number);
/// "1 link", "2 links": a number and what it counts.
std::string counted(std::uint64_t number, std::string_view noun);
/// Up to ten significant digits, or as many as given: "0.005", "20".
std::string short_number(double number, int digits = 10);
/// "62.5%": a share, rounded down to a tenth of a per cent, so that only all is 100%.
std::string percent(double share);
/// The digits of a table: five significant ones, or a whole number from 1,000 up to 10^15: "12.5", "1,048,576".
std::string short_figure(long double number);
/// As many digits as distinguish the number from its neighbours: it can be restored from them.
std::string all_digits(double number);
/// "3.42 ms": three significant digits and a suitable unit.
std::string duration(double seconds);
/// "12 s", "35 min", "8 h" or "14 days": a time of a second or more that is known roughly.
std::string rough_duration(double seconds);

}  // namespace lockstep::cli::host
