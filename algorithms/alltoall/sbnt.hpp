#pragma once

#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep::alltoall {

/// Sub-program: the exchange of johnsson-ho.md, All to all down the spanning balanced n-trees of all sources, in n
/// cycles on a cube. `held` is at first what the processor has for the others, and in the end what they had for it.
/// Throws std::logic_error if a piece comes that is not due, and what Processor::send throws. `held` must outlive the
/// sub-program.
Process sbnt(Processor<Bundle>& self, Bundle& held);

}  // namespace lockstep::alltoall
