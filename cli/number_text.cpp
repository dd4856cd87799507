#include "number_text.hpp"

#include <array>
#include <charconv>
#include <cstdio>

#include "lockstep/algorithms/method.hpp"

namespace lockstep::cli {
namespace {

std::string quoted(std::string_view flag, std::string_view text) {
  return std::string(flag) + " '" + std::string(text) + "'";
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string format(const char* pattern, double number) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), pattern, number);
  return text.data();
}

}  // namespace

std::uint64_t parse_whole_number(std::string_view flag, std::string_view text, std::uint64_t least,
                                 std::uint64_t most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  if (!all_digits(text) || (text.size() > 1 && text.front() == '0')) {
    throw InputError(quoted(flag, text) + " is not a whole number from " + range +
                     " (digits only: no sign, no leading zero)");
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < least || number > most) {
    throw InputError(quoted(flag, text) + " is out of range: " + range);
  }
  return number;
}

std::uint64_t parse_rank(std::string_view flag, std::string_view text) {
  constexpr std::uint64_t most = most_processors - 1;
  if (!text.starts_with("0b")) return parse_whole_number(flag, text, 0, most);
  std::uint64_t rank = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + 2, last, rank, 2);
  if (error == std::errc::invalid_argument || end != last || text[2] == '-') {
    throw InputError(quoted(flag, text) + " is not a rank: decimal, or binary such as 0b1010");
  }
  if (error != std::errc() || rank > most) {
    throw InputError(quoted(flag, text) + " is out of range: 0 to " + std::to_string(most));
  }
  return rank;
}

double parse_time(std::string_view flag, std::string_view text) {
  const std::string range = "0 to " + format("%g", most_time);
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  const bool starts_well = !text.empty() && text.front() >= '0' && text.front() <= '9';  // not nan, inf, -1
  const bool leading_zero = starts_well && text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
  if (!starts_well || leading_zero || end != last || error == std::errc::invalid_argument) {
    throw InputError(quoted(flag, text) + " is not a number from " + range + ", such as 5e-3");
  }
  if (error != std::errc() || number > most_time) {
    throw InputError(quoted(flag, text) + " is out of range: " + range);
  }
  return number;
}

std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t index = 0; index < digits.size(); ++index) {
    if (index > 0 && (digits.size() - index) % 3 == 0) text += ',';
    text += digits[index];
  }
  return text;
}

std::string counted(std::uint64_t number, std::string_view noun) {
  return grouped(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

std::string short_number(double number) { return format("%.10g", number); }

std::string duration(double seconds) {
  if (seconds >= 1) return format("%.3g s", seconds);
  if (seconds >= 1e-3) return format("%.3g ms", seconds * 1e3);
  if (seconds >= 1e-6) return format("%.3g us", seconds * 1e6);
  return format("%.3g ns", seconds * 1e9);
}

}  // namespace lockstep::cli
