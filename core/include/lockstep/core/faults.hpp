#pragma once

#include <limits>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

// Faults of a machine while programs run on it (docs/faults.md). Programs can ask: Processor::is_up().

/// All links between two neighbours fail: from cycle `from` on they carry nothing in either direction. Messages sent
/// earlier still arrive.
struct LinkFault {
  Rank a = no_rank;  ///< one of the neighbours
  Rank b = no_rank;  ///< the other
  Cycle from = 0;    ///< the first cycle without them
};

/// A processor that stops when cycle `from` begins. Its program is destroyed, the messages it has not taken are lost,
/// and its links fail.
struct ProcessorFault {
  Rank rank = no_rank;  ///< which one
  Cycle from = 0;       ///< the first cycle without it
};

/// A slow processor: its sends and its local work take `factor` times their modelled time. Cycles and the synchronous
/// clock do not change.
struct Straggler {
  Rank rank = no_rank;  ///< which one
  double factor = 1;    ///< how many times as long it takes
};

/// The faults of a run. If several faults name one link or processor the earliest counts; of several stragglers the
/// last.
struct Faults {
  std::vector<LinkFault> links{};            ///< that carry nothing
  std::vector<ProcessorFault> processors{};  ///< that stop
  std::vector<Straggler> stragglers{};       ///< that lag behind

  /// Whether nothing fails.
  bool empty() const { return links.empty() && processors.empty() && stragglers.empty(); }
  /// The cycle that never comes.
  static constexpr Cycle never = std::numeric_limits<Cycle>::max();
};

/// Throws std::invalid_argument, with a readable message, if a fault names a processor or link that the machine lacks,
/// or if a factor is not a positive number.
void verify(const Faults& faults, const Topology& topology);

}  // namespace lockstep
