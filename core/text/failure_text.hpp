#pragma once

#include <span>
#include <string>

#include "lockstep/core/detail/network.hpp"

// The wording of failures, in the terms of the model; the command translates these into flags.
namespace lockstep::detail {

/// "0", "0 and 3", "0, 1 and 3".
std::string list_ports(std::span<const Port> ports);

/// "port model one-strict".
std::string in_words(PortModel ports);
/// "duplex half-node".
std::string in_words(Duplex duplex);

/// One line with all coordinates: "broadcast/drbt: cycle 3, rank 5, ports 0 and 1: rule".
std::string text_of(const Ground& ground, Cycle cycle, const Failure& failure);

}  // namespace lockstep::detail
