#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep {

// Input files named by users. "-" and /dev/stdin are standard input, which is read to its end once and kept in memory,
// so that like any other file it can be opened repeatedly.

/// Whether the name means standard input.
bool is_standard_input(const std::string& path);

/// The file's name in messages: its path made printable (printable.hpp), or "standard input".
std::string input_name(const std::string& path);

/// The path at which the file can be opened. Reads standard input if the path means it; throws std::invalid_argument if
/// it cannot be read or takes more than half of the available memory.
std::string input_place(const std::string& path);

/// The most brackets open at once in a JSON text; any number if it is not JSON. A tree of values deeper than
/// most_json_depth must not be built: copying or writing it takes as deep a stack.
std::size_t json_depth(std::string_view text);
/// Deeper than any file that is read here.
inline constexpr std::size_t most_json_depth = 100;

}  // namespace lockstep
