#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "lockstep/core/model.hpp"

namespace lockstep {

/// The progress of a run.
struct Progress {
  Cycle cycle = 0;             ///< that has just ended
  std::uint64_t steps = 0;     ///< so far
  std::uint64_t messages = 0;  ///< so far
};

/// The options of a run.
struct RunOptions {
  std::string name = "program";      ///< the algorithm, for error messages
  Cycle max_cycles = 1'000'000'000;  ///< a run that exceeds it ends as a livelock; at most last_cycle
  bool record_cycles = false;        ///< fill Report::per_cycle
  /// A cycle with less work runs on the calling thread alone, unless the executor chooses the order of visits. The work
  /// is the number of processors to visit plus a sixteenth of the words that the cycle before moved.
  std::size_t share_from = 512;
  std::size_t oversubscribe_from = 1024;  ///< threads beyond the host's cores join a cycle if each gets this much work
  const std::atomic<bool>* stop = nullptr;            ///< ends the run at the next barrier when true
  std::function<void(const Progress&)> on_barrier{};  ///< called at every barrier
};

}  // namespace lockstep
