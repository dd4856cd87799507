#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "lockstep/machines/machine_spec.hpp"

// Distances by breadth-first search, for machines without closed forms. A search that would take more than about a
// tenth of a second is not started and finds nothing.
namespace lockstep {

/// The results of a search.
struct Distances {
  std::uint64_t diameter = 0;  ///< the largest distance, in links
  Fraction average_status;     ///< the sum of the distances from a processor, averaged over all processors
};

/// For a connected machine that looks alike from every processor: one search from rank 0.
std::optional<Distances> symmetric_distances(const MachineSpec& spec, const Wiring& wiring);

/// For any connected machine: a search from every processor.
std::optional<Distances> all_distances(const MachineSpec& spec, const Wiring& wiring);

/// The same for every processor of any connected machine, by rank: the sum of its distances to all.
std::optional<std::vector<std::uint64_t>> statuses_by_search(const MachineSpec& spec, const Wiring& wiring);

/// Sum of the distances from one processor of a connected machine to all.
std::optional<std::uint64_t> status_by_search(const MachineSpec& spec, const Wiring& wiring, Rank rank);

/// The most ordered pairs of processors that a single processor separates: without it there would be no path from one
/// of the pair to the other. 0 if no processor separates any.
std::optional<std::uint64_t> most_parted_pairs(const MachineSpec& spec, const Wiring& wiring);

}  // namespace lockstep
