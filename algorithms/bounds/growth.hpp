#pragma once

#include <cstdint>

#include "machine_view.hpp"

namespace lockstep::bounds {

/// The fewest cycles in which an item of one processor can reach `count` processors, itself included: as many as hold
/// it can send it on, `at_once` of them a cycle, over links that they have not used for it, and no farther than a link
/// a cycle. `most_degree` is the most links of a processor. A holder serves `reached` neighbours a cycle.
std::uint64_t cycles_to_reach(Wide count, const Around& seen, Wide most_degree, Wide reached, Wide at_once);

}  // namespace lockstep::bounds
