#pragma once

#include <string>
#include <string_view>

namespace lockstep::cli::host {

/// Whether standard error is a terminal.
bool errors_on_terminal();

/// The width for lines on standard output: for a terminal COLUMNS if set, else its own width, but at least 40; 100 if
/// the output is not a terminal or does not give its width.
std::size_t line_width();

/// Lines of the terminal on standard output; 24 if it does not give them.
std::size_t screen_height();

/// Moves a terminal to the start of the line and clears it.
inline constexpr const char* clear_line = "\r\033[K";

/// Colours for text output: none unless standard output is a terminal and NO_COLOR is unset or empty.
class Style {
 public:
  /// The style for standard output.
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

/// Columns of a text on a screen: one per character, however many bytes it has, and none for colour codes.
std::size_t columns(std::string_view text);

/// The text padded with spaces to a width in columns: after it (left) or before it (right).
std::string left(std::string_view text, std::size_t width);
std::string right(std::string_view text, std::size_t width);

/// The text after `label`, which is padded to `indent` columns, broken at spaces so that no line is longer than `width`
/// if possible; every further line starts with `indent` spaces. Ends in a newline.
std::string wrapped(std::string_view label, std::string_view text, std::size_t indent, std::size_t width);

}  // namespace lockstep::cli::host
