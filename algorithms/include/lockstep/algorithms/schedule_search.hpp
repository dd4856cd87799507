#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "lockstep/algorithms/schedule.hpp"
#include "lockstep/core/packing.hpp"

namespace lockstep {

/// When a search gives up.
struct SearchLimits {
  /// Messages to put on a path before a length counts as out of reach.
  std::uint64_t tries = 100'000;
  /// From the call on. A search that this ends depends on the host's speed; others depend on the seed only.
  std::chrono::seconds time{10};
  const std::atomic<bool>* stop = nullptr;  ///< if set, it ends the search too
};

/// The result of a search.
struct FoundSchedule {
  MoveSteps steps;               ///< the best schedule found
  std::uint64_t ways_tried = 0;  ///< messages that were put on a path
  bool out_of_time = false;      ///< the time limit or `stop` ended it
};

/// The result, as bytes.
void pack(const FoundSchedule& found, ByteWriter& to);
/// The result, from its bytes.
FoundSchedule unpack(ByteReader& from, std::type_identity<FoundSchedule>);

/// A single-port total exchange in few steps, on shortest paths: the greedy schedule, shortened step by step as long as
/// the limits allow and it is longer than the lower bound. Beyond the paper, which leaves meshes open (dimakopoulos.md,
/// Search): with seed 1 a mesh of 3x2 in 9 steps, 3x3 in 18, 4x4 in 43, Petersen's graph in 15. Keeps a few words of
/// memory for each node in each step.
FoundSchedule search_steps(const Topology& topology, std::uint64_t lower_bound, std::uint64_t seed,
                           const SearchLimits& limits = {});

}  // namespace lockstep
