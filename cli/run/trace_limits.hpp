#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep::cli::run {

/// Selects the messages of a run that a trace keeps.
struct TraceLimits {
  std::uint64_t max_events = 1'000'000;  ///< the first ones
  Cycle from_cycle = 0;
  std::vector<Rank> ranks;  ///< only messages that one of them sends or receives; empty: all

  /// The most blocks listed in a trace of that many messages.
  static constexpr std::uint64_t blocks_a_message = 16;
};

}  // namespace lockstep::cli::run
