#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/machines/position.hpp"

// The parts of layouts: places by rank.
namespace lockstep {

using Positions = std::vector<Position>;

/// Places on a circle, the first on top, clockwise, neighbours 1 apart.
Positions on_circle(std::uint64_t count);

/// Places on a line from left to right, 1 apart.
Positions on_line(std::uint64_t count);

/// Places by coordinates, the first most significant. One or two lead right and down, the last to the right. Of three
/// the first leads into the page. More alternate between right and down, slightly slanted, past the whole drawing so
/// far.
Positions on_grid(std::span<const std::uint64_t> sides);

/// The corners of an n-cube. Of three dimensions and more, bits 0 to 2 lead across, into the page and up; others across
/// or up, slightly slanted, past the drawing of the lower bits, so that no side of the drawing gets much longer than
/// the other. Links of one dimension are parallel and equally long. There is more room between the cubes of the lowest
/// `block` bits, which are drawn as they would be alone.
Positions on_cube(unsigned n, unsigned block);

/// Rank = outer rank * size of the inner layout + inner rank: the inner layout in every place of the outer one, which
/// is stretched so that the copies do not touch.
Positions nested(const Positions& outer, const Positions& inner);

/// The distance from the middle of the places' bounding box to the farthest of them.
double radius(const Positions& positions);

/// The distance of the two nearest places; infinite if there is only one.
double closest_distance(const Positions& positions);

}  // namespace lockstep
