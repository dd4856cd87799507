#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace lockstep::cli::host {

/// The texts of the elements, with the separator between them.
template <class Range, class TextOf>
requires(!std::convertible_to<TextOf, std::string_view>) std::string
    joined(const Range& range, TextOf text_of, std::string_view separator = ", ") {
  std::string text;
  for (const auto& element : range) {
    if (!text.empty()) text += separator;
    text += text_of(element);
  }
  return text;
}

/// The same for texts.
template <class Range>
std::string joined(const Range& texts, std::string_view separator = ", ") {
  return joined(
      texts, [](std::string_view text) { return text; }, separator);
}

}  // namespace lockstep::cli::host
