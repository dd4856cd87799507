#pragma once

#include <vector>

#include "lockstep/algorithms/move_log.hpp"
#include "lockstep/core/observer.hpp"

namespace lockstep {

/// Takes down what moves in a run, through the observer seam. A payload type has a free function
/// `log_blocks(const T&, const Move& link, MoveLog&, std::vector<Move>& moves)`, which adds a move for each of its
/// blocks; `link` says from where to where.
template <Payload T>
class MoveRecorder : public Observer<T> {
 public:
  explicit MoveRecorder(MoveLog& log) : log_(log) {}

  void barrier(Cycle, std::vector<Transfer<T>>& transfers) override {
    std::vector<Move>& moves = log_.schedule.steps.emplace_back();
    for (const Transfer<T>& transfer : transfers) {
      const std::size_t before = moves.size();
      if constexpr (requires(const Move& link) { log_blocks(transfer.payload, link, log_, moves); }) {
        log_blocks(transfer.payload, Move{.from = transfer.from, .to = transfer.to.rank}, log_, moves);
        log_.schedule.combined = log_.schedule.combined || moves.size() > before + 1;
      } else {
        log_.has_unlabelled = true;
      }
    }
  }

 private:
  MoveLog& log_;
};

}  // namespace lockstep
