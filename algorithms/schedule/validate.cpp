#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "lockstep/algorithms/schedule.hpp"

namespace lockstep {
namespace {

/// Where the blocks of a task are while its schedule is carried out.
class Places {
 public:
  Places(const Task& task, Rank nodes) : blocks_(task, nodes) {
    const std::size_t numbers = blocks_.numbers();
    if (blocks_.are_told_by_moves() || numbers == 0) return;
    if (blocks_.are_for_all()) holds_.resize(numbers * nodes);
    const std::size_t of_each = numbers / (blocks_.end_of_origins() - blocks_.first_origin());
    for (Rank origin = blocks_.first_origin(); origin < blocks_.end_of_origins(); ++origin) {
      if (blocks_.are_for_all()) {
        add({origin, origin}, origin);
      } else {
        holders_.insert(holders_.end(), of_each, origin);
      }
    }
  }

  const TaskBlocks& blocks() const { return blocks_; }
  /// What people call the block: "0->2", or "the block of 0" if it is for all.
  std::string text(const Move& move) const {
    if (blocks_.are_for_all()) return "the block of " + std::to_string(move.origin);
    return std::to_string(move.origin) + "->" + std::to_string(move.destination);
  }

  bool has(Rank node, const BlockLabels& block) const {
    return blocks_.are_for_all() ? holds_[blocks_.number(block) * blocks_.nodes() + node] : holder(block) == node;
  }
  /// Of a block that is not for all: who has it; no_rank while it is on its way.
  Rank holder(const BlockLabels& block) const {
    if (!blocks_.are_told_by_moves()) return holders_[blocks_.number(block)];
    const auto found = moved_.find(blocks_.number(block));
    return found == moved_.end() ? block.origin : found->second;
  }

  /// The block leaves whoever sends it, unless it is for all.
  void take(const BlockLabels& block) {
    if (!blocks_.are_for_all()) add(block, no_rank);
  }
  void add(const BlockLabels& block, Rank node) {
    const std::size_t number = blocks_.number(block);
    if (blocks_.are_for_all()) {
      holds_[number * blocks_.nodes() + node] = true;
    } else if (blocks_.are_told_by_moves()) {
      moved_[number] = node;
    } else {
      holders_[number] = node;
    }
  }

  /// Throws ScheduleError unless every block is where it should be after so many steps.
  void check_end(std::uint64_t steps) const {
    const std::string after = "after " + std::to_string(steps) + " steps: ";
    for (const auto& [number, node] : moved_) {
      const std::size_t nodes = blocks_.nodes();
      check_arrival(steps, after, {static_cast<Rank>(number / nodes), static_cast<Rank>(number % nodes)});
    }
    if (blocks_.are_told_by_moves()) return;
    for (Rank origin = blocks_.first_origin(); origin < blocks_.end_of_origins(); ++origin) {
      if (blocks_.are_for_all()) {
        for (Rank node = 0; node < blocks_.nodes(); ++node) {
          if (has(node, {origin, origin})) continue;
          throw ScheduleError(
              steps, node,
              after + "processor " + std::to_string(node) + " lacks the block of " + std::to_string(origin));
        }
      } else {
        for (Rank to = blocks_.first_destination(); to < blocks_.end_of_destinations(); ++to) {
          if (origin != to) check_arrival(steps, after, {origin, to});
        }
      }
    }
  }

 private:
  void check_arrival(std::uint64_t steps, const std::string& after, const BlockLabels& block) const {
    const Rank at = holder(block);
    if (at == block.destination) return;
    const std::string how = at == block.origin ? " is never delivered" : " ends at processor " + std::to_string(at);
    throw ScheduleError(steps, at, after + "message " + text({0, 0, block.origin, block.destination}) + how);
  }

  TaskBlocks blocks_;
  std::vector<Rank> holders_;          // by number, of blocks that one processor has at a time
  std::vector<bool> holds_;            // by number and node, of blocks that are for all
  std::map<std::size_t, Rank> moved_;  // of blocks told by moves: who has those that have moved
};

/// A sequential run of a schedule: where every block is, and what has been sent and received in the current step.
class Validation {
 public:
  Validation(const Topology& topology, const Model& model, bool combined, const Task& task)
      : topology_(topology),
        model_(model),
        combined_(combined),
        nodes_(topology.processors()),
        places_(task, nodes_),
        turns_(nodes_) {
    if (sends_on_several_ports(model.ports) || model.multicast) sent_.resize(topology.slots());
  }

