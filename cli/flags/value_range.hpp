#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cli::flags {

// Values that people give in one text: "1..8" counts by one, "1..8+2" adds 2, "1..64*4" multiplies by 4, as far as the
// last is not passed; "1,4,9" lists values and ranges. Numbers may be written as 1e6, and sizes of matrices as 4x8,
// whose sides are multiplied alike. All throw InputError with one line if a text is none of these, has no value (its
// last is less than its first, its step gets nowhere) or stands for more than most_values.

inline constexpr std::size_t most_values = 100'000;

/// The values of a list of numbers, names and ranges, as they are written one by one. `flag` is what messages begin
/// with.
std::vector<std::string> values_of(const std::string& flag, const std::string& text);

/// The machines of a text in which numbers may be ranges: "hypercube:2..14", "torus:4..16*2x8"; of several ranges all
/// combinations, the last one running fastest.
std::vector<std::string> machines_of(const std::string& text);

}  // namespace lockstep::cli::flags
