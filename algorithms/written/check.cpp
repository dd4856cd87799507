#include "written/check.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <tuple>
#include <utility>

#include "written/places.hpp"

namespace lockstep::written {
namespace {

/// The links over which a plan may send.
struct PlanLinks {
  Rank processors;
  std::size_t count;
  std::function<std::size_t(Rank from, Rank to)> link;          // its number; `count` if there is none
  std::function<std::optional<Port>(Rank from, Rank to)> port;  // of the sender; empty where there are no ports
};

PlanLinks links_of(const Topology& topology) {
  const Rank nodes = topology.processors();
  if (topology.medium()) {
    const std::size_t pairs = std::size_t{nodes} * nodes;
    return {nodes, pairs, [=](Rank from, Rank to) { return from == to ? pairs : std::size_t{from} * nodes + to; },
            [](Rank, Rank) { return std::nullopt; }};
  }
  const auto port = [&topology](Rank from, Rank to) {
    const Port found = topology.port_to(from, to);
    return found < topology.ports() ? std::optional(found) : std::nullopt;
  };
  const auto link = [&topology, port](Rank from, Rank to) {
    const std::optional<Port> found = port(from, to);
    return found ? topology.slot(from, *found) : topology.slots();
  };
  return {nodes, topology.slots(), link, port};
}

PlanLinks links_of(const SearchNetwork& network) {
  return {network.nodes, network.arcs.size(),
          [&network](Rank from, Rank to) { return std::size_t{network.arc(from, to)}; },
          [](Rank, Rank) { return std::nullopt; }};
}

std::string to(const ChunkTransfer& transfer) { return " to processor " + std::to_string(transfer.to); }

/// A processor's last send and last receipt in a step.
struct Activity {
  const ChunkTransfer* sends = nullptr;
  const ChunkTransfer* receives = nullptr;
};

/// A walk through a plan: the place of every chunk, and the messages of the current step.
class Walk {
 public:
  Walk(const Plan& plan, const PlanLinks& links, const Model& model)
      : links_(links), model_(model), plan_(plan), places_(plan), activities_(links.processors) {
    if (model_.multicast || has_several_sends()) sent_.resize(links.count);
  }

  /// Checks the step; returns each processor's last send and last receipt in it.
  const std::vector<Activity>& step(std::uint64_t number, std::span<const ChunkTransfer> transfers) {
    number_ = number;
    transfers_ = transfers;
    if (transfers.empty()) {
      throw ScheduleError(number, no_rank, "step " + std::to_string(number) + ": no processor sends");
    }
    std::ranges::fill(activities_, Activity{});
    for (const ChunkTransfer& transfer : transfers) {
      check(transfer);
      places_.leave(transfer);
    }
    if (model_.multicast && !has_several_sends()) check_multicasts();
    if (model_.ports == PortModel::ring) check_ring();
    for (const ChunkTransfer& transfer : transfers) {
      if (const auto twice = places_.arrive(transfer)) {
        fail(transfer.to,
             "adds to " + text(transfer) + " the summand of processor " + std::to_string(*twice) + " twice");
      }
      if (!sent_.empty()) sent_[links_.link(transfer.from, transfer.to)] = nullptr;
    }
    return activities_;
  }

  void end(std::uint64_t steps) { places_.check_end(steps); }

  /// The peers are the processors to which the ports concerned lead.
  [[noreturn]] void fail(Rank node, const std::string& what, std::initializer_list<Rank> peers = {}) const {
    std::vector<Port> ports;
    for (const Rank peer : peers) {
      const std::optional<Port> port = links_.port(node, peer);
      if (port && std::ranges::find(ports, *port) == ports.end()) ports.push_back(*port);
    }
    throw ScheduleError(number_, node,
                        "step " + std::to_string(number_) + ": processor " + std::to_string(node) + " " + what,
                        std::move(ports));
  }

 private:
  std::string text(const ChunkTransfer& transfer) const { return places_.chunks().text(transfer); }
  std::string both(const ChunkTransfer& first, const ChunkTransfer& second) const {
    return text(first) + " and " + text(second);
  }

  void check(const ChunkTransfer& transfer) {
    for (const Rank rank : {transfer.from, transfer.to, transfer.origin, transfer.destination}) {
      if (rank >= links_.processors) fail(rank, "does not exist");
    }
    if (!places_.chunks().has(transfer)) {
      const bool is_block = plan_.form == PlanForm::blocks;
      fail(transfer.from, is_block ? "sends " + text(transfer) + ", which is no message" : "sends an invalid chunk",
           {transfer.to});
    }
    check_ports(transfer);
    if (!places_.can_give(transfer)) refuse_holder(transfer);
    check_duplex(transfer);
    activities_[transfer.from].sends = &transfer;
    activities_[transfer.to].receives = &transfer;
  }

