#pragma once

#include <string>
#include <string_view>

namespace lockstep::cli::host {

/// The texts of the elements, separated by ", ".
template <class Range, class TextOf>
std::string joined(const Range& range, TextOf text_of) {
  std::string text;
  for (const auto& element : range) text += (text.empty() ? "" : ", ") + std::string(text_of(element));
  return text;
}

/// The same for texts.
template <class Range>
std::string joined(const Range& texts) {
  return joined(texts, [](std::string_view text) { return text; });
}

}  // namespace lockstep::cli::host
