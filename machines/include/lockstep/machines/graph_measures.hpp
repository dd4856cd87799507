#pragma once

#include <cstdint>
#include <optional>

#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// How well the links of a machine hold it together. A measure is empty where the machine is too large for it, all for
/// machines with a medium.
struct GraphMeasures {
  /// The links of a shortest cycle; 0 if there is none.
  std::optional<std::uint64_t> girth;
  /// The fewest links whose loss separates some processors; of one processor 0.
  std::optional<std::uint64_t> link_connectivity;
  /// The fewest processors whose loss separates some of the others; of a complete graph all but one.
  std::optional<std::uint64_t> processor_connectivity;
  /// The fewest links between two halves, equal up to one processor, of all halves; up to 23 processors.
  std::optional<std::uint64_t> bisection_width;
  /// The least eigenvalue of the Laplacian but the first, which is 0 (Fiedler's algebraic connectivity); on a machine
  /// whose processors all have the same links, the gap between the two largest eigenvalues of its adjacency matrix.
  std::optional<double> spectral_gap;
};

/// Takes up to about a second.
GraphMeasures graph_measures(const MachineSpec& spec);

}  // namespace lockstep
