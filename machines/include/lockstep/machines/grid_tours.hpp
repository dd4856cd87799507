#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "lockstep/machines/grid.hpp"

// Tours of a grid: paths and rings through all its processors, along which a daisy chain runs (saad-schultz-1988.md,
// Torus daisy chains). The processors of a tour have places from 0.
namespace lockstep {

/// The path back and forth, line by line, without closing links: neighbouring places differ by one in one coordinate.
/// (The reflected Gray code, if all sides are 2.)
///
///     mesh:3x3    0 - 1 - 2      places
///                         |
///                 5 - 4 - 3
///                 |
///                 6 - 7 - 8
class SnakePath {
 public:
  /// Through all processors.
  explicit SnakePath(const Grid& grid) : axes_(grid.axes()) {}
  /// Through the processors that have 0 in all other coordinates.
  explicit SnakePath(std::vector<GridAxis> axes) : axes_(std::move(axes)) {}

  /// The place of a rank, regardless of its other coordinates.
  Rank place(Rank rank) const;
  /// The rank at a place.
  Rank at(Rank place) const;

 private:
  std::vector<GridAxis> axes_;
};

/// The ring that winds back and forth through all lines except their first places, over which it returns.
///
///     4x4    0 > 1 > 2 > 3       3x4    0 < 11< 10< 9      3x3    0 > 1 > 2     places
///            ^           v              v           ^      torus  ^       v
///           15   6 < 5 < 4              1   4 > 5   8             8   4 < 3
///            ^   v                      v   ^   v   ^             ^   v
///           14   7 > 8 > 9              2 > 3   6 > 7             7   5 > 6 > to 7, round the row
///            ^           v
///           13 <12 <11 <10
///
/// Lines are those of the last dimension of more than one place; the others follow each other on a SnakePath. If the
/// number of lines is odd and their side is even, the two change roles (3x4). If both are odd, the last line leads back
/// to its beginning over its closing link, which a torus has and a mesh lacks: on no other grid of more than one line
/// does the ring use such a link.
class SnakeRing {
 public:
  /// Whether the grid has any ring through all its processors; if so, it has this one. A grid of two processors has a
  /// ring of two, joined by one link.
  static bool exists(const Grid& grid);

  /// The grid must have a ring.
  explicit SnakeRing(const Grid& grid);

  /// The place of a rank.
  Rank place(Rank rank) const;
  /// The rank at a place.
  Rank at(Rank place) const;

 private:
  GridAxis columns_;  // along the lines
  SnakePath rows_;    // from line to line
  Rank processors_;
  bool winds_through_columns_ = false;  // else through rows
  Rank turns_ = 1;                      // of the rows, or columns, that it winds through
  Rank length_ = 1;                     // of each, its first place included
};

/// The ring that always advances by one column or by one row: with d = gcd(A, B) on the torus AxB, the processor in row
/// y and column x is followed by that in the next row if (x + y) mod d >= d - e, else by that in the next column. It
/// exists if some e from 1 to d - 1 is prime to A while d - e is prime to B, and then has the least such e; no ring of
/// this kind exists otherwise (Trotter & Erdos 1978). On a square, e = 1.
///
///     torus:3x3    0 > 1 > 2      places
///                          v
///                  4 > 5 > 3      row 1 continues over its closing link: 3, 4, 5
///                      v
///                  8 > 6 > 7      and row 2: 6, 7, 8, from where a column leads back to 0
class SkewRing {
 public:
  /// None if the grid has no such ring: two dimensions of rings are needed.
  static std::optional<SkewRing> of(const Grid& grid);

  /// The place of a rank, from 0 at rank 0; found in as many steps as the ring has periods.
  Rank place(Rank rank) const;
  /// The rank that follows on the ring.
  Rank next(Rank rank) const;
  /// The rank that comes before it.
  Rank previous(Rank rank) const;
  /// d of the rule.
  Rank period() const { return period_; }
  /// e of the rule: of d steps, those to the next row.
  Rank row_steps() const { return row_steps_; }

 private:
  SkewRing(const Grid& grid, Rank period, Rank row_steps)
      : rows_(grid.axis(0)), columns_(grid.axis(1)), period_(period), row_steps_(row_steps) {}

  /// Whether a processor with this x + y leads to the next row.
  bool turns_at(Rank sum) const { return sum % period_ >= period_ - row_steps_; }

  GridAxis rows_;
  GridAxis columns_;
  Rank period_;
  Rank row_steps_;
};

}  // namespace lockstep
