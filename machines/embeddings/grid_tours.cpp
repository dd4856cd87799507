#include "lockstep/machines/grid_tours.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockstep {

// A line is walked backwards if its beginning has an odd place among the lines.
Rank SnakePath::place(Rank rank) const {
  Rank place = 0;
  for (const GridAxis& axis : axes_) {
    const Rank position = axis.position(rank);
    place = place * axis.side() + (place % 2 == 0 ? position : axis.side() - 1 - position);
  }
  return place;
}

Rank SnakePath::at(Rank place) const {
  Rank rank = 0;
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    const Rank walked = place % axis->side();
    place /= axis->side();
    rank += (place % 2 == 0 ? walked : axis->side() - 1 - walked) * axis->stride();
  }
  return rank;
}

namespace {

/// The last dimension of more than one place, or the last of all.
std::size_t dimension_of_lines(const Grid& grid) {
  std::size_t dimension = grid.dimensions() - 1;
  while (dimension > 0 && grid.axis(dimension).side() == 1) --dimension;
  return grid.axis(dimension).side() == 1 ? grid.dimensions() - 1 : dimension;
}

std::vector<GridAxis> all_but(const Grid& grid, std::size_t dimension) {
  std::vector<GridAxis> axes = grid.axes();
  axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(dimension));
  return axes;
}

}  // namespace

// Without closing links a tour changes colour at every step, as on a chess-board, so it has an even number of places. A
// single line has no tour either, unless it is closed or has at most two places.
bool SnakeRing::exists(const Grid& grid) {
  const GridAxis& line = grid.axis(dimension_of_lines(grid));
  if (line.is_ring() || grid.processors() <= 2) return true;
  return grid.processors() % 2 == 0 && line.side() < grid.processors();
}

SnakeRing::SnakeRing(const Grid& grid)
    : columns_(grid.axis(dimension_of_lines(grid))),
      rows_(all_but(grid, dimension_of_lines(grid))),
      processors_(grid.processors()) {
  const Rank side = columns_.side();
  const Rank lines = processors_ / side;
  winds_through_columns_ = lines % 2 != 0 && lines > 1 && side % 2 == 0 && side > 2;
  turns_ = winds_through_columns_ ? side : lines;
  length_ = processors_ / turns_;
}

Rank SnakeRing::place(Rank rank) const {
  const Rank row = rows_.place(rank);
  const Rank column = columns_.position(rank);
  const auto [turn, along] = winds_through_columns_ ? std::pair(column, row) : std::pair(row, column);
  if (along == 0) return turn == 0 ? 0 : processors_ - turn;
  return 1 + turn * (length_ - 1) + (turn % 2 == 0 ? along - 1 : length_ - 1 - along);
}

Rank SnakeRing::at(Rank place) const {
  Rank turn = 0;
  Rank along = 0;
  if (place > turns_ * (length_ - 1)) {
    turn = processors_ - place;
  } else if (place > 0) {
    turn = (place - 1) / (length_ - 1);
    const Rank step = (place - 1) % (length_ - 1);
    along = turn % 2 == 0 ? 1 + step : length_ - 1 - step;
  }
  const auto [row, column] = winds_through_columns_ ? std::pair(along, turn) : std::pair(turn, along);
  return columns_.at(rows_.at(row), column);
}

std::optional<SkewRing> SkewRing::of(const Grid& grid) {
  if (grid.dimensions() != 2 || !grid.axis(0).is_ring()) return std::nullopt;
  const Rank rows = grid.axis(0).side();
  const Rank columns = grid.axis(1).side();
  const Rank period = std::gcd(rows, columns);
  for (Rank row_steps = 1; row_steps < period; ++row_steps) {
    if (std::gcd(rows, row_steps) == 1 && std::gcd(columns, period - row_steps) == 1) {
      return SkewRing(grid, period, row_steps);
    }
  }
  return std::nullopt;
}

// x + y grows by 1 modulo d from place to place. Where it is 0 a period begins, which advances by d - e columns and
// then by e rows.
Rank SkewRing::place(Rank rank) const {
  const Rank columns_first = period_ - row_steps_;
  const auto back = [](const GridAxis& axis, Rank position, Rank by) {
    return (position + axis.side() - by) % axis.side();
  };
  Rank row = rows_.position(rank);
  Rank column = columns_.position(rank);
  Rank place = (row + column) % period_;
  const Rank in_columns = std::min(place, columns_first);
  column = back(columns_, column, in_columns);
  row = back(rows_, row, place - in_columns);
  for (; row != 0 || column != 0; place += period_) {
    row = back(rows_, row, row_steps_);
    column = back(columns_, column, columns_first);
  }
  return place;
}

Rank SkewRing::next(Rank rank) const {
  const Rank row = rows_.position(rank);
  const Rank column = columns_.position(rank);
  return turns_at(row + column) ? rows_.at(rank, (row + 1) % rows_.side())
                                : columns_.at(rank, (column + 1) % columns_.side());
}

// x + y was one less, modulo d, before either step.
Rank SkewRing::previous(Rank rank) const {
  const Rank row = rows_.position(rank);
  const Rank column = columns_.position(rank);
  return turns_at(row + column + period_ - 1) ? rows_.at(rank, (row + rows_.side() - 1) % rows_.side())
                                              : columns_.at(rank, (column + columns_.side() - 1) % columns_.side());
}

}  // namespace lockstep
