#pragma once

#include <memory>
#include <vector>

#include "machine_view.hpp"

namespace lockstep::bounds {

/// A cut, and which ranks are on its near side.
struct NarrowCut : KnownCut {
  std::vector<bool> is_near;  ///< by rank
};

/// Where a machine is narrow: for every two processors a cut of the fewest links between them (Gomory & Hu 1961), and
/// the cuts that are narrowest for the pairs that they part, of all cuts of up to 16 processors; of more, cuts that no
/// move of one processor to the other side narrows. None of a machine of more than 128 processors, of one whose
/// processors have more than 1,024 ports together, or of one without links. Kept for the next call.
std::shared_ptr<const std::vector<NarrowCut>> narrow_cuts(const MachineSpec& machine);

}  // namespace lockstep::bounds
