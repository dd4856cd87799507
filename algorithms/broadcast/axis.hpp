#pragma once

#include "lockstep/machines/square_torus.hpp"
#include "schedule/relay.hpp"

namespace lockstep::broadcast {

/// What a processor does in the pipelined broadcast from the root along its column and from there along the rows, over
/// all links of the tree at once (saad-schultz-1988.md, Axis broadcast).
std::vector<Relay> axis_relays(const SquareTorus& torus, Rank root, Rank rank);

/// The greatest distance on the torus, 2h.
inline std::uint64_t diameter(const SquareTorus& torus) { return 2 * std::uint64_t{torus.reach()}; }

}  // namespace lockstep::broadcast
