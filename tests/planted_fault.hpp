#pragma once

#include <optional>

#include "lockstep/algorithms/fault.hpp"

namespace lockstep {

/// Plants a fault, if one is given, in one run: `method.run({.., PlantedFault(fault).observer()})`.
class PlantedFault {
 public:
  explicit PlantedFault(const std::optional<Fault>& fault) {
    if (fault) planter_.emplace(*fault);
  }

  /// Null without a fault.
  RunObserver* observer() { return planter_ ? &*planter_ : nullptr; }

 private:
  std::optional<FaultPlanter> planter_;
};

}  // namespace lockstep
