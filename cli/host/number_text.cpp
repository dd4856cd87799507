#include "number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::host {
namespace {

std::string format(const char* pattern, double number) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), pattern, number);
  return text.data();
}

}  // namespace

double parse_number(std::string_view flag, std::string_view text, double most, std::string_view example) {
  const std::string given = std::string(flag) + " " + quoted(text);
  const std::string range = "0 to " + format("%g", most);
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  const bool starts_well = !text.empty() && text.front() >= '0' && text.front() <= '9';  // not nan, inf, -1
  const bool leading_zero = starts_well && text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
  if (!starts_well || leading_zero || end != last || error == std::errc::invalid_argument) {
    throw InputError(given + " is not a number from " + range + ", such as " + std::string(example));
  }
  if (error != std::errc() || number > most) {
    throw InputError(given + " is out of range: " + range);
  }
  return number;
}

double parse_time(std::string_view flag, std::string_view text) { return parse_number(flag, text, most_time, "5e-3"); }

double parse_seconds(std::string_view flag, std::string_view text, double most) {
  const std::string wrong =
      std::string(flag) + " " + quoted(text) + " is not a number of seconds above 0, up to " + short_number(most);
  double seconds = 0;
  try {
    seconds = parse_time(flag, text);
  } catch (const InputError&) {
    throw InputError(wrong);
  }
  if (seconds <= 0 || seconds > most) throw InputError(wrong);
  return seconds;
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

std::string short_number(double number, int digits) {
  return format(("%." + std::to_string(digits) + "g").c_str(), number);
}

std::string percent(double share) {
  constexpr double rounding = 1e-9;  // of a share that is a quotient
  return short_number(std::floor(share * 1000 + rounding) / 10) + "%";
}

std::string short_figure(long double number) {
  constexpr double unwieldy = 1e15;
  const auto rounded = static_cast<double>(number);
  const bool is_whole = rounded >= 1000 && rounded < unwieldy;
  return is_whole ? grouped(static_cast<std::uint64_t>(std::round(number))) : short_number(rounded, 5);
}

std::string all_digits(double number) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

std::string duration(double seconds) {
  if (seconds >= 1) return format("%.3g s", seconds);
  if (seconds >= 1e-3) return format("%.3g ms", seconds * 1e3);
  if (seconds >= 1e-6) return format("%.3g us", seconds * 1e6);
  return format("%.3g ns", seconds * 1e9);
}

std::string rough_duration(double seconds) {
  constexpr double minute = 60;
  constexpr double hour = 60 * minute;
  constexpr double day = 24 * hour;
  if (seconds < 2 * minute) return format("%.0f s", seconds);
  if (seconds < 2 * hour) return format("%.0f min", seconds / minute);
  if (seconds < 2 * day) return format("%.0f h", seconds / hour);
  return format("%.0f days", seconds / day);
}

}  // namespace lockstep::cli::host
