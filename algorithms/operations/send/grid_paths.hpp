#pragma once

#include "lockstep/machines/grid.hpp"
#include "paths.hpp"

namespace lockstep::send {

/// Adds that many hops along the axis to the path, backwards if the number is negative.
void walk(Path& path, const GridAxis& axis, std::int64_t hops);

/// The tables of saad-schultz-1988.md, Four paths and Paths on grids, for two ranks that differ: as many paths without
/// a common link as either rank has links, in the order of their lengths. None where the tables have no row: see
/// fewest_links().
std::vector<Path> paths_of_table(const Grid& grid, Rank from, Rank to);

}  // namespace lockstep::send
