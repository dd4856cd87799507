#include "value_range.hpp"

#include <charconv>
#include <cmath>
#include <optional>

#include "host/number_text.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep::cli::flags {
namespace {

constexpr std::string_view dots = "..";
constexpr std::string_view digits = "0123456789";

/// One number, or both sides of a matrix.
using SideValues = std::vector<double>;

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
  return is_number && !text.starts_with('-') ? std::optional(number) : std::nullopt;
}

std::optional<SideValues> sides_of(std::string_view text) {
  const std::size_t cross = text.find('x');
  const auto first = number_of(text.substr(0, cross));
  if (!first) return {};
  if (cross == std::string_view::npos) return SideValues{*first};
  const auto second = number_of(text.substr(cross + 1));
  return second ? std::optional(SideValues{*first, *second}) : std::nullopt;
}

/// Writes whole numbers without a point or an exponent, so that every flag can read them.
std::string text_of(double number) {
  constexpr double most_whole = 9'007'199'254'740'992;  // 2^53
  if (number == std::floor(number) && number <= most_whole) return std::to_string(static_cast<std::uint64_t>(number));
  return host::all_digits(number);
}

std::string text_of(const SideValues& sides) {
  return sides.size() == 1 ? text_of(sides[0]) : text_of(sides[0]) + "x" + text_of(sides[1]);
}

/// Reads "A..B", "A..B+D" or "A..B*F".
class Range {
 public:
  Range(std::string flag, const std::string& text) : flag_(std::move(flag)), text_(text) {
    const std::size_t begin_last = text.find(dots) + dots.size();
    const std::size_t sign = text.find_first_of("+*", begin_last);
    const auto first = sides_of(text.substr(0, text.find(dots)));
    const auto last = sides_of(text.substr(begin_last, sign - begin_last));
    if (!first || !last || first->size() != last->size()) refuse("is not a range like 1..8, 1..8+2 or 1..64*4");
    first_ = *first;
    last_ = *last;
    if (sign != std::string::npos) {
      multiplies_ = text[sign] == '*';
      const auto step = number_of(text.substr(sign + 1));
      if (!step) refuse(std::string("needs a number after its ") + text[sign]);
      step_ = *step;
    }
    if (multiplies_ && (step_ <= 1 || first_.front() == 0))
      refuse("never ends: it must start above 0 and multiply by more than 1");
    if (!multiplies_ && step_ <= 0) refuse("never ends: it must add more than 0");
    if (is_past(first_)) refuse("is empty: " + flags::text_of(first_) + " is more than " + flags::text_of(last_));
  }

  std::vector<std::string> values() const {
    std::vector<std::string> all;
    SideValues value = first_;
    for (std::size_t index = 0; !is_past(value); ++index) {
      if (index == most_values) refuse("stands for more than 100,000 values");
      all.push_back(flags::text_of(value));
      for (std::size_t side = 0; side < value.size(); ++side) {
        value[side] = multiplies_ ? value[side] * step_ : first_[side] + static_cast<double>(index + 1) * step_;
      }
    }
    return all;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw InputError(flag_ + " " + quoted(text_) + " " + why); }

  /// Rounding may make sums and products of fractions miss the last value.
  bool is_past(const SideValues& value) const {
    constexpr double rounding = 1e-9;
    for (std::size_t side = 0; side < value.size(); ++side) {
      if (value[side] > last_[side] * (1 + rounding)) return true;
    }
    return false;
  }

  std::string flag_;
  std::string text_;
  SideValues first_;
  SideValues last_;
  bool multiplies_ = false;
  double step_ = 1;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> items{""};
  for (const char letter : text) {
    if (letter == ',') {
      items.emplace_back();
    } else {
      items.back() += letter;
    }
  }
  return items;
}

/// A number like 1e6 in a form that every flag can read; any other text unchanged.
std::string single_value(const std::string& text) {
  const auto sides = sides_of(text);
  return sides && text.find('e') != std::string::npos ? text_of(*sides) : text;
}

}  // namespace

std::vector<std::string> values_of(const std::string& flag, const std::string& text) {
  std::vector<std::string> all;
  for (const std::string& item : split(text)) {
    if (item.empty()) throw InputError(flag + " " + quoted(text) + " lacks a value");
    if (item.find(dots) == std::string::npos) {
      all.push_back(single_value(item));
    } else {
      const std::vector<std::string> values = Range(flag, item).values();
      all.insert(all.end(), values.begin(), values.end());
    }
  }
  return all;
}

std::vector<std::string> machines_of(const std::string& text) {
  const std::size_t at = text.find(dots);
  const bool is_file = text.starts_with("graph:");
  if (at == std::string::npos || is_file) return {text};
  const std::size_t before = text.find_last_not_of(digits, at - 1) + 1;
  std::size_t end = std::min(text.find_first_not_of(digits, at + dots.size()), text.size());
  const bool has_step = end + 1 < text.size() && (text[end] == '*' || text[end] == '+') &&
                        digits.find(text[end + 1]) != std::string_view::npos;
  if (has_step) end = std::min(text.find_first_not_of(digits, end + 1), text.size());
  const std::vector<std::string> numbers = Range("--machine", text.substr(before, end - before)).values();
  const std::vector<std::string> rests = machines_of(text.substr(end));
  if (numbers.size() > most_values / rests.size()) {
    throw InputError("--machine " + quoted(text) + " stands for more than 100,000 machines");
  }
  std::vector<std::string> all;
  for (const std::string& number : numbers) {
    for (const std::string& rest : rests) all.push_back(text.substr(0, before) + number + rest);
  }
  return all;
}

std::optional<double> axis_value(const std::string& value) {
  double product = 1;
  const char* at = value.data();
  const char* const last = at + value.size();
  for (;;) {
    double side = 0;
    const auto [end, error] = std::from_chars(at, last, side);
    if (error != std::errc()) return {};
    product *= side;
    if (end == last) return product;
    if (*end != 'x' || side == 0) return {};
    at = end + 1;
  }
}

}  // namespace lockstep::cli::flags
