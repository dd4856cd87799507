#include "gossip.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "lockstep/machines/topologies.hpp"
#include "method/kept_by_machine.hpp"
#include "plans/bfs/timing.hpp"

namespace lockstep::parts {
namespace {

/// A set of parts.
class PartSet {
 public:
  explicit PartSet(Rank parts) : words_((parts + 63) / 64) {}

  friend bool operator==(const PartSet&, const PartSet&) = default;

  void insert(Rank part) { words_[part / 64] |= std::uint64_t{1} << (part % 64); }
  void erase(Rank part) { words_[part / 64] &= ~(std::uint64_t{1} << (part % 64)); }
  bool contains(Rank part) const { return (words_[part / 64] >> (part % 64) & 1) != 0; }

  void insert_all(const PartSet& other) {
    for (std::size_t index = 0; index < words_.size(); ++index) words_[index] |= other.words_[index];
  }

  /// The number of those that the other set lacks.
  Rank count_beyond(const PartSet& other) const {
    Rank count = 0;
    for (std::size_t index = 0; index < words_.size(); ++index) {
      count += static_cast<Rank>(std::popcount(words_[index] & ~other.words_[index]));
    }
    return count;
  }

  /// The first of those in the set `among` that the other set lacks.
  Rank first_beyond(const PartSet& other, const PartSet& among) const {
    for (std::size_t index = 0; index < words_.size(); ++index) {
      const std::uint64_t left = words_[index] & ~other.words_[index] & among.words_[index];
      if (left != 0) return static_cast<Rank>(64 * index) + static_cast<Rank>(std::countr_zero(left));
    }
    return no_rank;
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

/// Parts by the number of ranks that hold them.
class Rarity {
 public:
  /// Of `parts` parts, each held by one rank.
  explicit Rarity(Rank parts) : holders_(parts, 1), with_holders_(2, PartSet(parts)) {
    for (Rank part = 0; part < parts; ++part) with_holders_[1].insert(part);
    sizes_ = {0, parts};
  }

  void add_holder(Rank part) {
    const Rank before = holders_[part]++;
    with_holders_[before].erase(part);
    --sizes_[before];
    if (before + 1 == with_holders_.size()) {
      with_holders_.emplace_back(static_cast<Rank>(holders_.size()));
      sizes_.push_back(0);
    }
    with_holders_[before + 1].insert(part);
    ++sizes_[before + 1];
    while (sizes_[fewest_] == 0) ++fewest_;
  }

  /// The part of `held` beyond `known` with the fewest holders, of several the first.
  Rank rarest_beyond(const PartSet& held, const PartSet& known) const {
    for (std::size_t holders = fewest_; holders < sizes_.size(); ++holders) {
      if (sizes_[holders] == 0) continue;
      const Rank part = held.first_beyond(known, with_holders_[holders]);
      if (part != no_rank) return part;
    }
    return no_rank;
  }

 private:
  std::vector<Rank> holders_;          // by part
  std::vector<PartSet> with_holders_;  // by number of holders
  std::vector<Rank> sizes_;            // of these sets
  std::size_t fewest_ = 1;             // holders of a part
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
        rarity_(ranks_),
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
    const std::uint64_t most_steps = most_work / std::max<std::uint64_t>(work_of_step, 1);
    const bool is_known_too_long = !all_ports_ && message_ == GossipMessage::rarest && ranks_ - 1 > most_steps;
    while (std::ranges::any_of(sizes_, [&](Rank size) { return size < ranks_; })) {
      if (is_known_too_long || moves.size() > most_steps) {
        throw InputError("the plan for " + printable(machine_.text) + " is too long: more than " +
                         std::to_string(most_steps) + " steps over " + std::to_string(links_.size()) + " links");
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
    coming_ = held_;
    for (const PartLink& link : useful) {
      const Rank rarest = rarity_.rarest_beyond(held_[link.from], coming_[link.to]);
      if (rarest == no_rank) continue;
      coming_[link.to].insert(rarest);
      rarity_.add_holder(rarest);
      ++sizes_[link.to];
      moves.push_back({link.from, link.to, rarest});
    }
    held_.swap(coming_);
    return moves;
  }

  /// A receiver takes every part from the neighbour of those that have it that has sent the fewest in this step.
  std::vector<PartMove> moves_of_all(std::vector<PartLink> useful) {
    std::ranges::stable_sort(useful, {}, &PartLink::to);
    std::vector<PartMove> moves;
    coming_ = held_;
    for (auto first = useful.begin(); first != useful.end();) {
      const Rank receiver = first->to;
      const auto last = std::find_if(first, useful.end(), [&](const PartLink& link) { return link.to != receiver; });
      std::vector<std::vector<Rank>> carried(static_cast<std::size_t>(last - first));
      PartSet offered(ranks_);
      for (auto link = first; link != last; ++link) offered.insert_all(held_[link->from]);
      offered.for_all_beyond(held_[receiver], [&](Rank part) {
        std::vector<Rank>* least = nullptr;
        for (auto link = first; link != last; ++link) {
          std::vector<Rank>& of_link = carried[static_cast<std::size_t>(link - first)];
          if (!held_[link->from].contains(part)) continue;
          if (least == nullptr || of_link.size() < least->size()) least = &of_link;
        }
        least->push_back(part);
      });
      for (auto link = first; link != last; ++link) {
        for (const Rank part : carried[static_cast<std::size_t>(link - first)]) {
          coming_[receiver].insert(part);
          ++sizes_[receiver];
          moves.push_back({link->from, receiver, part});
        }
      }
      first = last;
    }
    held_.swap(coming_);
    return moves;
  }

  /// Of these links as many as can be used with one port: every rank sends over one and receives over one at most.
  /// Ranks that have the least look for a sender first, each among those that offer the most.
  std::vector<PartLink> matched(const std::vector<PartLink>& useful) {
    into_.resize(ranks_);
    for (auto& links : into_) links.clear();
    for (const PartLink& link : useful) into_[link.to].push_back(link);
    std::vector<Rank> receivers(ranks_);
    std::iota(receivers.begin(), receivers.end(), Rank{0});
    std::ranges::stable_sort(receivers, {}, [&](Rank rank) { return std::pair(sizes_[rank], into_[rank].size()); });
    std::vector<PartLink> of_sender(ranks_, PartLink{no_rank, no_rank});
    for (auto& links : into_) std::ranges::stable_sort(links, std::ranges::greater{}, &PartLink::useful);
    std::vector<bool> tried(ranks_);
    const auto find_sender = [&](const auto& self, Rank receiver) -> bool {
      for (const PartLink& link : into_[receiver]) {
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
  std::vector<PartSet> held_;                // by rank
  std::vector<PartSet> coming_;              // at the end of the step
  std::vector<std::vector<PartLink>> into_;  // every rank in a step with one port
  Rarity rarity_;
  std::vector<Rank> sizes_;  // parts that a rank holds
};

/// Gossips with one port in rounds. In a round all ranks send over their ports of one number, as far as they have it,
/// to different ranks: on a Cayley graph, along one generator. The order of the ports is searched, with the states of
/// most parts held kept after every round.
class PortRounds {
 public:
  explicit PortRounds(const MachineSpec& machine) : ranks_(static_cast<Rank>(machine.processors)) {
    if (machine.family == "complete") {
      add_doubling_shifts();
      return;
    }
    const Topology::Wiring end = wiring(machine);
    for (Port port = 0; port < machine.ports; ++port) {
      std::vector<Rank> senders(ranks_, no_rank);
      bool is_round = true;
      for (Rank rank = 0; rank < ranks_ && is_round; ++rank) {
        const End there = end(rank, port);
        if (!there) continue;
        is_round = senders[there.rank] == no_rank;
        senders[there.rank] = rank;
      }
      if (is_round) senders_.push_back(std::move(senders));
    }
  }

  /// The moves of the fewest rounds that are found; none if not all parts come to all ranks, or after too much work.
  PartMoves run() {
    const Wide all = Wide{ranks_} * ranks_;
    const Wide words_of_round = Wide{ranks_} * ((ranks_ + 63) / 64);
    std::vector<State> states(1);
    for (Rank rank = 0; rank < ranks_; ++rank) states[0].held.emplace_back(ranks_).insert(rank);
    states[0].parts = ranks_;
    Wide work = 0;
    while (states[0].parts < all) {
      work += words_of_round * states.size() * senders_.size();
      if (work > most_work) return {};
      std::vector<State> next = best_after_round(states);
      if (next.empty()) return {};
      states = std::move(next);
    }
    return moves_of(states[0].rounds);
  }

 private:
  struct State {
    std::vector<PartSet> held{};  // by rank
    std::vector<std::size_t> rounds{};
    Wide parts = 0;    // held by all ranks
    Wide longest = 0;  // messages of all rounds, in parts
  };

  struct Candidate {
    std::size_t state;
    std::size_t round;
    Wide parts;
    Wide longest;
  };

  /// On a complete graph ports do not stand for generators; these few are enough.
  void add_doubling_shifts() {
    for (Rank shift = 1; shift < ranks_; shift *= 2) {
      std::vector<Rank>& senders = senders_.emplace_back(ranks_);
      for (Rank rank = 0; rank < ranks_; ++rank) senders[rank] = shifted(rank, ranks_ - shift, ranks_);
    }
  }

  std::vector<State> best_after_round(const std::vector<State>& states) const {
    std::vector<Candidate> candidates;
    for (std::size_t state = 0; state < states.size(); ++state) {
      for (std::size_t round = 0; round < senders_.size(); ++round) {
        const Candidate candidate = gain(states, state, round);
        if (candidate.parts > states[state].parts) candidates.push_back(candidate);
      }
    }
    std::ranges::stable_sort(candidates, [](const Candidate& one, const Candidate& other) {
      return one.parts != other.parts ? one.parts > other.parts : one.longest < other.longest;
    });
    std::vector<State> best;
    for (const Candidate& candidate : candidates) {
      State state = after(states[candidate.state], candidate);
      if (std::ranges::find(best, state.held, &State::held) == best.end()) best.push_back(std::move(state));
      if (best.size() == most_states) break;
    }
    return best;
  }

  Candidate gain(const std::vector<State>& states, std::size_t state, std::size_t round) const {
    const std::vector<PartSet>& held = states[state].held;
    Candidate gained{state, round, states[state].parts, 0};
    for (Rank rank = 0; rank < ranks_; ++rank) {
      const Rank sender = senders_[round][rank];
      if (sender == no_rank) continue;
      const Wide parts = held[sender].count_beyond(held[rank]);
      gained.parts += parts;
      gained.longest = std::max(gained.longest, parts);
    }
    gained.longest += states[state].longest;
    return gained;
  }

  State after(const State& before, const Candidate& candidate) const {
    State state{before.held, before.rounds, candidate.parts, candidate.longest};
    state.rounds.push_back(candidate.round);
    for (Rank rank = 0; rank < ranks_; ++rank) {
      const Rank sender = senders_[candidate.round][rank];
      if (sender != no_rank) state.held[rank].insert_all(before.held[sender]);
    }
    return state;
  }

  PartMoves moves_of(const std::vector<std::size_t>& rounds) const {
    PartMoves moves;
    std::vector<PartSet> held;
    for (Rank rank = 0; rank < ranks_; ++rank) held.emplace_back(ranks_).insert(rank);
    for (const std::size_t round : rounds) {
      std::vector<PartMove>& of_round = moves.emplace_back();
      const std::vector<PartSet> before = held;
      for (Rank rank = 0; rank < ranks_; ++rank) {
        const Rank sender = senders_[round][rank];
        if (sender == no_rank) continue;
        before[sender].for_all_beyond(before[rank], [&](Rank part) { of_round.push_back({sender, rank, part}); });
        held[rank].insert_all(before[sender]);
      }
    }
    return moves;
  }

  static constexpr std::size_t most_states = 32;
  static constexpr Wide most_work = Wide{1} << 26;  // words of sets of parts that are compared

  Rank ranks_;
  std::vector<std::vector<Rank>> senders_;  // to each rank, by round
};

Wide sum_of_longest(const PartMoves& moves) {
  Wide sum = 0;
  for (const Wide longest : longest_messages(moves)) sum += longest;
  return sum;
}

/// On a complete graph with one port every part goes straight to all ranks, in step s to the one s farther on.
PartMoves shifts(Rank ranks) {
  PartMoves moves(ranks - 1);
  for (Rank shift = 1; shift < ranks; ++shift) {
    for (Rank rank = 0; rank < ranks; ++rank) moves[shift - 1].push_back({rank, shifted(rank, shift, ranks), rank});
  }
  return moves;
}

PartMoves shortest_gossip(const MachineSpec& machine, bool all_ports, GossipMessage message) {
  if (!all_ports && machine.family == "complete") {
    return message == GossipMessage::all ? PortRounds(machine).run() : shifts(static_cast<Rank>(machine.processors));
  }
  PartMoves moves = Gossip(machine, all_ports, message).run();
  if (all_ports || message == GossipMessage::rarest) return moves;
  // On long machines, such as rings, rounds are many, and no gain where the other plan takes the diameter.
  const std::uint64_t distance = bfs::middle(machine).distance;
  if (distance > doublings(machine.processors) && moves.size() <= distance) return moves;
  PartMoves in_rounds = PortRounds(machine).run();
  const auto cost = [](const PartMoves& plan) { return std::pair<Wide, Wide>(plan.size(), sum_of_longest(plan)); };
  return !in_rounds.empty() && cost(in_rounds) <= cost(moves) ? in_rounds : moves;
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
  return kept.find(machine, kind, [&] { return shortest_gossip(machine, all_ports, message); });
}

PartMoves scatter_before(const MachineSpec& machine, const Model& model, Rank root, GossipMessage message) {
  return message == GossipMessage::rarest ? farthest_first(machine, model, root) : down_tree(machine, model, root);
}

Wide bytes_of_gossip(const MachineSpec& machine, const Model& model, GossipMessage message) {
  constexpr std::uint64_t of_move = 120;  // in two lists, forwards and backwards, and at both ends of a schedule
  constexpr std::uint64_t of_rank_and_step = 2 * sizeof(std::vector<Rank>);  // in a schedule there and one back
  const Wide processors = machine.processors;
  const Wide moves = (message == GossipMessage::rarest ? 2 : 1) * processors * processors;  // each a message of its own
  return moves * of_move + processors * gossip(machine, model, message)->size() * of_rank_and_step;
}

}  // namespace lockstep::parts
