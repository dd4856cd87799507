#pragma once

#include "lockstep/algorithms/run_observer.hpp"
#include "lockstep/algorithms/schedule.hpp"

namespace lockstep {

struct Method;
struct Settings;

/// The moves of a run, as a schedule: a step for every cycle in which messages moved.
struct MoveLog {
  Schedule schedule;             ///< the moves, as far as labels give them
  bool has_unlabelled = false;   ///< some messages do not name origin and destination
  bool has_parts = false;        ///< some blocks were divided, which a schedule cannot express
  BlockLabels item{};            ///< content of messages without labels, in a run with one block only
  std::uint64_t item_words = 0;  ///< of that block, or of each if several have no labels
};

/// A log for a run of the method, whose settings are resolved: it has the schedule's task and, for methods with one
/// block, the content of messages. The operation must be one that moves blocks.
MoveLog log_for(const Method& method, const Settings& settings);

/// Records the moves of a run of any method.
class MoveRecorder : public RunObserver {
 public:
  /// Writes to the log, which must outlive it.
  explicit MoveRecorder(MoveLog& log) : log_(log) {}

  void barrier(MovingMessages& messages) override;

 private:
  MoveLog& log_;
};

}  // namespace lockstep
