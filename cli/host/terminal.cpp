#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace lockstep::cli::host {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

std::string spaces(std::string_view text, std::size_t width) {
  const std::size_t taken = columns(text);
  return std::string(taken < width ? width - taken : 0, ' ');
}

/// The number in an environment variable; empty if there is none, or it is 0.
std::optional<std::size_t> number_in(const char* variable) {
  const std::string_view text = is_set(variable) ? std::getenv(variable) : "";
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return {};
  return number;
}

}  // namespace

std::size_t line_width() {
  constexpr std::size_t usual = 100;
  constexpr std::size_t least = 40;
  if (isatty(STDOUT_FILENO) != 1) return usual;
  winsize size{};
  const bool says = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return std::max(least, number_in("COLUMNS").value_or(says ? size.ws_col : usual));
}

std::size_t screen_height() {
  constexpr std::size_t usual = 24;
  winsize size{};
  const bool says = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
  return says ? size.ws_row : usual;
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t index = 0; index < text.size(); ++index) {
    if (text[index] == '\033') {
      index = std::min(text.find('m', index), text.size() - 1);
      continue;
    }
    const bool continues = (static_cast<unsigned char>(text[index]) & 0xC0U) == 0x80U;
    if (!continues) ++count;
  }
  return count;
}

bool errors_on_terminal() { return isatty(STDERR_FILENO) == 1; }

Style Style::of_output() {
  Style style;
  style.colour_ = isatty(STDOUT_FILENO) == 1 && !is_set("NO_COLOR");
  return style;
}

std::string Style::paint(std::string_view code, std::string_view text) const {
  if (!colour_) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

std::string left(std::string_view text, std::size_t width) { return std::string(text) + spaces(text, width); }

std::string right(std::string_view text, std::size_t width) { return spaces(text, width) + std::string(text); }

std::string wrapped(std::string_view label, std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::string line = left(label, indent);
  bool starts = true;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word; starts = false) {
    if (!starts && columns(line) + 1 + columns(word) > width) {
      result += line + "\n";
      line = std::string(indent, ' ');
      starts = true;
    }
    line += (starts ? "" : " ") + word;
  }
  return result + line + "\n";
}

}  // namespace lockstep::cli::host
