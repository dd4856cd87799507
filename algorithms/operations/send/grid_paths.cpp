#include "grid_paths.hpp"

#include <algorithm>
#include <cstdlib>

namespace lockstep::send {
namespace {

/// Hops along an axis, + towards the destination.
struct AxisMove {
  std::size_t axis;
  std::int64_t hops;
};
using AxisMoves = std::vector<AxisMove>;

/// One dimension as the tables see it: mirrored, so that the destination is `hops` >= 0 links ahead.
struct AxisView {
  const GridAxis* axis;
  std::int64_t hops;
  bool mirrored;
  Rank behind;  ///< positions behind the source that the paths may take
  Rank beyond;  ///< positions beyond the destination
};

constexpr Rank room_of_ring = 2;  ///< of a ring of 5 or more, on either side

AxisView view_of(const GridAxis& axis, Rank from, Rank to) {
  const std::int64_t offset = axis.offset(axis.position(from), axis.position(to));
  AxisView view{&axis, std::abs(offset), offset < 0, room_of_ring, room_of_ring};
  if (axis.is_ring()) return view;
  view.behind = axis.position(from);
  view.beyond = axis.side() - 1 - axis.position(to);
  if (view.mirrored) {
    view.behind = axis.side() - 1 - axis.position(from);
    view.beyond = axis.position(to);
  }
  return view;
}

/// The dimensions between two ranks, the last first, sorted by their role in the tables. Ends differ in `open` ones,
/// with room behind the source and beyond the destination, and in `walled` ones, with room on neither side; in `level`
/// ones they do not differ.
struct Displacement {
  std::vector<AxisView> views;
  std::vector<std::size_t> open{};
  std::vector<std::size_t> walled{};
  std::vector<std::size_t> level{};
  bool fits = true;  ///< whether every dimension is one of these

  Displacement(const Grid& grid, Rank from, Rank to) {
    for (std::size_t left = grid.dimensions(); left > 0; --left) add(view_of(grid.axis(left - 1), from, to));
  }

