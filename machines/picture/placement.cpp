#include "picture/placement.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <set>
#include <utility>

namespace lockstep {

namespace {

/// The direction of a link into the page. Grid lines in this direction never meet others at a crossing: no whole
/// multiple of the golden ratio's square is a whole number, nor near one compared with its own size.
const Position into_page{std::numbers::phi - 1, 2 - std::numbers::phi};

/// How far links between small drawings are shifted, so that they do not run over the links and nodes within.
constexpr double slope = 0.2;

/// The same for cubes, to the right and upwards. Up to five dimensions no link comes nearer than 0.2 to another corner.
constexpr double across_slope = -0.235;
constexpr double up_slope = 0.25;

/// The free space between two drawings of that size.
double gap(double extent) { return 1 + extent / 8; }

/// Adds digit * step for every coordinate; the first coordinate is the most significant.
Positions on_lattice(std::span<const std::uint64_t> sides, std::span<const Position> steps) {
  Positions positions{{0, 0}};
  for (std::size_t dimension = 0; dimension < sides.size(); ++dimension) {
    Positions finer;
    finer.reserve(positions.size() * sides[dimension]);
    for (const Position& at : positions) {
      for (std::uint64_t digit = 0; digit < sides[dimension]; ++digit) {
        const auto times = static_cast<double>(digit);
        finer.push_back({at.x + times * steps[dimension].x, at.y + times * steps[dimension].y});
      }
    }
    positions = std::move(finer);
  }
  return positions;
}

double distance(const Position& a, const Position& b) { return std::hypot(a.x - b.x, a.y - b.y); }

Position middle(const Positions& positions) {
  const auto [left, right] = std::ranges::minmax(positions, {}, &Position::x);
  const auto [low, high] = std::ranges::minmax(positions, {}, &Position::y);
  return {(left.x + right.x) / 2, (low.y + high.y) / 2};
}

}  // namespace

Positions on_circle(std::uint64_t count) {
  if (count == 1) return {{0, 0}};
  const double turn = 2 * std::numbers::pi / static_cast<double>(count);
  const double radius = 0.5 / std::sin(turn / 2);
  Positions positions;
  positions.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double angle = turn * static_cast<double>(i);
    positions.push_back({radius * std::sin(angle), radius * std::cos(angle)});
  }
  return positions;
}

Positions on_line(std::uint64_t count) { return on_grid(std::span(&count, 1)); }

Positions on_grid(std::span<const std::uint64_t> sides) {
  std::vector<Position> steps(sides.size());
  double width = 0;
  double height = 0;
  for (std::size_t behind = 0; behind < sides.size(); ++behind) {
    const std::size_t dimension = sides.size() - 1 - behind;
    const double slant = behind < 2 ? 0 : slope;
    Position& step = steps[dimension];
    if (sides.size() == 3 && dimension == 0) {
      step = into_page;
    } else if (behind % 2 == 0) {
      const double right = width + gap(width);
      step = {right, -slant * right};
    } else {
      const double down = height + gap(height);
      step = {slant * down, -down};
    }
    width += step.x * static_cast<double>(sides[dimension] - 1);
    height -= step.y * static_cast<double>(sides[dimension] - 1);
  }
  return on_lattice(sides, steps);
}

Positions on_cube(unsigned n, unsigned block) {
  const std::vector<std::uint64_t> sides(n, 2);
  std::vector<Position> steps(n);  // the highest bit first
  double width = 0;
  double height = 0;
  for (unsigned bit = 0; bit < n; ++bit) {
    Position& step = steps[n - 1 - bit];
    const bool is_cube = std::min(n, block) >= 3;
    const bool is_slanted = bit >= std::min(block, 3U);
    const double room = bit < block ? 1 : 2;
    if (is_cube && bit == 1) {
      step = into_page;
    } else if (is_cube && bit == 2) {
      step = {0, 1};
    } else if (constexpr double page = 1.25; width > page * height) {
      const double up = height + room * gap(height);
      step = {is_slanted ? up_slope * up : 0, up};
    } else {
      const double across = width + room * gap(width);
      step = {across, is_slanted ? across_slope * across : 0};
    }
    width += step.x;
    height += std::abs(step.y);
  }
  return on_lattice(sides, steps);
}

Positions nested(const Positions& outer, const Positions& inner) {
  const Position centre = middle(inner);
  const double scale = outer.size() == 1 ? 1 : (2 * radius(inner) + 1) / closest_distance(outer);
  Positions positions;
  positions.reserve(outer.size() * inner.size());
  for (const Position& around : outer) {
    for (const Position& at : inner) {
      positions.push_back({scale * around.x + at.x - centre.x, scale * around.y + at.y - centre.y});
    }
  }
  return positions;
}

double radius(const Positions& positions) {
  const Position centre = middle(positions);
  double farthest = 0;
  for (const Position& at : positions) farthest = std::max(farthest, distance(centre, at));
  return farthest;
}

// A sweep from left to right that keeps the places no farther back than the least distance so far, by height: only a
// few of them can be near in height too.
double closest_distance(const Positions& positions) {
  const auto by_x = [](const Position& a, const Position& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); };
  const auto by_y = [](const Position& a, const Position& b) { return std::pair(a.y, a.x) < std::pair(b.y, b.x); };
  Positions ordered = positions;
  std::ranges::sort(ordered, by_x);
  std::set<Position, decltype(by_y)> near;
  double least = std::numeric_limits<double>::infinity();
  auto oldest = ordered.begin();
  for (const Position& at : ordered) {
    for (; oldest->x < at.x - least; ++oldest) near.erase(*oldest);
    const auto begin = std::isinf(least) ? near.begin() : near.lower_bound({at.x - least, at.y - least});
    for (auto other = begin; other != near.end() && other->y <= at.y + least; ++other) {
      least = std::min(least, distance(*other, at));
    }
    if (least == 0) return 0;
    near.insert(at);
  }
  return least;
}

}  // namespace lockstep