  /// For a sender that cannot send what it should.
  [[noreturn]] void refuse_holder(const ChunkTransfer& transfer) {
    if (transfer.sum > 0) {
      std::string ranks;
      for (const Rank rank : plan_.summands(transfer)) ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
      fail(transfer.from,
           "sends of " + text(transfer) + " the sum of " + ranks + ", which it cannot make from what it has",
           {transfer.to});
    }
    if (places_.chunks().are_copied()) {
      fail(transfer.from, "sends " + text(transfer) + ", which it does not hold", {transfer.to});
    }
    const Rank holder = places_.holder(transfer);
    const Rank at = holder == no_rank ? sender_of(transfer) : holder;
    if (at == transfer.from) fail(at, "sends " + text(transfer) + " twice", {transfer.to});
    fail(transfer.from, "sends " + text(transfer) + ", which processor " + std::to_string(at) + " holds",
         {transfer.to});
  }

  /// The processor that sends the block in this step.
  Rank sender_of(const ChunkTransfer& transfer) const {
    return std::ranges::find_if(transfers_, [&](const ChunkTransfer& one) { return one.block() == transfer.block(); })
        ->from;
  }

  /// Checks that a processor sends the same over several links in one step.
  void check_multicasts() const {
    const auto link = [](const ChunkTransfer& one) { return std::tie(one.from, one.to); };
    const auto is_same = [](const ChunkTransfer& a, const ChunkTransfer& b) {
      return a.block() == b.block() && a.chunk == b.chunk && a.sum == b.sum;
    };
    std::vector<ChunkTransfer> all(transfers_.begin(), transfers_.end());
    std::ranges::stable_sort(all, [&](const ChunkTransfer& a, const ChunkTransfer& b) { return link(a) < link(b); });
    auto first = all.begin();
    for (auto begin = all.begin(); begin != all.end();) {
      const auto end_of = [&](auto message) {
        return std::find_if(message, all.end(), [&](const ChunkTransfer& one) { return link(one) != link(*message); });
      };
      const auto end = end_of(begin);
      if (begin->from != first->from) first = begin;
      if (!std::equal(first, end_of(first), begin, end, is_same)) {
        fail(begin->from, "sends two messages, " + both(*first, *begin), {first->to, begin->to});
      }
      begin = end;
    }
  }

  /// Whether the port model allows several sends of a processor. The machine counts them under k_ports().
  bool has_several_sends() const { return sends_on_several_ports(model_.ports) || is_k_ports(model_.ports); }

  /// On a ring of that port model, a processor that receives sends over at most one link.
  void check_ring() const {
    for (const ChunkTransfer& transfer : transfers_) {
      const auto& [sent, received] = activities_[transfer.from];
      if (received == nullptr || sent->to == transfer.to) continue;
      fail(transfer.from, "receives " + text(*received) + " and sends " + both(transfer, *sent),
           {received->from, transfer.to, sent->to});
    }
  }

  /// Checks that the transfer has a link, and that the link and its ports are free.
  void check_ports(const ChunkTransfer& transfer) {
    const ChunkTransfer* const sent = activities_[transfer.from].sends;
    const ChunkTransfer* const received = activities_[transfer.to].receives;
    if (!has_several_sends() && sent != nullptr) {
      const bool is_same_link = sent->to == transfer.to;
      const bool may_add = model_.multicast ? plan_.combined || !is_same_link : plan_.combined && is_same_link;
      if (!may_add) fail(transfer.from, "sends two messages, " + both(*sent, transfer), {sent->to, transfer.to});
    }
    if (port_limit(model_.ports) == 1 && received != nullptr && !(plan_.combined && received->from == transfer.from)) {
      fail(transfer.to, "receives two messages, " + both(*received, transfer), {received->from, transfer.from});
    }
    const std::size_t link = links_.link(transfer.from, transfer.to);
    if (link == links_.count) {
      fail(transfer.from, "sends " + text(transfer) + to(transfer) + ", to which it has no link");
    }
    if (!sent_.empty()) {
      const ChunkTransfer* const before = std::exchange(sent_[link], &transfer);
      if (before != nullptr && !plan_.combined) {
        fail(transfer.from, "sends two messages" + to(transfer) + ", " + both(*before, transfer), {transfer.to});
      }
    }
    if (model_.ports == PortModel::one_strict) check_one_link(transfer);
  }

