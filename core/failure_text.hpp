#pragma once

#include <span>
#include <string>

#include "lockstep/core/worker.hpp"

namespace lockstep::detail {

/// "0", "0 and 3", "0, 1 and 3".
std::string list_ports(std::span<const Port> ports);

/// One line with all coordinates: "broadcast/drbt: cycle 3, rank 5, ports 0 and 1: rule".
std::string failure_text(const std::string& run, Cycle cycle, const Failure& failure);

}  // namespace lockstep::detail
