#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

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
  /// Further costs under which the same run is timed: Report::other_times. They share the machine's max_packet_words,
  /// and store and forward with start-ups on every link; else run() throws std::invalid_argument. In such a run
  /// Message::arrival is no time, see there.
  std::vector<CostModel> other_costs{};
  /// Memory for the arrivals of messages under these costs. If a program forwards one of so long ago that its times are
  /// no longer there, run() throws ArrivalsForgotten at the barrier, and the runs must be made one by one.
  std::uint64_t arrivals_bytes = std::uint64_t{256} << 20;
};

}  // namespace lockstep
