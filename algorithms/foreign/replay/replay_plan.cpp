#include "replay_plan.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <utility>

#include "lockstep/core/error.hpp"
#include "lockstep/core/printable.hpp"
#include "matching.hpp"
#include "method/cycle_use.hpp"
#include "method/wait_ring.hpp"
#include "plans/turns/port_to.hpp"

namespace lockstep {
namespace {

using Number = std::uint32_t;  // of an operation of a rank
using OperationPlace = std::pair<Rank, Number>;
/// The port of a sender, and that of the receiver.
using PortsOf = std::function<std::pair<Port, Port>(Rank from, Number send)>;

/// The state of a rank during planning.
struct OfRank {
  std::vector<Number> missing;                   // by operation: the number of others it waits for
  std::vector<std::vector<Number>> after_end;    // by operation: those that wait for its end
  std::vector<std::vector<Number>> after_begin;  // the same for its begin
  std::vector<bool> has_begun;
  std::vector<bool> has_ended;
  std::map<Rank, std::set<Number>> sends;                                   // that can begin, by receiver
  std::set<std::pair<Number, Rank>> next_sends;                             // the first to every receiver
  std::priority_queue<Number, std::vector<Number>, std::greater<>> others;  // operations that can begin
  replay::Matching matching;
};

class Arbiter {
 public:
  /// Without a model there are no ports and no links: every message is sent as soon as it can be.
  Arbiter(const ReplayProgram& program, const Model* model, const std::string& name)
      : program_(program), name_(name), ranks_(program.ranks.size()) {
    if (model != nullptr) use_.emplace(*model, static_cast<Rank>(program.ranks.size()));
    plan_.actions.resize(program.ranks.size());
    for (Rank rank = 0; rank < ranks_.size(); ++rank) {
      const auto& operations = program.ranks[rank];
      OfRank& of = ranks_[rank];
      of.missing.resize(operations.size());
      of.after_end.resize(operations.size());
      of.after_begin.resize(operations.size());
      of.has_begun.resize(operations.size());
      of.has_ended.resize(operations.size());
      for (Number number = 0; number < operations.size(); ++number) {
        for (const Number before : operations[number].after_end) of.after_end[before].push_back(number);
        for (const Number before : operations[number].after_begin) of.after_begin[before].push_back(number);
        of.missing[number] =
            static_cast<Number>(operations[number].after_end.size() + operations[number].after_begin.size());
      }
    }
  }

  /// Plans all cycles.
  void plan(const PortsOf& ports) {
    for (Rank rank = 0; rank < ranks_.size(); ++rank) {
      for (Number number = 0; number < ranks_[rank].missing.size(); ++number) {
        if (ranks_[rank].missing[number] == 0) allow(rank, number);
      }
    }
    for (cycle_ = 0; !active_.empty() || !under_way_.empty(); ++cycle_) {
      if (use_) use_->begin();
      for (const Coming& coming : std::exchange(under_way_, {})) {
        steps_ = cycle_;
        deliver(coming.to, coming.from, coming.operation, ReplayAction::Kind::take, coming.port);
      }
      for (auto next = active_.begin(); next != active_.end();) {
        const Rank rank = *next;
        go_on(rank, ports);
        if (ranks_[rank].next_sends.empty()) active_.erase(rank);
        next = active_.upper_bound(rank);
      }
    }
    refuse_what_is_left();
  }

  ReplayPlan take() { return std::move(plan_); }
  /// Cycles in which a message was sent.
  Cycle steps() const { return steps_; }

 private:
  /// A message that was sent in the cycle before.
  struct Coming {
    Rank to;
    Port port;
    Rank from;
    Number operation;
  };

  const ReplayOperation& operation(Rank rank, Number number) const { return program_.ranks[rank][number]; }

  void allow(Rank rank, Number number) {
    if (operation(rank, number).verb == ReplayVerb::send) {
      change_sends(rank, operation(rank, number).peer, [number](std::set<Number>& sends) { sends.insert(number); });
    } else {
      ranks_[rank].others.push(number);
    }
    active_.insert(rank);
    allowed_ = true;
  }