  /// What each node does in the step, as far as it is one send and one receipt.
  const std::vector<Turn>& check_step(std::uint64_t step, const std::vector<Move>& moves) {
    step_ = step;
    if (moves.empty()) throw ScheduleError(step, no_rank, "step " + std::to_string(step) + ": no processor sends");
    std::fill(turns_.begin(), turns_.end(), Turn{});
    for (const Move& move : moves) {
      check(move, moves);
      places_.take(move.block());
    }
    if (model_.multicast && !sends_on_several_ports(model_.ports)) check_multicasts(moves);
    if (model_.ports == PortModel::ring) check_ring(moves);
    for (const Move& move : moves) {
      places_.add(move.block(), move.to);
      if (!sent_.empty()) sent_[topology_.slot(move.from, topology_.port_to(move.from, move.to))] = {};
    }
    return turns_;
  }

  void check_end(std::uint64_t steps) const { places_.check_end(steps); }

  /// The peers are those to whom the ports lead that are concerned.
  [[noreturn]] void fail(Rank node, const std::string& what, std::initializer_list<Rank> peers = {}) const {
    std::vector<Port> ports;
    for (const Rank peer : peers) {
      const Port port = topology_.port_to(node, peer);
      const bool is_new = std::ranges::find(ports, port) == ports.end();
      if (port < topology_.ports() && is_new) ports.push_back(port);
    }
    throw ScheduleError(step_, node,
                        "step " + std::to_string(step_) + ": processor " + std::to_string(node) + " " + what,
                        std::move(ports));
  }

 private:
  std::string text(const Move& move) const { return places_.text(move); }

  void check(const Move& move, const std::vector<Move>& moves) {
    for (const Rank rank : {move.from, move.to, move.origin, move.destination}) {
      if (rank >= nodes_) fail(rank, "does not exist");
    }
    if (!places_.blocks().has(move.block()))
      fail(move.from, "sends " + text(move) + ", which is no message", {move.to});
    check_ports(move);
    if (!places_.has(move.from, move.block())) check_holder(move, moves);
    check_duplex(move);
    turns_[move.from].sends = move;
    turns_[move.to].receives = move;
  }

  /// Of a sender that has not what it sends.
  [[noreturn]] void check_holder(const Move& move, const std::vector<Move>& moves) const {
    if (places_.blocks().are_for_all()) fail(move.from, "sends " + text(move) + ", which it does not hold", {move.to});
    const Rank holder = places_.holder(move.block());
    const Rank at = holder == no_rank ? sender_of(move, moves) : holder;
    if (at == move.from) fail(at, "sends " + text(move) + " twice", {move.to});
    fail(move.from, "sends " + text(move) + ", which processor " + std::to_string(at) + " holds", {move.to});
  }

  /// Who sends the block in this step.
  static Rank sender_of(const Move& message, const std::vector<Move>& moves) {
    return std::find_if(moves.begin(), moves.end(), [&](const Move& move) { return move.block() == message.block(); })
        ->from;
  }

  /// What a processor sends over several links in one step has to be the same on all.
  void check_multicasts(std::vector<Move> moves) const {
    const auto link = [](const Move& move) { return std::tie(move.from, move.to); };
    std::stable_sort(moves.begin(), moves.end(), [&](const Move& a, const Move& b) { return link(a) < link(b); });
    const auto same_block = [](const Move& a, const Move& b) { return a.block() == b.block(); };
    auto first = moves.begin();
    for (auto begin = moves.begin(); begin != moves.end();) {
      const auto end = std::find_if(begin, moves.end(), [&](const Move& move) { return link(move) != link(*begin); });
      if (begin->from != first->from) first = begin;
      const auto end_of_first =
          std::find_if(first, moves.end(), [&](const Move& one) { return link(one) != link(*first); });
      if (!std::equal(first, end_of_first, begin, end, same_block)) {
        fail(begin->from, "sends two messages, " + both(*first, *begin), {first->to, begin->to});
      }
      begin = end;
    }
  }

  /// Who receives on a ring of that port model sends over one link at most.
  void check_ring(const std::vector<Move>& moves) const {
    for (const Move& move : moves) {
      const Turn& turn = turns_[move.from];
      if (!turn.receives || turn.sends.to == move.to) continue;
      fail(move.from, "receives " + text(turn.receives) + " and sends " + both(move, turn.sends),
           {turn.receives.from, move.to, turn.sends.to});
    }
  }

