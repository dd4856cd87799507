#pragma once

#include <span>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/grid.hpp"
#include "plans/packets/relay.hpp"

namespace lockstep::broadcast {

/// A processor's relay in a pipelined broadcast down a tree of shortest paths: from the root along the first of these
/// dimensions, from all processors there along the second, and so on, over all links of the tree at once. The first
/// packet leaves the root in cycle `start`. The rank and the root differ in no other dimension.
packets::Relay down_tree(const Grid& grid, Rank root, Rank rank, std::span<const std::size_t> dimensions, Cycle start);

/// As above through all dimensions in their order (saad-schultz-1988.md, Axis broadcast).
packets::Relay axis_relay(const Grid& grid, Rank root, Rank rank);

}  // namespace lockstep::broadcast
