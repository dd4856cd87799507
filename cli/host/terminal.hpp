#pragma once

#include <string>
#include <string_view>

namespace lockstep::cli::host {

/// Whether standard error is a terminal.
bool errors_on_terminal();

/// Columns that lines on standard output should fit: of a terminal COLUMNS where it is set, else what it says itself,
/// but at least 40; 100 where the output is no terminal or does not say.
std::size_t line_width();

/// Lines that the terminal on standard output has; 24 where it does not say.
std::size_t screen_height();

/// Moves a terminal to the start of the line and clears it.
inline constexpr const char* clear_line = "\r\033[K";

/// Colours for human output: none unless standard output is a terminal and NO_COLOR is unset or empty.
class Style {
 public:
  /// The style that suits standard output.
  static Style of_output();
  /// No colours.
  Style() = default;

  std::string good(std::string_view text) const { return paint("32", text); }
  std::string bad(std::string_view text) const { return paint("1;31", text); }
  std::string heading(std::string_view text) const { return paint("1", text); }

 private:
  std::string paint(std::string_view code, std::string_view text) const;

  bool colour_ = false;
};

/// Columns that a text takes on a screen: one for every character, whatever its bytes, none for the codes of colours.
std::size_t columns(std::string_view text);

/// The text, filled with spaces up to a width in columns: behind it (left) or before it (right).
std::string left(std::string_view text, std::size_t width);
std::string right(std::string_view text, std::size_t width);

/// The text behind `label`, which is filled up to `indent` columns, broken at spaces so that no line is longer than
/// `width` where that can be; every further line starts with `indent` spaces. Ends in a newline.
std::string wrapped(std::string_view label, std::string_view text, std::size_t indent, std::size_t width);

}  // namespace lockstep::cli::host
