#pragma once

#include <limits>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

// What fails on a machine while programs run on it (docs/faults.md). Programs may ask for it: Processor::is_up().

/// All links between two neighbours, which carry nothing from that cycle on, in either direction. What was sent before
/// arrives.
struct LinkFault {
  Rank a = no_rank;  ///< one of the neighbours
  Rank b = no_rank;  ///< the other
  Cycle from = 0;    ///< the first cycle without them
};

/// A processor that stops when that cycle begins. Its program is destroyed, what it has not taken is lost, and its
/// links fail.
struct ProcessorFault {
  Rank rank = no_rank;  ///< which one
  Cycle from = 0;       ///< the first cycle without it
};

/// A processor that needs so many times the modelled time for what it sends and for its local work. Cycles and the
/// synchronous clock are as without it.
struct Straggler {
  Rank rank = no_rank;  ///< which one
  double factor = 1;    ///< how many times as long it takes
};

/// What fails in a run. Of several faults of one link or processor the earliest counts, of stragglers the last.
struct Faults {
  std::vector<LinkFault> links{};            ///< that carry nothing
  std::vector<ProcessorFault> processors{};  ///< that stop
  std::vector<Straggler> stragglers{};       ///< that lag behind

  /// Whether nothing does.
  bool empty() const { return links.empty() && processors.empty() && stragglers.empty(); }
  /// The cycle that never comes.
  static constexpr Cycle never = std::numeric_limits<Cycle>::max();
};

/// Throws std::invalid_argument, with a text for people, if the machine has no such processor or no link between such
/// neighbours, or if a factor is not a positive number.
void verify(const Faults& faults, const Topology& topology);

}  // namespace lockstep
