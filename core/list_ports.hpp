#pragma once

#include <span>
#include <string>

#include "lockstep/core/topology.hpp"

namespace lockstep::detail {

/// "0", "0 and 3", "0, 1 and 3".
std::string list_ports(std::span<const Port> ports);

}  // namespace lockstep::detail
