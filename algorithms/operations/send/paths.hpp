#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::send {

/// Hops over one port, one after the other.
struct Leg {
  Port port = 0;
  std::uint64_t hops = 0;
};

/// A path through a machine, from a rank that is known.
using Path = std::vector<Leg>;

/// Hops of the path.
std::uint64_t length(const Path& path);
/// Hops of each.
std::vector<std::uint64_t> lengths(const std::vector<Path>& paths);

/// A shortest path on a hypercube (lowest dimension first, saad-schultz-1985.md, One path), an incomplete one (between
/// its cubes first or last, mukherjee.md, Incomplete hypercube), a ring (half way round in
/// the + sense, saad-schultz-1988.md, Ring paths) or another grid (last dimension first, saad-schultz-1988.md, Torus
/// path).
Path shortest_path(const MachineSpec& machine, Rank from, Rank to);

/// The largest number of paths without a common link: node-disjoint on the hypercube (saad-schultz-1985.md, Disjoint
/// paths), both arcs of a ring (saad-schultz-1988.md, Ring paths), those of saad-schultz-1988.md, Four paths and Paths
/// on grids, on other grids, those with the fewest links on an incomplete hypercube; in the order of their table, in
/// which no path is shorter than the one before, and none if the ranks are the same. Throws InputError where a large
/// machine would have to be searched: see fewest_links().
std::vector<Path> disjoint_paths(const MachineSpec& machine, Rank from, Rank to);

/// The lowest rank at the greatest distance, on one of those machines.
Rank farthest(const MachineSpec& machine, Rank from);
/// Links of a processor of one of those machines.
Port degree(const MachineSpec& machine, Rank rank);

}  // namespace lockstep::send
