#include "lockstep/algorithms/schedule.hpp"

#include <algorithm>
#include <optional>

namespace lockstep {
namespace {

class ListedSchedule : public Schedule {
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

std::string text(const Move& move) { return std::to_string(move.origin) + "->" + std::to_string(move.destination); }

/// A sequential run of a schedule: where every message is, and what has been sent and received in the current step.
class Validation {
 public:
  Validation(const Topology& topology, const Model& model, bool combined)
      : topology_(topology), model_(model), combined_(combined), nodes_(topology.processors()), turns_(nodes_) {
    holders_.reserve(std::size_t{nodes_} * nodes_);
    for (Rank origin = 0; origin < nodes_; ++origin) holders_.insert(holders_.end(), nodes_, origin);
    if (model.ports == PortModel::all) sent_.resize(topology.slots());
  }

  /// What each node does in the step, as far as it is one send and one receipt.
  const std::vector<Turn>& check_step(std::uint64_t step, const std::vector<Move>& moves) {
    step_ = step;
    if (moves.empty()) throw ScheduleError(step, no_rank, "step " + std::to_string(step) + ": no processor sends");
    std::fill(turns_.begin(), turns_.end(), Turn{});
    for (const Move& move : moves) {
      check(move, moves);
      holder(move) = no_rank;  // on its way
    }
    for (const Move& move : moves) {
      holder(move) = move.to;
      if (!sent_.empty()) sent_[topology_.slot(move.from, topology_.port_to(move.from, move.to))] = {};
    }
    return turns_;
  }

  void check_end(std::uint64_t steps) {
    for (Rank origin = 0; origin < nodes_; ++origin) {
      for (Rank destination = 0; destination < nodes_; ++destination) {
        const Move message{0, 0, origin, destination};
        const Rank at = holder(message);
        if (origin == destination || at == destination) continue;
        const std::string how = at == origin ? " is never delivered" : " ends at processor " + std::to_string(at);
        throw ScheduleError(steps, at, "after " + std::to_string(steps) + " steps: message " + text(message) + how);
      }
    }
  }

  [[noreturn]] void fail(Rank node, const std::string& what) const {
    throw ScheduleError(step_, node,
                        "step " + std::to_string(step_) + ": processor " + std::to_string(node) + " " + what);
  }

 private:
  Rank& holder(const Move& move) { return holders_[std::size_t{move.origin} * nodes_ + move.destination]; }

  void check(const Move& move, const std::vector<Move>& moves) {
    for (const Rank rank : {move.from, move.to, move.origin, move.destination}) {
      if (rank >= nodes_) fail(rank, "does not exist");
    }
    if (move.origin == move.destination) fail(move.from, "sends " + text(move) + ", which is no message");
    check_ports(move);
    if (holder(move) != move.from) {
      const Rank at = holder(move) == no_rank ? sender_of(move, moves) : holder(move);
      if (at == move.from) fail(at, "sends " + text(move) + " twice");
      fail(move.from, "sends " + text(move) + ", which processor " + std::to_string(at) + " holds");
    }
    check_duplex(move);
    turns_[move.from].sends = move;
    turns_[move.to].receives = move;
  }

  /// Who sends the message in this step.
  static Rank sender_of(const Move& message, const std::vector<Move>& moves) {
    return std::find_if(moves.begin(), moves.end(),
                        [&](const Move& move) {
                          return move.origin == message.origin && move.destination == message.destination;
                        })
        ->from;
  }

  /// That the move has a link, and the link and its ports are free.
  void check_ports(const Move& move) {
    const bool all = model_.ports == PortModel::all;
    const Turn& sender = turns_[move.from];
    const Turn& receiver = turns_[move.to];
    if (!all && sender.sends && !(combined_ && sender.sends.to == move.to)) {
      fail(move.from, "sends two messages, " + both(sender.sends, move));
    }
    if (!all && receiver.receives && !(combined_ && receiver.receives.from == move.from)) {
      fail(move.to, "receives two messages, " + both(receiver.receives, move));
    }
    const Port port = topology_.port_to(move.from, move.to);
    if (port == topology_.ports()) {
      fail(move.from, "sends " + text(move) + to(move) + ", to which it has no link");
    }
    if (all) {
      Move& sent = sent_[topology_.slot(move.from, port)];
      if (sent && !combined_) fail(move.from, "sends two messages" + to(move) + ", " + both(sent, move));
      sent = move;
    }
    if (model_.ports != PortModel::one_strict) return;
    if (sender.receives && sender.receives.from != move.to) {
      fail(move.from,
           "sends " + text(move) + to(move) + " and receives " + text(sender.receives) + " over another link");
    }
    if (receiver.sends && receiver.sends.to != move.from) {
      fail(move.to, "receives " + text(move) + " and sends " + text(receiver.sends) + " over another link");
    }
  }

