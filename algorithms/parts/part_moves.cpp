#include "part_moves.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/topologies.hpp"
#include "method/kept_by_machine.hpp"
#include "plans/bfs/farthest_first.hpp"
#include "plans/bfs/timing.hpp"

namespace lockstep::parts {
namespace {

/// A set of parts.
class PartSet {
 public:
  explicit PartSet(Rank parts) : words_((parts + 63) / 64) {}

  void insert(Rank part) { words_[part / 64] |= std::uint64_t{1} << (part % 64); }
  bool contains(Rank part) const { return (words_[part / 64] >> (part % 64) & 1) != 0; }

  /// The number of those that the other set lacks.
  Rank count_beyond(const PartSet& other) const {
    Rank count = 0;
    for (std::size_t index = 0; index < words_.size(); ++index) {
      count += static_cast<Rank>(std::popcount(words_[index] & ~other.words_[index]));
    }
    return count;
  }
  template <class Visit>
  void for_all_beyond(const PartSet& other, const Visit& visit) const {
    for (std::size_t index = 0; index < words_.size(); ++index) {
      for (std::uint64_t left = words_[index] & ~other.words_[index]; left != 0; left &= left - 1) {
        visit(static_cast<Rank>(64 * index) + static_cast<Rank>(std::countr_zero(left)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// A link in one direction, and the number of parts that could cross it.
struct PartLink {
  Rank from;
  Rank to;
  Rank useful = 0;
};

class Gossip {
 public:
  Gossip(const MachineSpec& machine, bool all_ports, GossipMessage message)
      : machine_(machine),
        ranks_(static_cast<Rank>(machine.processors)),
        all_ports_(all_ports),
        message_(message),
        holders_(ranks_, 1),
        sizes_(ranks_, 1) {
    const Topology::Wiring end = wiring(machine);
    for (Rank rank = 0; rank < ranks_; ++rank) {
      held_.emplace_back(ranks_).insert(rank);
      for (Port port = 0; port < machine.ports; ++port) {
        if (const End there = end(rank, port)) links_.push_back({rank, there.rank});
      }
    }
    std::ranges::sort(links_, {}, [](const PartLink& link) { return std::pair(link.from, link.to); });
    const auto twice =
        std::ranges::unique(links_, {}, [](const PartLink& link) { return std::pair(link.from, link.to); });
    links_.erase(twice.begin(), twice.end());
  }

  PartMoves run() {
    PartMoves moves;
    const std::uint64_t work_of_step = links_.size() * ((ranks_ + 63) / 64);
    while (std::ranges::any_of(sizes_, [&](Rank size) { return size < ranks_; })) {
      if (moves.size() * work_of_step > most_work) {
        throw InputError("the plan for " + printable(machine_.text) + " is too long: more than " +
                         std::to_string(moves.size()) + " steps over " + std::to_string(links_.size()) + " links");
      }
      moves.push_back(next_step());
    }
    return moves;
  }

 private:
  std::vector<PartMove> next_step() {
    std::vector<PartLink> useful;
    for (PartLink link : links_) {
      link.useful = held_[link.from].count_beyond(held_[link.to]);
      if (link.useful > 0) useful.push_back(link);
    }
    if (!all_ports_) useful = matched(useful);
    return message_ == GossipMessage::all ? moves_of_all(std::move(useful)) : moves_of_rarest(std::move(useful));
  }

  std::vector<PartMove> moves_of_rarest(std::vector<PartLink> useful) {
    // Links with the least choice choose first.
    std::ranges::stable_sort(useful, {}, &PartLink::useful);
    std::vector<PartMove> moves;
    std::vector<PartSet> coming = held_;  // and what a rank holds
    for (const PartLink& link : useful) {
      Rank rarest = no_rank;
      held_[link.from].for_all_beyond(coming[link.to], [&](Rank part) {
        if (rarest == no_rank || holders_[part] < holders_[rarest]) rarest = part;
      });
      if (rarest == no_rank) continue;
      coming[link.to].insert(rarest);
      ++holders_[rarest];
      ++sizes_[link.to];
      moves.push_back({link.from, link.to, rarest});
    }
    held_ = std::move(coming);
    return moves;
  }

  /// A receiver takes every part from the neighbour of those that have it that has sent the fewest in this step.
  std::vector<PartMove> moves_of_all(std::vector<PartLink> useful) {
    std::ranges::stable_sort(useful, {}, &PartLink::to);
    std::vector<PartMove> moves;
    std::vector<PartSet> coming = held_;
    for (auto first = useful.begin(); first != useful.end();) {
      const Rank receiver = first->to;
      const auto last = std::find_if(first, useful.end(), [&](const PartLink& link) { return link.to != receiver; });
      std::vector<std::vector<Rank>> carried(static_cast<std::size_t>(last - first));
      for (Rank part = 0; part < ranks_; ++part) {
        std::vector<Rank>* least = nullptr;
        for (auto link = first; link != last; ++link) {
          std::vector<Rank>& of_link = carried[static_cast<std::size_t>(link - first)];
          if (!held_[link->from].contains(part) || held_[receiver].contains(part)) continue;
          if (least == nullptr || of_link.size() < least->size()) least = &of_link;
        }
        if (least != nullptr) least->push_back(part);
      }
      for (auto link = first; link != last; ++link) {
        for (const Rank part : carried[static_cast<std::size_t>(link - first)]) {
          coming[receiver].insert(part);
          ++sizes_[receiver];
          moves.push_back({link->from, receiver, part});
        }
      }
      first = last;
    }
    held_ = std::move(coming);
    return moves;
  }

  /// Of these links as many as can be used with one port: every rank sends over one and receives over one at most.
  /// Ranks that have the least look for a sender first, each among those that offer the most.
  std::vector<PartLink> matched(const std::vector<PartLink>& useful) const {
    std::vector<std::vector<PartLink>> into(ranks_);
    for (const PartLink& link : useful) into[link.to].push_back(link);
    std::vector<Rank> receivers(ranks_);
    std::iota(receivers.begin(), receivers.end(), Rank{0});
    std::ranges::stable_sort(receivers, {}, [&](Rank rank) { return std::pair(sizes_[rank], into[rank].size()); });
    std::vector<PartLink> of_sender(ranks_, PartLink{no_rank, no_rank});
    for (auto& links : into) std::ranges::stable_sort(links, std::ranges::greater{}, &PartLink::useful);
    std::vector<bool> tried(ranks_);
    const auto find_sender = [&](const auto& self, Rank receiver) -> bool {
      for (const PartLink& link : into[receiver]) {
        if (tried[link.from]) continue;
        tried[link.from] = true;
        if (of_sender[link.from].to != no_rank && !self(self, of_sender[link.from].to)) continue;
        of_sender[link.from] = link;
        return true;
      }
      return false;
    };
    for (const Rank receiver : receivers) {
      tried.assign(ranks_, false);
      find_sender(find_sender, receiver);
    }
    std::erase_if(of_sender, [](const PartLink& link) { return link.to == no_rank; });
    return of_sender;
  }

  static constexpr std::uint64_t most_work = std::uint64_t{1} << 27;  // words of sets of parts that are compared

  const MachineSpec& machine_;
  Rank ranks_;
  bool all_ports_;
  GossipMessage message_;
  std::vector<PartLink> links_;
  std::vector<PartSet> held_;  // by rank
  std::vector<Rank> holders_;  // by part
  std::vector<Rank> sizes_;    // parts that a rank holds
};

/// Calls visit(message) with the moves of every message of a step.
template <class Visit>
void for_messages(std::span<const PartMove> step, const Visit& visit) {
  while (!step.empty()) {
    const auto& [from, to, part] = step.front();
    const auto end = std::ranges::find_if(
        step, [&](const PartMove& move) { return std::pair(move.from, move.to) != std::pair(from, to); });
    const auto length = static_cast<std::size_t>(end - step.begin());
    visit(step.first(length));
    step = step.subspan(length);
  }
}

}  // namespace

void refuse_unplanned(std::string_view method, const MachineSpec& machine) {
  if (machine.processors <= most_planned) return;
  throw InputError(std::string(method) + " plans for at most " + std::to_string(most_planned) + " processors; " +
                   printable(machine.text) + " has " + std::to_string(machine.processors));
}

std::shared_ptr<const PartMoves> gossip(const MachineSpec& machine, const Model& model, GossipMessage message) {
  static method::KeptByMachine<PartMoves> kept;
  const bool all_ports = bfs::all_at_once(model);
  const std::uint64_t kind = (all_ports ? 1 : 0) + (message == GossipMessage::all ? 2 : 0);
  return kept.find(machine, kind, [&] { return Gossip(machine, all_ports, message).run(); });
}

PartMoves farthest_first(const MachineSpec& machine, const Model& model, Rank root) {
  const bfs::BalancedTree tree(machine, root);
  const bfs::Departures departures(tree, bfs::all_at_once(model));
  PartMoves moves(departures.steps());
  for (const Rank destination : departures.order()) {
    for (Rank at = destination; at != root; at = tree.parent(at)) {
      moves[departures.at(destination) + tree.depth(at) - 1].push_back({tree.parent(at), at, destination});
    }
  }
  return moves;
}

PartMoves reversed(const PartMoves& moves) {
  PartMoves back;
  for (const std::vector<PartMove>& step : moves | std::views::reverse) {
    std::vector<PartMove>& of_step = back.emplace_back();
    for (const PartMove& move : step) of_step.push_back({move.to, move.from, move.part});
  }
  return back;
}

PartSchedule schedule_of(const MachineSpec& machine, const PartMoves& moves, bool combines) {
  // A rank's k-th send and k-th receipt of a step are in lane k.
  struct Lane {
    Rank to = no_rank;
    std::vector<Rank> sent{};
    Rank from = no_rank;
    std::vector<Rank> received{};
  };
  using LanesOfStep = std::vector<Lane>;
  const Cycle steps = moves.size();
  auto lanes_of = std::make_shared<std::vector<LanesOfStep>>(machine.processors * steps);  // rank by rank
  for (Cycle step = 0; step < steps; ++step) {
    for_messages(moves[step], [&](std::span<const PartMove> message) {
      const auto& [from, to, part] = message.front();
      LanesOfStep& sender = (*lanes_of)[from * steps + step];
      auto free = std::ranges::find(sender, no_rank, &Lane::to);
      if (free == sender.end()) free = sender.insert(free, Lane{});
      free->to = to;
      LanesOfStep& receiver = (*lanes_of)[to * steps + step];
      auto empty = std::ranges::find(receiver, no_rank, &Lane::from);
      if (empty == receiver.end()) empty = receiver.insert(empty, Lane{});
      empty->from = from;
      for (const PartMove& move : message) {
        free->sent.push_back(move.part);
        empty->received.push_back(move.part);
      }
    });
  }
  std::size_t lanes = 1;
  for (const LanesOfStep& one : *lanes_of) lanes = std::max(lanes, one.size());
  return {steps,
          [lanes_of, steps, lanes, combines](Rank rank, Cycle number) -> PartStep {
            const LanesOfStep& of_step = (*lanes_of)[rank * steps + number / lanes];
            if (number % lanes >= of_step.size()) return {};
            const Lane& lane = of_step[number % lanes];
            return {
                .to = lane.to, .sent = lane.sent, .from = lane.from, .received = lane.received, .combines = combines};
          },
          lanes};
}

Wide add_moves(const PartMoves& moves, const Parts& parts, method::StepLengths& lengths) {
  Wide words = 0;
  for (const std::vector<PartMove>& step : moves) {
    std::uint64_t longest = 0;
    for_messages(step, [&](std::span<const PartMove> message) {
      std::uint64_t length = 0;
      for (const PartMove& move : message) length += parts.size(move.part);
      longest = std::max(longest, length);
      words += length;
    });
    lengths.add(1, longest);
  }
  return words;
}

Wide most_combined(const PartMoves& moves, const Parts& parts, Rank ranks) {
  Wide sum = 0;
  std::vector<std::uint64_t> combined(ranks);
  for (const std::vector<PartMove>& step : moves) {
    std::uint64_t most = 0;
    for (const PartMove& move : step) most = std::max(most, combined[move.to] += parts.size(move.part));
    for (const PartMove& move : step) combined[move.to] = 0;
    sum += most;
  }
  return sum;
}

std::vector<Wide> longest_messages(const PartMoves& moves) {
  std::vector<Wide> longest;
  for (const std::vector<PartMove>& step : moves) {
    Wide& most = longest.emplace_back();
    for_messages(step, [&](std::span<const PartMove> message) { most = std::max<Wide>(most, message.size()); });
  }
  return longest;
}

Wide count(const PartMoves& moves) {
  Wide messages = 0;
  for (const std::vector<PartMove>& step : moves) {
    for_messages(step, [&](std::span<const PartMove>) { ++messages; });
  }
  return messages;
}

Wide bytes_of_gossip(const MachineSpec& machine, const Model& model, GossipMessage message) {
  constexpr std::uint64_t of_move = 120;  // in two lists, forwards and backwards, and at both ends of a schedule
  constexpr std::uint64_t of_rank_and_step = 2 * sizeof(std::vector<Rank>);  // in a schedule there and one back
  const Wide processors = machine.processors;
  return processors * processors * of_move + processors * gossip(machine, model, message)->size() * of_rank_and_step;
}

}  // namespace lockstep::parts
