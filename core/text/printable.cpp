#include "lockstep/core/printable.hpp"

#include <algorithm>
#include <cstdint>

namespace lockstep {
namespace {

/// A character at the beginning of a text.
struct Character {
  std::size_t bytes = 1;
  bool is_printable = false;
};

/// Whether the character is a control character, ends a line, or changes the direction of writing.
bool disturbs(std::uint32_t code) {
  constexpr std::uint32_t delete_code = 0x7f, last_control = 0x9f;
  constexpr std::uint32_t left_to_right = 0x200e, right_to_left = 0x200f, arabic_letter = 0x061c;
  constexpr std::uint32_t line_separator = 0x2028, last_override = 0x202e;
  constexpr std::uint32_t first_isolate = 0x2066, last_isolate = 0x2069;
  return code < ' ' || (code >= delete_code && code <= last_control) || code == left_to_right ||
         code == right_to_left || code == arabic_letter || (code >= line_separator && code <= last_override) ||
         (code >= first_isolate && code <= last_isolate);
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

/// The first UTF-8 character of the text, which is not empty; a byte that begins no character counts as one.
Character first_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return {.bytes = 1, .is_printable = !disturbs(first)};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  constexpr std::uint32_t least_of[] = {0x80, 0x800, 0x10000};  // in two, three and four bytes
  constexpr std::uint32_t most_code = 0x10ffff, first_surrogate = 0xd800, last_surrogate = 0xdfff;
  if (first < 0xc0 || first > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = first & (0x7fU >> bytes);
  for (std::size_t index = 1; index < bytes; ++index) {
    if (!is_continuation(text[index])) return {};
    code = code << 6U | (static_cast<unsigned char>(text[index]) & 0x3fU);
  }
  const bool is_surrogate = code >= first_surrogate && code <= last_surrogate;
  if (code < least_of[bytes - 2] || code > most_code || is_surrogate) return {};
  return {.bytes = bytes, .is_printable = !disturbs(code)};
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  constexpr std::string_view left_out = "...";
  const std::size_t before = most * 2 / 3;  // of the characters kept of a long text
  std::string shown;
  std::size_t characters = 0;
  std::size_t end_of_before = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    if (characters == before) end_of_before = shown.size();
    ++characters;
    if (next.is_printable) {
      shown += text.substr(0, next.bytes);
    } else {
      shown += '?';
    }
    text.remove_prefix(next.bytes);
  }
  if (characters <= most) return shown;
  std::size_t begin_of_after = shown.size();
  for (std::size_t after = most - std::min(most, before + left_out.size()); after > 0; --after) {
    --begin_of_after;
    while (is_continuation(shown[begin_of_after])) --begin_of_after;
  }
  return shown.substr(0, end_of_before).append(left_out).append(shown, begin_of_after);
}

std::string quoted(std::string_view text) { return std::string("'").append(printable(text)).append("'"); }

std::string counted(std::uint64_t number, std::string_view noun) {
  return std::to_string(number).append(" ").append(noun).append(number == 1 ? "" : "s");
}

}  // namespace lockstep
