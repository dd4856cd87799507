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

/// A way through a machine, from a rank that is known.
using Path = std::vector<Leg>;

/// Hops of the path.
std::uint64_t length(const Path& path);
/// Hops of each.
std::vector<std::uint64_t> lengths(const std::vector<Path>& paths);

/// A shortest path on a hypercube (lowest dimension first, SS 1.3), a ring (half way round in the + sense, SS 2.1) or a
/// square torus (x first, SS 3.1). Throws InputError for a torus that is not square.
Path shortest_path(const MachineSpec& machine, Rank from, Rank to);

/// As many paths as a processor has links, none over a link of another: node-disjoint on the hypercube (SS 1.4), both
/// arcs of a ring (SS 2.3), the four paths of SS 3.2 on a square torus; in the spec's order, in which no path is
/// shorter than the one before, and none if the ranks are the same. Throws InputError for a torus that is not square or
/// has a side of 2.
std::vector<Path> disjoint_paths(const MachineSpec& machine, Rank from, Rank to);

/// The lowest rank at the greatest distance, on one of those machines.
Rank farthest(const MachineSpec& machine, Rank from);

}  // namespace lockstep::send
