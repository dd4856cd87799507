#pragma once

#include <string>

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

}  // namespace lockstep
