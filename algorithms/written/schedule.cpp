#include "lockstep/algorithms/schedule.hpp"

#include <algorithm>

namespace lockstep {
namespace {

class ListedSchedule : public TurnSchedule {
 public:
  ListedSchedule(Rank nodes, MoveSteps steps) : nodes_(nodes), by_sender_(std::move(steps)), by_receiver_(by_sender_) {
    for (auto& moves : by_sender_) sort_by(&Move::from, moves);
    for (auto& moves : by_receiver_) sort_by(&Move::to, moves);
  }

  Rank nodes() const override { return nodes_; }
  std::uint64_t steps() const override { return by_sender_.size(); }
  Turn turn(std::uint64_t step, Rank node) const override {
    return {find(&Move::from, node, by_sender_[step]), find(&Move::to, node, by_receiver_[step])};
  }
  std::vector<Move> moves(std::uint64_t step) const override { return by_sender_[step]; }

 private:
  static void sort_by(Rank Move::*end, std::vector<Move>& moves) {
    std::stable_sort(moves.begin(), moves.end(), [end](const Move& a, const Move& b) { return a.*end < b.*end; });
  }
  static Move find(Rank Move::*end, Rank node, const std::vector<Move>& moves) {
    const auto found = std::lower_bound(moves.begin(), moves.end(), node,
                                        [end](const Move& move, Rank rank) { return move.*end < rank; });
    return found != moves.end() && (*found).*end == node ? *found : Move{};
  }

  Rank nodes_;
  MoveSteps by_sender_;
  MoveSteps by_receiver_;
};

}  // namespace

std::vector<Move> TurnSchedule::moves(std::uint64_t step) const {
  std::vector<Move> moves;
  for (Rank node = 0; node < nodes(); ++node) {
    if (const Move move = turn(step, node).sends) moves.push_back(move);
  }
  return moves;
}

std::shared_ptr<const TurnSchedule> listed_schedule(Rank nodes, MoveSteps steps) {
  return std::make_shared<ListedSchedule>(nodes, std::move(steps));
}

}  // namespace lockstep
