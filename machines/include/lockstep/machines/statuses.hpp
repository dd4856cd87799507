#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// The status of every processor of a machine: the sum of its distances to all (dimakopoulos.md, Status and bounds).
struct Statuses {
  bool alike = false;                 ///< every processor has the same, because the machine is a Cayley graph
  std::vector<std::uint64_t> values;  ///< by rank; if they are alike, one for all

  /// The status of a processor.
  std::uint64_t of(Rank rank) const { return values[alike ? 0 : rank]; }
};

/// The most processors for which statuses() lists each.
inline constexpr std::uint64_t most_statuses = std::uint64_t{1} << 16;

/// By formula if there is one, for products from their factors, else by breadth-first search from every processor.
/// Empty for media, for machines of more than most_statuses processors that are not alike, and if the search would take
/// more than about a tenth of a second.
std::optional<Statuses> statuses(const MachineSpec& spec);

}  // namespace lockstep
