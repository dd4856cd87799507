#include "lockstep/algorithms/move_log.hpp"

namespace lockstep {

void MoveRecorder::barrier(MovingMessages& messages) {
  std::vector<Move>& moves = log_.schedule.steps.emplace_back();
  for (std::size_t index = 0; index < messages.size(); ++index) {
    const std::size_t before = moves.size();
    if (!messages.list_blocks(index, log_, moves)) log_.has_unlabelled = true;
    log_.schedule.combined = log_.schedule.combined || moves.size() > before + 1;
  }
}

}  // namespace lockstep
