#pragma once

namespace lockstep {

/// A place in a drawing: x to the right, y upwards. Processors that are neighbours on a grid are 1 apart.
struct Position {
  double x = 0;  ///< to the right
  double y = 0;  ///< upwards

  friend bool operator==(const Position&, const Position&) = default;
};

}  // namespace lockstep
