#pragma once

#include <optional>
#include <vector>

#include "lockstep/core/faults.hpp"

namespace lockstep::routes {

/// Whether nothing on a path over these ports fails at any time, its ends included.
bool is_clear(const Topology& topology, const Faults& faults, Rank from, const std::vector<Port>& path);

/// The ports of a shortest path that is clear, over the lowest ports where there are several; empty if there is no such
/// path. Searches all processors, with some bytes for each.
std::optional<std::vector<Port>> detour(const Topology& topology, const Faults& faults, Rank from, Rank to);

}  // namespace lockstep::routes
