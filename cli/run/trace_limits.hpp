#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep::cli::run {

/// Which messages of a run a trace keeps.
struct TraceLimits {
  std::uint64_t max_events = 1'000'000;  ///< the first so many
  Cycle from_cycle = 0;
  std::vector<Rank> ranks;  ///< only those that one of them sends or receives; of all if there is none

  /// Blocks that are listed in a trace of so many messages, at the most.
  static constexpr std::uint64_t blocks_a_message = 16;
};

}  // namespace lockstep::cli::run