  /// Checks that sender and receiver use no other link.
  void check_one_link(const ChunkTransfer& transfer) const {
    const ChunkTransfer* const received = activities_[transfer.from].receives;
    const ChunkTransfer* const sent = activities_[transfer.to].sends;
    if (received != nullptr && received->from != transfer.to) {
      fail(transfer.from,
           "sends " + text(transfer) + to(transfer) + " and receives " + text(*received) + " over another link",
           {transfer.to, received->from});
    }
    if (sent != nullptr && sent->to != transfer.from) {
      fail(transfer.to, "receives " + text(transfer) + " and sends " + text(*sent) + " over another link",
           {transfer.from, sent->to});
    }
  }

  void check_duplex(const ChunkTransfer& transfer) const {
    if (model_.duplex == Duplex::half_node) {
      if (const ChunkTransfer* const received = activities_[transfer.from].receives) {
        fail(transfer.from, "receives " + text(*received) + " and sends " + text(transfer) + ", in half duplex",
             {received->from, transfer.to});
      }
      if (const ChunkTransfer* const sent = activities_[transfer.to].sends) {
        fail(transfer.to, "receives " + text(transfer) + " and sends " + text(*sent) + ", in half duplex",
             {transfer.from, sent->to});
      }
    } else if (model_.duplex == Duplex::half_link) {
      if (const ChunkTransfer* const back = sent_back(transfer)) {
        fail(transfer.from,
             "sends " + text(transfer) + to(transfer) + ", which sends " + text(*back) + " over that link",
             {transfer.to});
      }
    }
  }

  /// The transfer that the receiver sends back in this step.
  const ChunkTransfer* sent_back(const ChunkTransfer& transfer) const {
    const ChunkTransfer* const back =
        !sent_.empty() ? sent_[links_.link(transfer.to, transfer.from)] : activities_[transfer.to].sends;
    return back != nullptr && back->to == transfer.from ? back : nullptr;
  }

  const PlanLinks& links_;
  const Model& model_;
  const Plan& plan_;
  std::uint64_t number_ = 0;
  std::span<const ChunkTransfer> transfers_;  // of the current step
  PlanPlaces places_;
  std::vector<Activity> activities_;        // of the current step, by processor
  std::vector<const ChunkTransfer*> sent_;  // the same by link; with all ports or multicast only
};

void check_size(Rank nodes, Rank processors) {
  if (nodes != processors) throw ScheduleError(0, no_rank, other_size(nodes, "the machine", processors));
}

void walk_through(const Plan& plan, const PlanLinks& links, const Model& model) {
  check_size(plan.nodes, links.processors);
  Walk walk(plan, links, model);
  for (std::size_t step = 0; step < plan.steps(); ++step) walk.step(step, plan.step(step));
  walk.end(plan.steps());
}

/// Checks that each node's turns are the moves.
void compare_turns(const TurnSchedule& schedule, std::uint64_t step, const std::vector<Activity>& activities,
                   const Walk& walk) {
  const auto moved = [](const ChunkTransfer* transfer) { return transfer == nullptr ? Move{} : move_of(*transfer); };
  for (Rank node = 0; node < schedule.nodes(); ++node) {
    const Turn turn = schedule.turn(step, node);
    if (turn.sends != moved(activities[node].sends)) {
      walk.fail(node, "has a turn that sends something other than its move");
    }
    if (turn.receives != moved(activities[node].receives)) {
      walk.fail(node, "has a turn that receives something other than its move");
    }
  }
}

}  // namespace

void check(const Plan& plan, const Topology& topology, const Model& model) {
  walk_through(plan, links_of(topology), model);
}

}  // namespace lockstep::written

namespace lockstep {

void validate(const TurnSchedule& schedule, const Topology& topology) {
  written::check_size(schedule.nodes(), topology.processors());
  const Model single_port;
  const written::Plan nothing{.nodes = schedule.nodes()};
  const written::PlanLinks links = written::links_of(topology);
  written::Walk walk(nothing, links, single_port);
  std::vector<written::ChunkTransfer> transfers;
  for (std::uint64_t step = 0; step < schedule.steps(); ++step) {
    transfers.clear();
    for (const Move& move : schedule.moves(step)) transfers.push_back(written::transfer_of(move));
    written::compare_turns(schedule, step, walk.step(step, transfers), walk);
  }
  walk.end(schedule.steps());
}

void validate(const Schedule& schedule, const Topology& topology, const Model& model) {
  written::check(written::plan_of(schedule), topology, model);
}

void check(const ChunkSchedule& schedule, const SearchNetwork& network, PortModel ports, bool multicast) {
  Model model;
  model.ports = ports;
  model.multicast = multicast;
  written::walk_through(written::plan_of(schedule), written::links_of(network), model);
}

}  // namespace lockstep
