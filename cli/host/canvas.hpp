#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace lockstep::cli::host {

/// A place on a canvas, in columns to the right and lines downwards. It may be negative.
struct Spot {
  int x = 0;
  int y = 0;

  friend bool operator==(const Spot&, const Spot&) = default;
};

/// A sheet of characters, which grows with its content.
class Canvas {
 public:
  /// Writes a character, replacing the one at that place.
  void put(Spot at, std::string_view letter);
  /// Writes characters of one column each, from that place to the right.
  void write(Spot at, std::string_view text);

  /// The lines without trailing spaces, from the leftmost used column; empty if they are wider than that.
  std::string text(std::size_t width) const;

 private:
  std::map<std::pair<int, int>, std::string> letters_;  // by line and column
};

}  // namespace lockstep::cli::host
