#pragma once

#include <vector>

#include "lockstep/algorithms/settings.hpp"
#include "lockstep/core/model.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::transpose {

/// k_H of the classes H = 1, 2, .., h of the multiple paths transpose, one after another; every one at least 1
/// (johnsson-ho.md, Multiple paths).
using Rounds = std::vector<std::uint64_t>;

/// Those of transpose/2d-mpt with these settings, which the method has resolved.
Rounds rounds_of(const MachineSpec& machine, const CostModel& cost, const Settings& settings);

}  // namespace lockstep::transpose
