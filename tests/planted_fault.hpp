#pragma once

#include <optional>

#include "lockstep/algorithms/fault.hpp"

namespace lockstep {

/// What plants a fault in one run, if there is one to plant: `method.run({.., PlantedFault(fault).observer()})`.
class PlantedFault {
 public:
  explicit PlantedFault(const std::optional<Fault>& fault) {
    if (fault) planter_.emplace(*fault);
  }

  /// Empty without a fault.
  RunObserver* observer() { return planter_ ? &*planter_ : nullptr; }

 private:
  std::optional<FaultPlanter> planter_;
};

}  // namespace lockstep
