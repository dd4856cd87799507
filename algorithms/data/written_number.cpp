#include "lockstep/algorithms/written_number.hpp"

#include <charconv>
#include <optional>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

[[noreturn]] void refuse_as_too_large(std::string_view what, std::string_view text) {
  throw InputError(std::string(what) + " " + quoted(text) + " is too large for 64 bits");
}

/// Empty if it is too large for 64 bits; `range` follows "a whole number" in the error.
std::optional<std::uint64_t> number_of(std::string_view what, std::string_view text, const std::string& range) {
  if (!all_digits(text) || (text.size() > 1 && text.front() == '0')) {
    throw InputError(std::string(what) + " " + quoted(text) + " is not a whole number" + range +
                     " (digits only: no sign, no leading zero)");
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::uint64_t parse_whole_number(std::string_view what, std::string_view text, std::uint64_t least,
                                 std::uint64_t most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  const std::optional<std::uint64_t> number = number_of(what, text, " from " + range);
  if (number && *number >= least && *number <= most) return *number;
  throw InputError(std::string(what) + " " + quoted(text) + " is out of range: " + range);
}

std::uint64_t parse_whole_number(std::string_view what, std::string_view text) {
  if (const auto number = number_of(what, text, "")) return *number;
  refuse_as_too_large(what, text);
}

std::uint64_t parse_rank(std::string_view what, std::string_view text) {
  if (!text.starts_with("0b")) return parse_whole_number(what, text);
  std::uint64_t rank = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + 2, last, rank, 2);
  if (error == std::errc::invalid_argument || end != last || text[2] == '-') {
    throw InputError(std::string(what) + " " + quoted(text) + " is not a rank: decimal, or binary such as 0b1010");
  }
  if (error != std::errc()) refuse_as_too_large(what, text);
  return rank;
}

}  // namespace lockstep
