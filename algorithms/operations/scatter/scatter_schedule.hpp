#pragma once

#include "lockstep/algorithms/operation/scatter.hpp"

// Scatters as values. A gather is a scatter read backwards: what a processor sends in one, it receives in the other.
namespace lockstep::scatter {

/// `count` ranks from `first` on, each `stride` after the last; with `all`, modulo that.
struct Ranks {
  Rank first = 0;
  Rank stride = 1;
  Rank count = 1;
  Rank all = 0;

  bool contains(Rank rank) const {
    const Rank offset = rank - first + (rank < first ? all : 0);  // without `all` it wraps, and so is past the last
    return offset / stride < count && offset % stride == 0;
  }
};

/// A move of one processor in one step: it sends or receives one message.
struct ScatterMove {
  Cycle step = 0;
  Port port = 0;
  bool sends = false;
  Ranks blocks;     ///< the ranks whose blocks the message holds: a scatter's receivers, a gather's origins
  Rank number = 0;  ///< of these ranks, those that have a block; 0 if all have
};

/// The schedule of a scatter. It lists a rank's own moves only. Immutable, so that every thread may read it.
class ScatterSchedule {
 public:
  virtual ~ScatterSchedule() = default;

  virtual Cycle steps() const = 0;
  /// Number of moves of the rank.
  virtual std::uint64_t moves(Rank rank) const = 0;
  /// Move `index` of the rank's, by step and within a step with those that send first. Takes constant time.
  virtual ScatterMove move(Rank rank, std::uint64_t index) const = 0;
};

/// Sub-program: one processor's part in the scatter or gather, from cycle `start` on. Throws std::logic_error if a
/// message comes that holds other blocks than planned.
Process follow_scatter(Processor<Bundle>& self, const ScatterSchedule& schedule, Reading reading, Cycle start,
                       HeldBlocks& held);

/// Carries out the schedule on every processor and verifies what they hold.
Outcome run(const RunRequest& request, const ScatterSchedule& schedule, Reading reading);

}  // namespace lockstep::scatter