  /// That the move has a link, and the link and its ports are free.
  void check_ports(const Move& move) {
    const bool all = model_.ports == PortModel::all;
    const bool may_send_several = sends_on_several_ports(model_.ports);
    const Turn& sender = turns_[move.from];
    const Turn& receiver = turns_[move.to];
    const bool may_add =
        model_.multicast ? combined_ || sender.sends.to != move.to : combined_ && sender.sends.to == move.to;
    if (!may_send_several && sender.sends && !may_add) {
      fail(move.from, "sends two messages, " + both(sender.sends, move), {sender.sends.to, move.to});
    }
    if (!all && receiver.receives && !(combined_ && receiver.receives.from == move.from)) {
      fail(move.to, "receives two messages, " + both(receiver.receives, move), {receiver.receives.from, move.from});
    }
    const Port port = topology_.port_to(move.from, move.to);
    if (port == topology_.ports()) {
      fail(move.from, "sends " + text(move) + to(move) + ", to which it has no link");
    }
    if (!sent_.empty()) {
      Move& sent = sent_[topology_.slot(move.from, port)];
      if (sent && !combined_) fail(move.from, "sends two messages" + to(move) + ", " + both(sent, move), {move.to});
      sent = move;
    }
    if (model_.ports != PortModel::one_strict) return;
    if (sender.receives && sender.receives.from != move.to) {
      fail(move.from,
           "sends " + text(move) + to(move) + " and receives " + text(sender.receives) + " over another link",
           {move.to, sender.receives.from});
    }
    if (receiver.sends && receiver.sends.to != move.from) {
      fail(move.to, "receives " + text(move) + " and sends " + text(receiver.sends) + " over another link",
           {move.from, receiver.sends.to});
    }
  }

  void check_duplex(const Move& move) {
    if (model_.duplex == Duplex::half_node) {
      const Move& received = turns_[move.from].receives;
      const Move& sent = turns_[move.to].sends;
      if (received) {
        fail(move.from, "receives " + text(received) + " and sends " + text(move) + ", in half duplex",
             {received.from, move.to});
      }
      if (sent) {
        fail(move.to, "receives " + text(move) + " and sends " + text(sent) + ", in half duplex", {move.from, sent.to});
      }
    } else if (model_.duplex == Duplex::half_link) {
      const std::optional<Move> back = sent_back(move);
      if (back)
        fail(move.from, "sends " + text(move) + to(move) + ", which sends " + text(*back) + " over that link",
             {move.to});
    }
  }

  /// What the receiver of the move has sent to its sender in this step.
  std::optional<Move> sent_back(const Move& move) const {
    const Move& back =
        !sent_.empty() ? sent_[topology_.slot(move.to, topology_.port_to(move.to, move.from))] : turns_[move.to].sends;
    return back && back.to == move.from ? std::optional(back) : std::nullopt;
  }

  std::string both(const Move& first, const Move& second) const { return text(first) + " and " + text(second); }
  static std::string to(const Move& move) { return " to processor " + std::to_string(move.to); }

  const Topology& topology_;
  const Model& model_;
  bool combined_;
  Rank nodes_;
  std::uint64_t step_ = 0;
  Places places_;
  std::vector<Turn> turns_;  // of the current step, by node: the last send and the last receipt
  std::vector<Move> sent_;   // in the current step, by slot of the topology; with all ports or multicast only
};

void refuse_other_size(Rank nodes, const Topology& topology) {
  if (nodes == topology.processors()) return;
  throw ScheduleError(0, no_rank,
                      "the schedule is for " + std::to_string(nodes) + " processors, the machine has " +
                          std::to_string(topology.processors()));
}

/// What each node is told must be what happens.
void compare_turns(const TurnSchedule& schedule, std::uint64_t step, const std::vector<Turn>& turns,
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

void validate(const TurnSchedule& schedule, const Topology& topology) {
  refuse_other_size(schedule.nodes(), topology);
  const Model single_port;
  Validation validation(topology, single_port, false, {});
  for (std::uint64_t step = 0; step < schedule.steps(); ++step) {
    compare_turns(schedule, step, validation.check_step(step, schedule.moves(step)), validation);
  }
  validation.check_end(schedule.steps());
}

void validate(const Schedule& schedule, const Topology& topology, const Model& model) {
  refuse_other_size(schedule.nodes, topology);
  Validation validation(topology, model, schedule.combined, schedule.task);
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) validation.check_step(step, schedule.steps[step]);
  validation.check_end(schedule.steps.size());
}

}  // namespace lockstep
