#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cli::flags {

// Lists of values in one text: "1..8" counts by one, "1..8+2" adds 2, "1..64*4" multiplies by 4, as far as the last
// value is not exceeded; "1,4,9" lists values and ranges. Numbers may be written as 1e6, and sizes of matrices as 4x8,
// where both sides are multiplied. All functions throw InputError with one line if a text is none of these, has no
// value (its last is less than its first, its step never gets there) or stands for more than most_values.

inline constexpr std::size_t most_values = 100'000;

/// The values of a list of numbers, names and ranges, each as it would be written alone. Messages begin with `flag`.
std::vector<std::string> values_of(const std::string& flag, const std::string& text);

/// The machines of a text in which numbers may be ranges: "hypercube:2..14", "torus:4..16*2x8"; several ranges give all
/// combinations, and the last range varies fastest.
std::vector<std::string> machines_of(const std::string& text);

/// Where a value is on an axis: a number, or the product of sides such as 4x8; empty if it is neither.
std::optional<double> axis_value(const std::string& value);

}  // namespace lockstep::cli::flags
