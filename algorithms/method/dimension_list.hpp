#pragma once

#include <string_view>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep::method {

/// Reads a list of all dimensions of a hypercube of `dimensions` dimensions, each once, e.g. "2,0,1" for --permutation.
/// Throws InputError, one line that names the flag.
std::vector<Port> parse_dimensions(std::string_view flag, std::string_view text, Port dimensions);

}  // namespace lockstep::method
