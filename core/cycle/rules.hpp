#pragma once

#include "cycle/moves.hpp"

namespace lockstep::detail {

/// Judges the rules with two sides (receives, one-strict, duplex, what a medium serves) by what the cycle moved, and
/// records the violations with the first worker.
void judge(const Moves& moves);

}  // namespace lockstep::detail
