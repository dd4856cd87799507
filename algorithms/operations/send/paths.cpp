#include "paths.hpp"

#include <algorithm>

#include "fewest_links.hpp"
#include "grid_paths.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/incomplete_hypercube.hpp"

namespace lockstep::send {
namespace {

void cross(Path& path, Port dimension) { path.push_back({dimension, 1}); }

// Path r corrects the i differing bits cyclically from the r-th on; for every other dimension e one more goes out over
// e, corrects all and comes back over e (A, Prop. 3.1).
std::vector<Path> disjoint_paths_on_cube(Port dimensions, Rank from, Rank to) {
  const std::vector<Port> differing = ecube_path(from, to);
  std::vector<Path> paths;
  for (std::size_t first = 0; first < differing.size(); ++first) {
    Path& path = paths.emplace_back();
    for (std::size_t index = 0; index < differing.size(); ++index) {
      cross(path, differing[(first + index) % differing.size()]);
    }
  }
  for (Port other = 0; other < dimensions && !differing.empty(); ++other) {
    if (has_bit(from ^ to, other)) continue;
    Path& path = paths.emplace_back();
    cross(path, other);
    for (const Port dimension : differing) cross(path, dimension);
    cross(path, other);
  }
  return paths;
}

// Along a ring both arcs, along a path the only path.
std::vector<Path> disjoint_paths_on_line(const GridAxis& line, Rank from, Rank to) {
  const std::int64_t shorter = line.offset(line.position(from), line.position(to));
  std::vector<Path> paths;
  if (shorter == 0) return paths;
  walk(paths.emplace_back(), line, shorter);
  if (line.is_ring() && line.side() > 2) {
    walk(paths.emplace_back(), line, shorter > 0 ? shorter - line.side() : shorter + line.side());
  }
  return paths;
}

std::vector<Path> disjoint_paths_on_grid(const MachineSpec& machine, Rank from, Rank to) {
  const Grid grid(machine);
  const auto has_links = [](const GridAxis& axis) { return axis.side() > 1; };
  if (std::count_if(grid.axes().begin(), grid.axes().end(), has_links) == 1) {
    return disjoint_paths_on_line(*std::find_if(grid.axes().begin(), grid.axes().end(), has_links), from, to);
  }
  if (from == to) return {};
  std::vector<Path> paths = paths_of_table(grid, from, to);
  return paths.empty() ? fewest_links(machine, from, to) : paths;
}

}  // namespace

std::uint64_t length(const Path& path) {
  std::uint64_t hops = 0;
  for (const Leg& leg : path) hops += leg.hops;
  return hops;
}

std::vector<std::uint64_t> lengths(const std::vector<Path>& paths) {
  std::vector<std::uint64_t> hops(paths.size());
  std::transform(paths.begin(), paths.end(), hops.begin(), length);
  return hops;
}

Path shortest_path(const MachineSpec& machine, Rank from, Rank to) {
  Path path;
  if (is_hypercube(machine)) {
    for (const Port dimension : ecube_path(from, to)) cross(path, dimension);
    return path;
  }
  if (is_incomplete_hypercube(machine)) {
    for (const Port port : IncompleteHypercube(machine).shortest_path(from, to)) cross(path, port);
    return path;
  }
  const Grid grid(machine);
  for (std::size_t left = grid.dimensions(); left > 0; --left) {
    const GridAxis& axis = grid.axis(left - 1);
    walk(path, axis, axis.offset(axis.position(from), axis.position(to)));
  }
  return path;
}

std::vector<Path> disjoint_paths(const MachineSpec& machine, Rank from, Rank to) {
  if (is_hypercube(machine)) return disjoint_paths_on_cube(static_cast<Port>(machine.ports), from, to);
  if (is_incomplete_hypercube(machine)) return fewest_links(machine, from, to);
  return disjoint_paths_on_grid(machine, from, to);
}

Rank farthest(const MachineSpec& machine, Rank from) {
  if (is_hypercube(machine)) return static_cast<Rank>(machine.processors - 1) ^ from;
  if (is_incomplete_hypercube(machine)) return IncompleteHypercube(machine).farthest(from);
  return Grid(machine).farthest(from);
}

Port degree(const MachineSpec& machine, Rank rank) {
  if (is_hypercube(machine)) return static_cast<Port>(machine.ports);
  if (is_incomplete_hypercube(machine)) return IncompleteHypercube(machine).degree(rank);
  return Grid(machine).degree(rank);
}

}  // namespace lockstep::send
