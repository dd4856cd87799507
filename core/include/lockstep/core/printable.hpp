#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep {

/// Characters of a text of somebody else's that a message shows.
inline constexpr std::size_t most_printed = 100;

/// The text as a message can show it: on one line, with nothing in it that disturbs a terminal, and short. Control
/// characters (those of Unicode too, and those that end a line or turn its direction) and bytes that are no UTF-8 are
/// each a question mark; of a text with more than `most` characters, the middle is "...".
std::string printable(std::string_view text, std::size_t most = most_printed);

/// The same in quotes: "'hypercube:3'".
std::string quoted(std::string_view text);
/// Not std::quoted, which is found where the type is as exact as here.
inline std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }

}  // namespace lockstep
