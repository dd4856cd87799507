#pragma once

#include "best_known.hpp"
#include "rules.hpp"

namespace lockstep::bounds {

/// Bounds of the longest sum from what must cross every cut of a small machine with links. All its processors take
/// part.
void add_small_cuts(const Problem& problem, const Rules& rules, BestKnown& best);

}  // namespace lockstep::bounds