  template <class Change>
  void change_sends(Rank rank, Rank to, const Change& change) {
    OfRank& of = ranks_[rank];
    std::set<Number>& sends = of.sends[to];
    if (!sends.empty()) of.next_sends.erase({*sends.begin(), to});
    change(sends);
    if (!sends.empty()) of.next_sends.emplace(*sends.begin(), to);
  }

  void release(Rank rank, const std::vector<Number>& waiting) {
    for (const Number number : waiting) {
      if (--ranks_[rank].missing[number] == 0) allow(rank, number);
    }
  }

  void mark_begun(Rank rank, Number number) {
    ranks_[rank].has_begun[number] = true;
    release(rank, ranks_[rank].after_begin[number]);
  }

  void end(Rank rank, Number number) {
    ranks_[rank].has_ended[number] = true;
    release(rank, ranks_[rank].after_end[number]);
  }

  /// Begins all operations that can begin in this cycle.
  void go_on(Rank rank, const PortsOf& ports) {
    OfRank& of = ranks_[rank];
    for (bool is_new = true; is_new;) {
      while (!of.others.empty()) {
        const Number number = of.others.top();
        of.others.pop();
        begin(rank, number);
      }
      is_new = false;
      for (auto next = of.next_sends.begin(); next != of.next_sends.end() && !is_new;) {
        const auto [number, to] = *next;
        if (to != rank && use_ && use_->has_sent(rank)) return;
        if (to == rank || !use_ || use_->may_send(rank, to)) {
          change_sends(rank, to, [number](std::set<Number>& sends) { sends.erase(number); });
          allowed_ = false;
          send(rank, number, ports);
          is_new = allowed_;
        }
        next = of.next_sends.upper_bound({number, to});
      }
    }
  }

  void send(Rank rank, Number number, const PortsOf& ports) {
    const Rank to = operation(rank, number).peer;
    const auto [port, peer_port] = to == rank ? std::pair<Port, Port>() : ports(rank, number);
    plan_.actions[rank].push_back({.cycle = cycle_, .port = port, .operation = number});
    if (to == rank) {
      deliver(rank, rank, number, ReplayAction::Kind::take_own, 0);
    } else {
      if (use_) use_->send(rank, to);
      under_way_.push_back({to, peer_port, rank, number});
    }
    mark_begun(rank, number);
    end(rank, number);
  }

  /// For an operation that is no send.
  void begin(Rank rank, Number number) {
    OfRank& of = ranks_[rank];
    plan_.actions[rank].push_back({.cycle = cycle_, .operation = number});
    mark_begun(rank, number);
    if (operation(rank, number).verb != ReplayVerb::receive) {
      end(rank, number);
      return;
    }
    const auto message = of.matching.message_for(number, operation(rank, number));
    if (!message) return;
    plan_.actions[rank][message->action].operation = number;
    meet(rank, number, message->from, message->operation);
  }

  void deliver(Rank rank, Rank from, Number sent, ReplayAction::Kind kind, Port port) {
    plan_.actions[rank].push_back({.cycle = cycle_, .kind = kind, .port = port});
    const auto receive =
        ranks_[rank].matching.receive_for({from, sent, operation(from, sent).tag, plan_.actions[rank].size() - 1});
    if (!receive) return;
    plan_.actions[rank].back().operation = *receive;
    meet(rank, *receive, from, sent);
  }

  void meet(Rank rank, Number number, Rank from, Number sent) {
    if (operation(from, sent).amount > operation(rank, number).amount) {
      throw invalid(rank,
                    program_.place(rank, number) + " is too short for its message: " + program_.place(from, sent));
    }
    end(rank, number);
  }

  RunError invalid(Rank rank, const std::string& text) const {
    return {ErrorKind::invalid_schedule, cycle_, rank, {}, name_ + ": " + text};
  }

  void refuse_what_is_left() const {
    for (Rank rank = 0; rank < ranks_.size(); ++rank) {
      const auto& ended = ranks_[rank].has_ended;
      const auto left = std::find(ended.begin(), ended.end(), false);
      if (left != ended.end()) refuse_wait({rank, static_cast<Number>(left - ended.begin())});
    }
    for (Rank rank = 0; rank < ranks_.size(); ++rank) {
      const auto* const one = ranks_[rank].matching.first_waiting();
      if (one != nullptr) throw invalid(one->from, text_of({one->from, one->operation}) + " is never received");
    }
  }

