#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace lockstep {

/// The number that the whole text is, as std::from_chars reads it; none if it is no number or does not fit.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace lockstep
