#pragma once

#include <memory>
#include <vector>

#include "lockstep/machines/machine_spec.hpp"
#include "machine_view.hpp"

namespace lockstep::bounds {

/// Ranks on two sides, and how often a rank on the far side follows one on the near side.
struct RankSides {
  MachineCut cut;
  Wide changes;
};

/// Two sides by turns of ranks, by the columns of grids whose last side divides the ranks, and by turns of columns.
/// None of a machine that is larger than some hundred processors, or has no links. Kept for the next call.
std::shared_ptr<const std::vector<RankSides>> rank_sides(const MachineSpec& machine);

}  // namespace lockstep::bounds
