#pragma once

#include "lockstep/algorithms/run_observer.hpp"
#include "lockstep/algorithms/schedule.hpp"

namespace lockstep {

/// What moved in a run, as a schedule: a step for every cycle in which something did.
struct MoveLog {
  WrittenSchedule schedule;
  bool has_unlabelled = false;  ///< messages that do not say whose they are and for whom
  bool has_parts = false;       ///< blocks that were divided, of which a schedule does not speak
};

/// Takes down what moves in a run of any method.
class MoveRecorder : public RunObserver {
 public:
  explicit MoveRecorder(MoveLog& log) : log_(log) {}

  void barrier(MovingMessages& messages) override;

 private:
  MoveLog& log_;
};

}  // namespace lockstep
