#include "lockstep/algorithms/schedule.hpp"

#include <algorithm>

namespace lockstep {
namespace {

class ListedSchedule : public Schedule {
 public:
  ListedSchedule(Rank nodes, std::vector<std::vector<Move>> steps) : nodes_(nodes), steps_(std::move(steps)) {
    turns_.resize(steps_.size() * nodes_);
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      for (const Move& move : steps_[step]) {
        if (move.from < nodes_) turns_[step * nodes_ + move.from].sends = move;
        if (move.to < nodes_) turns_[step * nodes_ + move.to].receives = move;
      }
    }
  }

  Rank nodes() const override { return nodes_; }
  std::uint64_t steps() const override { return steps_.size(); }
  Turn turn(std::uint64_t step, Rank node) const override { return turns_[step * nodes_ + node]; }
  std::vector<Move> moves(std::uint64_t step) const override { return steps_[step]; }

 private:
  Rank nodes_;
  std::vector<std::vector<Move>> steps_;
  std::vector<Turn> turns_;  // by step and node
};

std::string text(const Move& move) { return std::to_string(move.origin) + "->" + std::to_string(move.destination); }

/// A sequential run of a schedule: where every message is, and what every node does in the current step.
class Validation {
 public:
  Validation(const Schedule& schedule, const Topology& topology)
      : schedule_(schedule), topology_(topology), nodes_(topology.processors()), turns_(nodes_) {
    if (schedule.nodes() != nodes_) {
      throw ScheduleError(0, no_rank,
                          "the schedule is for " + std::to_string(schedule.nodes()) + " processors, the machine has " +
                              std::to_string(nodes_));
    }
    holders_.reserve(std::size_t{nodes_} * nodes_);
    for (Rank origin = 0; origin < nodes_; ++origin) holders_.insert(holders_.end(), nodes_, origin);
  }

  void run() {
    for (step_ = 0; step_ < schedule_.steps(); ++step_) {
      const std::vector<Move> moves = schedule_.moves(step_);
      if (moves.empty()) throw ScheduleError(step_, no_rank, "step " + std::to_string(step_) + ": no processor sends");
      std::fill(turns_.begin(), turns_.end(), Turn{});
      for (const Move& move : moves) check(move);
      compare_turns();
      for (const Move& move : moves) holder(move) = move.to;
    }
    for (Rank origin = 0; origin < nodes_; ++origin) {
      for (Rank destination = 0; destination < nodes_; ++destination) check_delivered({0, 0, origin, destination});
    }
  }

 private:
  Rank& holder(const Move& move) { return holders_[std::size_t{move.origin} * nodes_ + move.destination]; }

  void check(const Move& move) {
    for (const Rank rank : {move.from, move.to, move.origin, move.destination}) {
      if (rank >= nodes_) fail(rank, "does not exist");
    }
    if (move.origin == move.destination) fail(move.from, "sends " + text(move) + ", which is no message");
    Move& sent = turns_[move.from].sends;
    if (sent) fail(move.from, "sends two messages, " + text(sent) + " and " + text(move));
    sent = move;
    Move& received = turns_[move.to].receives;
    if (received) fail(move.to, "receives two messages, " + text(received) + " and " + text(move));
    received = move;
    if (!linked(move.from, move.to)) {
      fail(move.from, "sends " + text(move) + " to processor " + std::to_string(move.to) + ", to which it has no link");
    }
    if (holder(move) != move.from) {
      fail(move.from, "sends " + text(move) + ", which processor " + std::to_string(holder(move)) + " holds");
    }
  }

  bool linked(Rank from, Rank to) const {
    Port port = 0;
    while (port < topology_.ports() && topology_.peer(from, port).rank != to) ++port;
    return port < topology_.ports();
  }

  /// What each node is told must be what happens.
  void compare_turns() {
    for (Rank node = 0; node < nodes_; ++node) {
      const Turn told = schedule_.turn(step_, node);
      if (told.sends != turns_[node].sends) fail(node, "has a turn that sends something else than its move");
      if (told.receives != turns_[node].receives) fail(node, "has a turn that receives something else than its move");
    }
  }

  void check_delivered(const Move& message) {
    const Rank at = holder(message);
    if (message.origin == message.destination || at == message.destination) return;
    const std::string how = at == message.origin ? " is never delivered" : " ends at processor " + std::to_string(at);
    throw ScheduleError(schedule_.steps(), at,
                        "after " + std::to_string(schedule_.steps()) + " steps: message " + text(message) + how);
  }

  [[noreturn]] void fail(Rank node, const std::string& what) const {
    throw ScheduleError(step_, node,
                        "step " + std::to_string(step_) + ": processor " + std::to_string(node) + " " + what);
  }

  const Schedule& schedule_;
  const Topology& topology_;
  Rank nodes_;
  std::uint64_t step_ = 0;
  std::vector<Turn> turns_;    // of the current step, by node
  std::vector<Rank> holders_;  // by origin and destination
};

}  // namespace

std::vector<Move> Schedule::moves(std::uint64_t step) const {
  std::vector<Move> moves;
  for (Rank node = 0; node < nodes(); ++node) {
    if (const Move move = turn(step, node).sends) moves.push_back(move);
  }
  return moves;
}

std::shared_ptr<const Schedule> listed_schedule(Rank nodes, std::vector<std::vector<Move>> steps) {
  return std::make_shared<ListedSchedule>(nodes, std::move(steps));
}

void validate(const Schedule& schedule, const Topology& topology) { Validation(schedule, topology).run(); }

}  // namespace lockstep
