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

/// A sheet of letters, as large as what is put on it.
class Canvas {
 public:
  /// A letter, instead of the one that is there.
  void put(Spot at, std::string_view letter);
  /// Letters of one column each, from there to the right.
  void write(Spot at, std::string_view text);

  /// Lines without spaces at their ends, from the leftmost column that is used; empty if they are wider than that.
  std::string text(std::size_t width) const;

 private:
  std::map<std::pair<int, int>, std::string> letters_;  // by line and column
};

}  // namespace lockstep::cli::host
