#include "canvas.hpp"

#include <algorithm>
#include <limits>

namespace lockstep::cli::host {
namespace {

/// Bytes of the first character.
std::size_t letter_size(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) ++size;
  return size;
}

}  // namespace

void Canvas::put(Spot at, std::string_view letter) { letters_[{at.y, at.x}] = letter; }

void Canvas::write(Spot at, std::string_view text) {
  for (; !text.empty(); ++at.x) {
    const std::size_t size = letter_size(text);
    put(at, text.substr(0, size));
    text.remove_prefix(size);
  }
}

std::string Canvas::text(std::size_t width) const {
  int leftmost = std::numeric_limits<int>::max();
  int rightmost = std::numeric_limits<int>::min();
  for (const auto& [at, letter] : letters_) {
    if (letter == " ") continue;
    leftmost = std::min(leftmost, at.second);
    rightmost = std::max(rightmost, at.second);
  }
  if (leftmost > rightmost || static_cast<std::size_t>(rightmost - leftmost) >= width) return "";
  std::string lines;
  int y = letters_.begin()->first.first;
  int x = leftmost;
  for (const auto& [at, letter] : letters_) {
    if (letter == " ") continue;
    for (; y < at.first; ++y) {
      lines += "\n";
      x = leftmost;
    }
    lines += std::string(static_cast<std::size_t>(at.second - x), ' ') + letter;
    x = at.second + 1;
  }
  return lines + "\n";
}

}  // namespace lockstep::cli::host
