#pragma once

#include <cstdint>

#include "machine_view.hpp"

namespace lockstep::bounds {

/// How an item of one processor spreads at best.
struct Spreading {
  std::uint64_t cycles = 0;  ///< until enough processors have it
  Wide lacking = 0;          ///< processors that still lack it, summed over all cycles but the last
};

/// The fewest cycles in which an item of one processor can reach `count` processors, itself included: as many as hold
/// it can send it on, `at_once` of them a cycle, over links that they have not used for it, and no farther than a link
/// a cycle. `most_degree` is the most links of a processor. A holder serves `reached` neighbours a cycle.
Spreading spread_to(Wide count, const Around& seen, Wide most_degree, Wide reached, Wide at_once);

}  // namespace lockstep::bounds
