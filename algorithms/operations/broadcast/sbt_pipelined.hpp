#pragma once

#include "plans/packets/relay.hpp"

namespace lockstep::broadcast {

/// A processor's relays in the pipelined broadcast over the spanning binomial tree of an n-cube (saad-schultz-1985.md,
/// Pipelined broadcast), its rank relative to the root: its depth is the number of its one bits, its parent lies over
/// the highest of them and its children over the dimensions above.
std::vector<packets::Relay> sbt_relays(Port n, Rank relative);

}  // namespace lockstep::broadcast