 private:
  void add(const AxisView& view) {
    const std::size_t index = views.size();
    views.push_back(view);
    fits = fits && !(view.axis->is_ring() && view.axis->side() < 5);
    if (view.hops == 0) {
      level.push_back(index);
    } else if (view.behind > 0 && view.beyond > 0) {
      open.push_back(index);
    } else if (view.behind == 0 && view.beyond == 0) {
      walled.push_back(index);
    } else {
      fits = false;
    }
  }
};

/// `out` hops along the axis, then the other moves, then `back` hops.
AxisMoves around(std::size_t axis, std::int64_t out, const AxisMoves& others, std::int64_t back) {
  AxisMoves moves{{axis, out}};
  moves.insert(moves.end(), others.begin(), others.end());
  moves.push_back({axis, back});
  return moves;
}

/// The whole way in all of these dimensions but `start`, cyclically from there on.
AxisMoves others_from(const Displacement& ends, const std::vector<std::size_t>& dimensions, std::size_t start) {
  AxisMoves moves;
  for (std::size_t next = 1; next < dimensions.size(); ++next) {
    const std::size_t dimension = dimensions[(start + next) % dimensions.size()];
    moves.push_back({dimension, ends.views[dimension].hops});
  }
  return moves;
}

AxisMoves all_of(const Displacement& ends, const std::vector<std::size_t>& dimensions) {
  AxisMoves moves;
  for (const std::size_t dimension : dimensions) moves.push_back({dimension, ends.views[dimension].hops});
  return moves;
}

/// The way moved one link aside in a level dimension, on every side where there is room.
void add_beside(const Displacement& ends, std::size_t level, const AxisMoves& way, std::vector<AxisMoves>& paths) {
  if (ends.views[level].beyond > 0) paths.push_back(around(level, 1, way, -1));
  if (ends.views[level].behind > 0) paths.push_back(around(level, -1, way, 1));
}

// Ends that differ in several dimensions, or in one with walls behind both. A path for each walled dimension begins in
// it and ends in the walled one before, the open ones before the last; each open dimension has a path that goes a link
// too far in it and comes back last, and one that goes a link back in it first.
std::vector<AxisMoves> paths_across(const Displacement& ends) {
  std::vector<AxisMoves> paths;
  for (std::size_t start = 0; start < ends.walled.size(); ++start) {
    const std::size_t own = ends.walled[start];
    AxisMoves moves{{own, ends.views[own].hops}};
    const AxisMoves others = others_from(ends, ends.walled, start);
    moves.insert(moves.end(), others.begin(), others.end());
    const AxisMoves open = all_of(ends, ends.open);
    moves.insert(moves.end() - 1, open.begin(), open.end());
    paths.push_back(moves);
  }
  std::vector<std::size_t> dimensions = ends.open;
  dimensions.insert(dimensions.end(), ends.walled.begin(), ends.walled.end());
  for (const bool too_far : {true, false}) {
    for (std::size_t start = 0; start < ends.open.size(); ++start) {
      const std::int64_t hops = ends.views[ends.open[start]].hops;
      const AxisMoves others = others_from(ends, dimensions, start);
      paths.push_back(too_far ? around(ends.open[start], hops + 1, others, -1)
                              : around(ends.open[start], -1, others, hops + 1));
    }
  }
  for (const std::size_t level : ends.level) add_beside(ends, level, all_of(ends, dimensions), paths);
  return paths;
}

// Ends on one line, x, with room behind both, in a plane: y may go 2 links to either side.
std::vector<AxisMoves> paths_in_plane(std::size_t x, std::size_t y, std::int64_t p) {
  if (p == 1) {
    return {{{x, 1}},
            {{y, -1}, {x, 1}, {y, 1}},
            {{y, 1}, {x, 2}, {y, -1}, {x, -1}},
            {{x, -1}, {y, 1}, {x, 1}, {y, 1}, {x, 1}, {y, -2}}};
  }
  return {{{x, -1}, {y, 1}, {x, 2}, {y, -1}, {x, p - 1}},
          {{x, 1}, {y, -1}, {x, p}, {y, 1}, {x, -1}},
          {{y, 2}, {x, p}, {y, -2}},
          {{y, -2}, {x, p}, {y, 2}}};
}

// As above in a space: y and z may go a link to either side.
std::vector<AxisMoves> paths_in_space(std::size_t x, std::size_t y, std::size_t z, std::int64_t p) {
  return {{{x, p}},
          {{y, -1}, {x, p}, {y, 1}},
          {{z, -1}, {x, p}, {z, 1}},
          {{x, -1}, {y, 1}, {x, p + 1}, {y, -1}},
          {{z, 1}, {x, p + 1}, {z, -1}, {x, -1}},
          {{y, 1}, {z, 1}, {x, p}, {y, -1}, {z, -1}}};
}

// Ends on one line with room behind both: the dimensions with room beside the line give the ends' other links their
// paths.
std::vector<AxisMoves> paths_along(const Displacement& ends) {
  const std::size_t x = ends.open.front();
  const std::int64_t p = ends.views[x].hops;
  const auto room = [&](std::size_t level, Rank links) {
    return ends.views[level].behind >= links && ends.views[level].beyond >= links;
  };
  if (ends.level.size() == 1) {
    return room(ends.level[0], 2) ? paths_in_plane(x, ends.level[0], p) : std::vector<AxisMoves>();
  }
  std::vector<std::size_t> level = ends.level;
  std::stable_partition(level.begin(), level.end(), [&](std::size_t one) { return room(one, 1); });
  if (level.size() < 2 || !room(level[1], 1)) return {};
  std::vector<AxisMoves> paths = paths_in_space(x, level[0], level[1], p);
  for (const std::size_t other : std::span(level).subspan(2)) add_beside(ends, other, {{x, p}}, paths);
  return paths;
}

// Square tori of 3 and 4, where paths of the general rows would share links: from (0,0) to (p,q), 0 <= p, q <= side/2,
// x = 0 and y = 1 being the axes.
std::vector<AxisMoves> paths_on_small_square(std::int64_t side, std::int64_t p, std::int64_t q, std::size_t x,
                                             std::size_t y) {
  if (p == 0 || (side == 4 && p == 1 && q == 2)) return paths_on_small_square(side, q, p, y, x);
  if (q == 0) return {{{x, p}}, {{x, p - side}}, {{y, 1}, {x, p}, {y, -1}}, {{y, -1}, {x, p}, {y, 1}}};
  if (side == 3) {
    return {{{x, 1}, {y, 1}}, {{y, 1}, {x, 1}}, {{x, -1}, {y, 1}, {x, -1}}, {{y, -1}, {x, 1}, {y, -1}}};
  }
  if (p == 2) {
    return {{{x, 2}, {y, q}}, {{y, q}, {x, 2}}, {{x, -1}, {y, q}, {x, -1}}, {{y, -1}, {x, 2}, {y, q - 3}}};
  }
  return {{{x, 2}, {y, 1}, {x, -1}}, {{y, 2}, {x, 1}, {y, -1}}, {{x, -1}, {y, 1}, {x, 2}}, {{y, -1}, {x, 1}, {y, 2}}};
}

bool is_small_square(const Grid& grid) {
  if (grid.dimensions() != 2) return false;
  const Rank side = grid.axis(0).side();
  return grid.axis(0).is_ring() && side == grid.axis(1).side() && (side == 3 || side == 4);
}

std::vector<AxisMoves> moves_of_table(const Grid& grid, const Displacement& ends) {
  if (is_small_square(grid)) {
    return paths_on_small_square(grid.axis(0).side(), ends.views[0].hops, ends.views[1].hops, 0, 1);
  }
  if (!ends.fits) return {};
  const std::size_t differ = ends.open.size() + ends.walled.size();
  if (differ == 1 && ends.walled.empty()) return paths_along(ends);
  if (differ > 1 && ends.walled.size() == 1) return {};
  return paths_across(ends);
}

}  // namespace

void walk(Path& path, const GridAxis& axis, std::int64_t hops) {
  if (hops != 0) path.push_back({axis.towards(hops > 0), static_cast<std::uint64_t>(std::abs(hops))});
}

std::vector<Path> paths_of_table(const Grid& grid, Rank from, Rank to) {
  const Displacement ends(grid, from, to);
  std::vector<Path> paths;
  for (const AxisMoves& moves : moves_of_table(grid, ends)) {
    Path& path = paths.emplace_back();
    for (const auto& [dimension, hops] : moves) {
      const AxisView& view = ends.views[dimension];
      walk(path, *view.axis, view.mirrored ? -hops : hops);
    }
  }
  std::stable_sort(paths.begin(), paths.end(), [](const Path& a, const Path& b) { return length(a) < length(b); });
  return paths;
}

}  // namespace lockstep::send
