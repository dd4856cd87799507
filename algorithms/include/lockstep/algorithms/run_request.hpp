#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/channel_kind.hpp"
#include "lockstep/core/executor.hpp"
#include "lockstep/core/faults.hpp"
#include "lockstep/core/processes.hpp"
#include "lockstep/core/report.hpp"
#include "lockstep/core/run_options.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

class Carrier;
class RunObserver;

/// Which processors held their part of the result when a run ended.
struct Coverage {
  std::uint64_t due = 0;        ///< processors that should hold some of the result, or hold what they should not
  std::uint64_t right = 0;      ///< of these, those that have not failed and hold all that they should, and no more
  std::vector<Rank> missing{};  ///< the first most_missing of the others, in order
  static constexpr std::size_t most_missing = 100;  ///< ranks that are named

  /// The part of `due` that is right.
  double share() const { return static_cast<double>(right) / static_cast<double>(due); }
};

/// What is known of a run beside its outcome, also if an error ended it.
struct RunEnding {
  std::exception_ptr error{};          ///< the RunError; null: the run completed
  Report report{};                     ///< up to the error
  std::optional<Coverage> coverage{};  ///< none if nobody should hold anything, or it cannot be judged
};

/// One run of a method, with everything resolved.
struct RunRequest {
  const MachineSpec& machine;             ///< on which it runs
  const Topology& topology;               ///< build(machine)
  const Model& model;                     ///< rules and costs
  const Settings& settings;               ///< the method's parameters, resolved
  Executor& executor;                     ///< does the work of a cycle
  RunOptions options;                     ///< further options
  std::optional<ChannelKind> channels{};  ///< of the links; empty: those that suit the machine
  RunObserver* observer = nullptr;        ///< sees the messages, and may change them
  Carrier* carrier = nullptr;             ///< carries messages over another machine; null: they go over links
  const Faults* faults = nullptr;         ///< failures during the run; null: none
  const Division* division = nullptr;     ///< of the processors over processes; null: all are here
  /// The start of set-up, which includes what a method prepares before its programs run.
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  /// Takes the error of a run, after which the method judges what its processors then hold; null: it throws the error.
  RunEnding* ending = nullptr;

  /// The resolved --root.
  Rank root() const { return root_of(settings); }
};

/// Calls visit(rank) for all ranks of this process, on all threads, so that each thread first touches its own data.
template <class Visit>
void for_all_ranks(const RunRequest& request, const Visit& visit) {
  request.executor.for_ranges(request.topology.processors(), [&](unsigned, std::size_t first, std::size_t last) {
    for (auto rank = static_cast<Rank>(first); rank < last; ++rank) {
      if (is_here(request.division, rank)) visit(rank);
    }
  });
}

}  // namespace lockstep
