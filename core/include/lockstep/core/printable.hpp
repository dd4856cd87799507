#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

/// The most characters of a foreign text that a message shows.
inline constexpr std::size_t most_printed = 100;

/// The text as a message can show it: short, on one line, harmless to a terminal. Control characters (including those
/// of Unicode that end a line or change its direction) and bytes that are not UTF-8 become question marks; a text of
/// more than `most` characters has its middle replaced by "...".
std::string printable(std::string_view text, std::size_t most = most_printed);

/// The same in quotes: "'hypercube:3'".
std::string quoted(std::string_view text);
/// Preferred over std::quoted, which argument-dependent lookup finds for std::string.
inline std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }

/// "1 word" or "2 words".
std::string counted(std::uint64_t number, std::string_view noun);

}  // namespace lockstep
