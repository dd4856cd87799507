#pragma once

#include <chrono>
#include <optional>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/channel_kind.hpp"
#include "lockstep/core/executor.hpp"
#include "lockstep/core/faults.hpp"
#include "lockstep/core/processes.hpp"
#include "lockstep/core/run_options.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

class Carrier;
class RunObserver;

/// One run of a method: everything resolved.
struct RunRequest {
  const MachineSpec& machine;             ///< on which it runs
  const Topology& topology;               ///< build(machine)
  const Model& model;                     ///< rules and costs
  const Settings& settings;               ///< all that the method takes, resolved
  Executor& executor;                     ///< what does the work of a cycle
  RunOptions options;                     ///< what is asked for beside
  std::optional<ChannelKind> channels{};  ///< of the links; what suits the machine if nothing is said
  RunObserver* observer = nullptr;        ///< sees what moves, and may change it
  Carrier* carrier = nullptr;             ///< takes messages over another machine; none: they go over links
  const Faults* faults = nullptr;         ///< what fails meanwhile; none: nothing
  const Division* division = nullptr;     ///< of the processors over processes; none: all are here
  /// Set-up begins: what a method prepares before its programs run counts as such.
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

  /// The resolved --root.
  Rank root() const { return root_of(settings); }
};

/// Calls visit(rank) for all ranks of this process, on all threads: each touches first what its processors will use.
template <class Visit>
void for_all_ranks(const RunRequest& request, const Visit& visit) {
  request.executor.for_ranges(request.topology.processors(), [&](unsigned, std::size_t first, std::size_t last) {
    for (auto rank = static_cast<Rank>(first); rank < last; ++rank) {
      if (is_here(request.division, rank)) visit(rank);
    }
  });
}

}  // namespace lockstep
