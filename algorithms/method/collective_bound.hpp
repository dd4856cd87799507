#pragma once

#include <string_view>

#include "lockstep/algorithms/method.hpp"

namespace lockstep::method {

/// What no schedule of the collective can beat with --words words: in every cycle the ranks that know a value, or that
/// a result depends on, grow by a factor of k + 1 at best, where k is the number of ports that a processor may use at
/// once; and words come in over that many. `operation` is one of chunk_operations().
LowerBound collective_bound(std::string_view operation, const MachineSpec& machine, const Model& model,
                            std::uint64_t words);

}  // namespace lockstep::method
