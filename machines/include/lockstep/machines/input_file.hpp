#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep {

// Files that people name as input. "-" and /dev/stdin are standard input, which is read to its end once, whoever asks,
// and kept in memory: like any other file it can be opened as often as one likes.

/// Whether the name is one of those of standard input.
bool is_standard_input(const std::string& path);

/// What messages call the file: its path as printable.hpp has it, or "standard input".
std::string input_name(const std::string& path);

/// The path at which the file can be opened. Reads standard input if it is that; throws std::invalid_argument that says
/// why it cannot be read, or that it takes more than half of the memory that is available.
std::string input_place(const std::string& path);

/// How many brackets are open at most in a JSON text; of what is none any number. A tree of values that is deeper than
/// most_json_depth is not to be built: to copy or write it takes as deep a stack.
std::size_t json_depth(std::string_view text);
/// More than the files have that are read here.
inline constexpr std::size_t most_json_depth = 100;

}  // namespace lockstep