  void check_duplex(const Move& move) {
    if (model_.duplex == Duplex::half_node) {
      const Move& received = turns_[move.from].receives;
      const Move& sent = turns_[move.to].sends;
      if (received) fail(move.from, "receives " + text(received) + " and sends " + text(move) + ", in half duplex");
      if (sent) fail(move.to, "receives " + text(move) + " and sends " + text(sent) + ", in half duplex");
    } else if (model_.duplex == Duplex::half_link) {
      const std::optional<Move> back = sent_back(move);
      if (back) fail(move.from, "sends " + text(move) + to(move) + ", which sends " + text(*back) + " over that link");
    }
  }

  /// What the receiver of the move has sent to its sender in this step.
  std::optional<Move> sent_back(const Move& move) const {
    const Move& back = model_.ports == PortModel::all
                           ? sent_[topology_.slot(move.to, topology_.port_to(move.to, move.from))]
                           : turns_[move.to].sends;
    return back && back.to == move.from ? std::optional(back) : std::nullopt;
  }

  static std::string both(const Move& first, const Move& second) { return text(first) + " and " + text(second); }
  static std::string to(const Move& move) { return " to processor " + std::to_string(move.to); }

  const Topology& topology_;
  const Model& model_;
  bool combined_;
  Rank nodes_;
  std::uint64_t step_ = 0;
  std::vector<Turn> turns_;    // of the current step, by node: the last send and the last receipt
  std::vector<Move> sent_;     // in the current step, by slot of the topology; with all ports only
  std::vector<Rank> holders_;  // by origin and destination
};

void refuse_other_size(Rank nodes, const Topology& topology) {
  if (nodes == topology.processors()) return;
  throw ScheduleError(0, no_rank,
                      "the schedule is for " + std::to_string(nodes) + " processors, the machine has " +
                          std::to_string(topology.processors()));
}

/// What each node is told must be what happens.
void compare_turns(const Schedule& schedule, std::uint64_t step, const std::vector<Turn>& turns,
                   const Validation& validation) {
  for (Rank node = 0; node < schedule.nodes(); ++node) {
    const Turn told = schedule.turn(step, node);
    if (told.sends != turns[node].sends) validation.fail(node, "has a turn that sends something else than its move");
    if (told.receives != turns[node].receives) {
      validation.fail(node, "has a turn that receives something else than its move");
    }
  }
}

}  // namespace

std::vector<Move> Schedule::moves(std::uint64_t step) const {
  std::vector<Move> moves;
  for (Rank node = 0; node < nodes(); ++node) {
    if (const Move move = turn(step, node).sends) moves.push_back(move);
  }
  return moves;
}

std::shared_ptr<const Schedule> listed_schedule(Rank nodes, MoveSteps steps) {
  return std::make_shared<ListedSchedule>(nodes, std::move(steps));
}

void validate(const Schedule& schedule, const Topology& topology) {
  refuse_other_size(schedule.nodes(), topology);
  const Model single_port;
  Validation validation(topology, single_port, false);
  for (std::uint64_t step = 0; step < schedule.steps(); ++step) {
    compare_turns(schedule, step, validation.check_step(step, schedule.moves(step)), validation);
  }
  validation.check_end(schedule.steps());
}

void validate(const WrittenSchedule& schedule, const Topology& topology, const Model& model) {
  refuse_other_size(schedule.nodes, topology);
  Validation validation(topology, model, schedule.combined);
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) validation.check_step(step, schedule.steps[step]);
  validation.check_end(schedule.steps.size());
}

}  // namespace lockstep
