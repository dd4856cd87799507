#pragma once

#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep::alltoall {

/// Sub-program: the exchange of MTADEA (saad-schultz-1985.md, MTADEA), in n cycles, or 2 n unless duplex is full, on a
/// cube or a switch of 2^n processors. `held` has at first the processor's pieces for all, the same number of words for
/// each; the processor counts as their origin, wherever they are from. In the end it has the pieces of all for the
/// processor. Throws std::logic_error if a piece comes that is not due, and what Processor::send throws. `held` must
/// outlive the sub-program.
Process exchange(Processor<Bundle>& self, Bundle& held);
/// As above over the dimensions in that order, which must outlive the sub-program.
Process exchange_in_order(Processor<Bundle>& self, Bundle& held, const std::vector<Port>& dimensions);

}  // namespace lockstep::alltoall
