#include "lockstep/algorithms/written_number.hpp"

#include <algorithm>
#include <charconv>

#include "lockstep/algorithms/method.hpp"

namespace lockstep {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string shown(text.substr(0, most));
  std::replace_if(
      shown.begin(), shown.end(), [](char letter) { return letter < ' ' || letter > '~'; }, '?');
  return "'" + shown + (text.size() > most ? "..." : "") + "'";
}

std::uint64_t parse_whole_number(std::string_view what, std::string_view text, std::uint64_t least,
                                 std::uint64_t most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  if (!all_digits(text) || (text.size() > 1 && text.front() == '0')) {
    throw InputError(std::string(what) + " " + quoted(text) + " is not a whole number from " + range +
                     " (digits only: no sign, no leading zero)");
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < least || number > most) {
    throw InputError(std::string(what) + " " + quoted(text) + " is out of range: " + range);
  }
  return number;
}

std::uint64_t parse_rank(std::string_view what, std::string_view text) {
  constexpr std::uint64_t most = most_processors - 1;
  if (!text.starts_with("0b")) return parse_whole_number(what, text, 0, most);
  std::uint64_t rank = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + 2, last, rank, 2);
  if (error == std::errc::invalid_argument || end != last || text[2] == '-') {
    throw InputError(std::string(what) + " " + quoted(text) + " is not a rank: decimal, or binary such as 0b1010");
  }
  if (error != std::errc() || rank > most) {
    throw InputError(std::string(what) + " " + quoted(text) + " is out of range: 0 to " + std::to_string(most));
  }
  return rank;
}

}  // namespace lockstep
