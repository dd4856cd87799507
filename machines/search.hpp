#pragma once

#include <cstdint>
#include <optional>

#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "lockstep/machines/machine_spec.hpp"

// Distances by breadth-first search, for machines without closed forms. A search that would take more than a tenth of a
// second or so is not begun and finds nothing.
namespace lockstep {

struct Distances {
  std::uint64_t diameter = 0;
  Fraction average_status;
};

/// Of a connected machine that looks alike from every processor: one search from rank 0.
std::optional<Distances> symmetric_distances(const MachineSpec& spec, const Wiring& wiring);

/// Of any connected machine: a search from every processor.
std::optional<Distances> all_distances(const MachineSpec& spec, const Wiring& wiring);

}  // namespace lockstep
