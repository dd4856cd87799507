#pragma once

#include "lockstep/algorithms/run_observer.hpp"
#include "lockstep/algorithms/schedule.hpp"

namespace lockstep {

struct Method;
struct Settings;

/// What moved in a run, as a schedule: a step for every cycle in which something did.
struct MoveLog {
  Schedule schedule;             ///< what moved, so far as it is told by labels
  bool has_unlabelled = false;   ///< messages that do not say whose they are and for whom
  bool has_parts = false;        ///< blocks that were divided, of which a schedule does not speak
  BlockLabels item{};            ///< what messages without labels carry, where a run has one block only
  std::uint64_t item_words = 0;  ///< of that block, or of each where messages of several have no labels
};

/// A log for a run of the method, whose settings are resolved: it knows the schedule's task, and what the messages are
/// of methods with one block. The operation must be one that moves blocks.
MoveLog log_for(const Method& method, const Settings& settings);

/// Takes down what moves in a run of any method.
class MoveRecorder : public RunObserver {
 public:
  /// Writes to the log, which must outlive it.
  explicit MoveRecorder(MoveLog& log) : log_(log) {}

  void barrier(MovingMessages& messages) override;

 private:
  MoveLog& log_;
};

}  // namespace lockstep
