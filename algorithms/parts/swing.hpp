#pragma once

#include "lockstep/machines/mixed_radix.hpp"
#include "method/step_lengths.hpp"
#include "part_exchange.hpp"

// Partners that are near on the rings of a torus, or on one ring of all ranks (collectives.md, Allreduce): in the t-th
// of the steps in a dimension they are 1, -1, 3, -5, 11, .. apart in it, from odd coordinates in the other direction.
// Dimensions take turns, the first one first; those whose steps are done are left out. De Sensi et al. 2024.
//
//     4 x 8, partners of rank 0 = (0,0):     step 0 (1,0)   step 1 (0,1)   step 2 (3,0)   step 3 (0,7)   step 4 (0,3)
namespace lockstep::parts {

/// The partner in a step receives the parts of all ranks that it still reaches. The sides are powers of two.
PartSchedule swing_reduce_scatter(const MixedRadix& torus);
/// The same in reverse order; each rank sends what it has.
PartSchedule swing_allgather(const MixedRadix& torus);
/// The parts of a message are not contiguous: their words are looked up, or, with too many ranks and parts of different
/// lengths, bounded. Returns whether the lengths are exact.
bool add_swing(const MixedRadix& torus, std::uint64_t m, method::StepLengths& lengths);

}  // namespace lockstep::parts