  /// A send that has not begun and matches the receive; empty if there is none.
  std::optional<OperationPlace> sender_for(Rank rank, Number receive) const {
    for (Rank from = 0; from < ranks_.size(); ++from) {
      for (Number number = 0; number < program_.ranks[from].size(); ++number) {
        const ReplayOperation& one = operation(from, number);
        if (one.verb != ReplayVerb::send || one.peer != rank || ranks_[from].has_ended[number]) continue;
        if (replay::takes(operation(rank, receive), from, one.tag)) return OperationPlace(from, number);
      }
    }
    return {};
  }

  /// Why an operation has not ended, and the operation it waits for; empty if no message will ever reach it.
  std::optional<std::pair<OperationPlace, const char*>> kept_by(const OperationPlace& place) const {
    const auto& [rank, number] = place;
    const OfRank& of = ranks_[rank];
    for (const Number before : operation(rank, number).after_end) {
      if (!of.has_ended[before]) return std::pair(OperationPlace(rank, before), " requires ");
    }
    for (const Number before : operation(rank, number).after_begin) {
      if (!of.has_begun[before]) return std::pair(OperationPlace(rank, before), " requires the begin of ");
    }
    if (const auto sender = sender_for(rank, number)) return std::pair(*sender, " waits for ");
    return {};
  }

  /// Follows the waits from an operation that will never end until one repeats.
  [[noreturn]] void refuse_wait(OperationPlace place) const {
    const std::vector<OperationPlace> ring = method::wait_ring(place, [&](const OperationPlace& each) {
      const auto kept = kept_by(each);
      if (!kept) throw invalid(each.first, text_of(each) + " gets no message");
      return kept->first;
    });
    place = ring.front();
    const std::string text = method::ring_text(
        ring, [&](const OperationPlace& each) { return text_of(each) + kept_by(each)->second; },
        [&](std::size_t more) { return more == 0 ? text_of(place) : std::to_string(more) + " more"; });
    const bool is_of_one =
        std::ranges::all_of(ring, [&](const OperationPlace& each) { return each.first == place.first; });
    if (is_of_one) throw invalid(place.first, "operations wait for one another: " + text);
    const Cycle last = cycle_ > 0 ? cycle_ - 1 : 0;
    throw RunError(ErrorKind::deadlock, last, place.first, {},
                   name_ + ": no processor can continue after cycle " + std::to_string(last) + ": " + text);
  }

  std::string text_of(const OperationPlace& place) const { return program_.place(place.first, place.second); }

  const ReplayProgram& program_;
  const std::string& name_;
  std::optional<method::CycleUse> use_;
  std::vector<OfRank> ranks_;
  std::set<Rank> active_;  // ranks with operations that can begin
  std::vector<Coming> under_way_;
  ReplayPlan plan_;
  Cycle cycle_ = 0;
  Cycle steps_ = 0;
  bool allowed_ = false;  // an operation has become able to begin
};

}  // namespace

ReplayPlan plan_replay(const ReplayProgram& program, const MachineSpec& machine, const Topology& topology,
                       const Model& model, const std::string& name) {
  Arbiter arbiter(program, &model, name);
  arbiter.plan([&](Rank from, Number send) {
    const Rank to = program.ranks[from][send].peer;
    if (machine.medium) return std::pair<Port, Port>(to, from);
    const Port port = turns::port_to(topology, from, to);
    if (port < topology.ports()) return std::pair(port, topology.peer(from, port).port);
    throw RunError(ErrorKind::invalid_schedule, 0, from, {},
                   name + ": " + program.place(from, send) + ": " + printable(machine.text) + " has no link from " +
                       std::to_string(from) + " to " + std::to_string(to));
  });
  return arbiter.take();
}

Cycle replay::fewest_steps(const ReplayProgram& program) {
  const std::string name;
  Arbiter arbiter(program, nullptr, name);
  arbiter.plan([](Rank, Number) { return std::pair<Port, Port>(); });
  return arbiter.steps();
}

}  // namespace lockstep
