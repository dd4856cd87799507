#pragma once

#include <optional>
#include <vector>

#include "lockstep/core/faults.hpp"

namespace lockstep::routes {

/// Whether a path over these ports meets nothing that fails at any time, its ends included.
bool is_clear(const Topology& topology, const Faults& faults, Rank from, const std::vector<Port>& path);

/// The ports of a shortest path that is clear, over the lowest ports where there are several; none if there is no such
/// path. Looks at all processors, for each of which it takes some bytes.
std::optional<std::vector<Port>> detour(const Topology& topology, const Faults& faults, Rank from, Rank to);

}  // namespace lockstep::routes
