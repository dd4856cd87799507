#include "part_trees.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <ranges>
#include <utility>

#include "lockstep/machines/topologies.hpp"
#include "method/kept_by_machine.hpp"
#include "plans/bfs/timing.hpp"

namespace lockstep::scan {
namespace {

/// Joins runs of separate ranks, in any order.
std::vector<RankRun> joined_runs(std::vector<RankRun> runs) {
  std::ranges::sort(runs, {}, &RankRun::first);
  std::vector<RankRun> joined;
  for (const RankRun& run : runs) {
    if (!joined.empty() && joined.back().end() == run.first) {
      joined.back().count += run.count;
    } else {
      joined.push_back(run);
    }
  }
  return joined;
}

/// The neighbours of all ranks.
std::vector<std::vector<Rank>> neighbours_of(const MachineSpec& machine) {
  const Topology::Wiring end = wiring(machine);
  std::vector<std::vector<Rank>> neighbours(machine.processors);
  for (Rank rank = 0; rank < neighbours.size(); ++rank) {
    for (Port port = 0; port < machine.ports; ++port) {
      if (const End there = end(rank, port)) neighbours[rank].push_back(there.rank);
    }
  }
  return neighbours;
}

/// A breadth-first tree in which the parent of a rank is, of the neighbours that are nearer to the root, the one of the
/// nearest number, among two the lower: so that many subtrees are runs.
PartTree nearest_tree(const std::vector<std::vector<Rank>>& neighbours, Rank root) {
  const auto ranks = static_cast<Rank>(neighbours.size());
  std::vector<Rank> distances(ranks, no_rank);
  distances[root] = 0;
  std::vector<Rank> found{root};
  for (std::size_t index = 0; index < found.size(); ++index) {
    for (const Rank next : neighbours[found[index]]) {
      if (distances[next] != no_rank) continue;
      distances[next] = distances[found[index]] + 1;
      found.push_back(next);
    }
  }
  std::vector<Rank> parents(ranks, no_rank);
  for (Rank rank = 0; rank < ranks; ++rank) {
    for (const Rank other : neighbours[rank]) {
      if (rank == root || distances[other] + 1 != distances[rank]) continue;
      const auto away = [rank](Rank one) { return std::pair(one < rank ? rank - one : one - rank, one); };
      if (parents[rank] == no_rank || away(other) < away(parents[rank])) parents[rank] = other;
    }
  }
  return PartTree(std::move(parents));
}

/// The root of the ranks from `first` to before `end`, of which the lower half and the upper half have a tree each: one
/// of their two roots, by a bit of the part's number for every size of the halves. Sets the parents below.
Rank halve(Rank first, Rank end, Rank part, std::vector<Rank>& parents) {
  if (end - first == 1) return first;
  const Rank middle = first + (end - first + 1) / 2;
  const Rank lower = halve(first, middle, part, parents);
  const Rank upper = halve(middle, end, part, parents);
  const unsigned bit = static_cast<unsigned>(std::bit_width(end - first - 1)) - 1;
  const bool is_upper = (part >> bit & 1) != 0;
  parents[is_upper ? lower : upper] = is_upper ? upper : lower;
  return is_upper ? upper : lower;
}

PartTree halving_tree(Rank ranks, Rank part) {
  std::vector<Rank> parents(ranks, no_rank);
  halve(0, ranks, part, parents);
  return PartTree(std::move(parents));
}

/// The partners of all ranks where the machine is a hypercube by other names, such as a torus of sides of 4: halves of
/// the ranks, and halves of these, of which each rank of one has one neighbour in the other.
class LinkedHalves {
 public:
  explicit LinkedHalves(const std::vector<std::vector<Rank>>& neighbours) : neighbours_(neighbours) {
    const auto ranks = static_cast<Rank>(neighbours.size());
    exist_ = std::has_single_bit(ranks);
    for (Rank half = 1; exist_ && half < ranks; half *= 2) {
      for (Rank rank = 0; rank < ranks; ++rank) exist_ = exist_ && partner(rank, half) != no_rank;
    }
  }

  bool exist() const { return exist_; }
  PartTree tree(Rank root) const {
    std::vector<Rank> parents(neighbours_.size(), no_rank);
    std::vector<Rank> members{root};
    for (auto half = static_cast<Rank>(neighbours_.size() / 2); half > 0; half /= 2) {
      for (std::size_t index = members.size(); index-- > 0;) {
        members.push_back(partner(members[index], half));
        parents[members.back()] = members[index];
      }
    }
    return PartTree(std::move(parents));
  }

 private:
  /// The only neighbour in the other half of the 2 `half` ranks that the rank is one of; no_rank if there is not one.
  Rank partner(Rank rank, Rank half) const {
    Rank found = no_rank;
    for (const Rank other : neighbours_[rank]) {
      if (other / half != (rank / half ^ 1) || other == found) continue;
      if (found != no_rank) return no_rank;
      found = other;
    }
    return found;
  }

  const std::vector<std::vector<Rank>>& neighbours_;
  bool exist_ = true;
};

/// Sends step by step what is ready, the most urgent first: what has most links before it. With one port a rank sends
/// and receives one message a step at most.
class PartTreesPlanner {
 public:
  PartTreesPlanner(const std::vector<PartTree>& trees, bool all_ports, Rank most_results)
      : trees_(trees),
        ranks_(trees.front().nodes()),
        all_ports_(all_ports),
        most_results_(most_results),
        state_(trees.size() * ranks_) {}

  PartTreesPlan run() {
    for (Rank part = 0; part < trees_.size(); ++part) {
      for (Rank node = 0; node < ranks_; ++node) {
        state(part, node) = {trees_[part].senders(node), trees_[part].sent_down(node) == 0};
        if (state(part, node).senders == 0) has_results(part, node);
      }
    }
    while (!ready_.empty()) {
      std::vector<FlightsMove> moves = chosen();
      plan_.steps.push_back(moves);
      for (const FlightsMove& move : moves) {
        for (const PartFlight& flight : move.flights) arrive(flight);
      }
    }
    return std::move(plan_);
  }

 private:
  /// What a node still waits for.
  struct Waiting {
    Rank senders = 0;
    bool has_prefixes = false;
  };
  struct ReadyFlight {
    PartFlight flight;
    Rank urgency;
    Rank results;
  };
  /// A message that could be sent.
  struct Candidate {
    FlightsMove move;
    Rank urgency;
    Rank results;
  };

  Waiting& state(Rank part, Rank node) { return state_[std::size_t{part} * ranks_ + node]; }

  void add(Rank from, Rank to, const ReadyFlight& ready) {
    if (ready.results > 0) ready_[{from, to}].push_back(ready);
  }

  void has_results(Rank part, Rank node) {
    const PartTree& tree = trees_[part];
    if (node != tree.root()) {
      add(node, tree.parent(node),
          {{part, node, true}, tree.depth(node) + tree.height(tree.root()), tree.sent_up(node)});
    }
    if (state(part, node).has_prefixes) has_all(part, node);
  }

  void has_all(Rank part, Rank node) {
    const PartTree& tree = trees_[part];
    plan_.ready.push_back({plan_.steps.size(), part, node});
    for (const Rank child : tree.children(node)) {
      add(node, child, {{part, child, false}, tree.height(child) + 1, tree.sent_down(child)});
    }
  }

  void arrive(const PartFlight& flight) {
    if (flight.up) {
      const Rank parent = trees_[flight.part].parent(flight.node);
      if (--state(flight.part, parent).senders == 0) has_results(flight.part, parent);
    } else {
      state(flight.part, flight.node).has_prefixes = true;
      if (state(flight.part, flight.node).senders == 0) has_all(flight.part, flight.node);
    }
  }

  /// The messages of the next step, which are no longer ready then.
  std::vector<FlightsMove> chosen() {
    std::vector<Candidate> candidates;
    for (auto& [link, flights] : ready_) {
      std::ranges::stable_sort(flights, std::ranges::greater{}, &ReadyFlight::urgency);
      Candidate one{{link.first, link.second, {}}, flights.front().urgency, 0};
      for (const ReadyFlight& ready : flights) {
        if (one.results > 0 && one.results + ready.results > most_results_) continue;
        one.results += ready.results;
        one.move.flights.push_back(ready.flight);
      }
      candidates.push_back(std::move(one));
    }
    if (!all_ports_) {
      std::ranges::stable_sort(candidates, std::ranges::greater{},
                               [](const Candidate& one) { return std::pair(one.urgency, one.results); });
      std::vector<bool> sends(ranks_);
      std::vector<bool> receives(ranks_);
      std::erase_if(candidates, [&](const Candidate& one) {
        if (sends[one.move.from] || receives[one.move.to]) return true;
        sends[one.move.from] = receives[one.move.to] = true;
        return false;
      });
    }
    std::vector<FlightsMove> moves;
    plan_.most_results.push_back(std::ranges::max(candidates, {}, &Candidate::results).results);
    for (Candidate& one : candidates) {
      const auto link = ready_.find({one.move.from, one.move.to});
      std::erase_if(link->second, [&](const ReadyFlight& ready) {
        return std::ranges::any_of(one.move.flights, [&](const PartFlight& flight) {
          return flight.part == ready.flight.part && flight.node == ready.flight.node && flight.up == ready.flight.up;
        });
      });
      if (link->second.empty()) ready_.erase(link);
      moves.push_back(std::move(one.move));
    }
    return moves;
  }

  const std::vector<PartTree>& trees_;
  Rank ranks_;
  bool all_ports_;
  Rank most_results_;
  std::vector<Waiting> state_;
  std::map<std::pair<Rank, Rank>, std::vector<ReadyFlight>> ready_;  // by sender and receiver
  PartTreesPlan plan_;
};

PartTrees plan_trees(const MachineSpec& machine, const Model& model, Rank parts) {
  const auto ranks = static_cast<Rank>(machine.processors);
  PartTrees planned;
  if (halves_ranks(machine, model)) {
    for (Rank part = 0; part < parts; ++part) planned.trees.push_back(halving_tree(ranks, part));
  } else {
    const std::vector<std::vector<Rank>> neighbours = neighbours_of(machine);
    const LinkedHalves halves(neighbours);
    for (Rank part = 0; part < parts; ++part) {
      const auto root = static_cast<Rank>((2 * std::uint64_t{part} + 1) * ranks / (2 * std::uint64_t{parts}));
      planned.trees.push_back(halves.exist() ? halves.tree(root) : nearest_tree(neighbours, root));
    }
  }
  std::vector<Rank> limits{std::numeric_limits<Rank>::max()};
  // Other networks than a switch pass exchanges over one bit: of ranks that all send as much as they can in step.
  if (!machine.medium || machine.family == "switch") limits.insert(limits.begin(), {1, 2, 4});
  for (const Rank most_results : limits) {
    planned.plans.push_back(PartTreesPlanner(planned.trees, bfs::all_at_once(model), most_results).run());
  }
  return planned;
}

}  // namespace

PartTree::PartTree(std::vector<Rank> parents)
    : parents_(std::move(parents)),
      children_(parents_.size()),
      runs_(parents_.size()),
      depths_(parents_.size()),
      heights_(parents_.size()) {
  for (Rank node = 0; node < nodes(); ++node) {
    if (parents_[node] == no_rank) {
      root_ = node;
    } else {
      children_[parents_[node]].push_back(node);
    }
  }
  std::vector<Rank> members{root_};
  for (std::size_t index = 0; index < members.size(); ++index) {
    const Rank node = members[index];
    for (const Rank child : children_[node]) {
      depths_[child] = depths_[node] + 1;
      members.push_back(child);
    }
  }
  for (const Rank node : members | std::views::reverse) {
    std::vector<RankRun> runs{{node, 1}};
    for (const Rank child : children_[node]) {
      runs.insert(runs.end(), runs_[child].begin(), runs_[child].end());
      heights_[node] = std::max(heights_[node], heights_[child] + 1);
    }
    runs_[node] = joined_runs(std::move(runs));
  }
}

Rank PartTree::sent_up(Rank node) const {
  const std::vector<RankRun>& runs = runs_[node];
  return static_cast<Rank>(runs.size()) - (runs.back().end() == nodes() ? 1 : 0);
}

Rank PartTree::sent_down(Rank node) const {
  const std::vector<RankRun>& runs = runs_[node];
  return static_cast<Rank>(runs.size()) - (runs.front().first == 0 ? 1 : 0);
}

Rank PartTree::senders(Rank node) const {
  return static_cast<Rank>(std::ranges::count_if(children_[node], [&](Rank child) { return sent_up(child) > 0; }));
}

bool halves_ranks(const MachineSpec& machine, const Model& model) {
  return machine.medium || (machine.family == "complete" && !bfs::all_at_once(model));
}

std::shared_ptr<const std::vector<PartTrees>> part_trees(const MachineSpec& machine, const Model& model,
                                                         std::uint64_t most_parts) {
  static method::KeptByMachine<std::vector<PartTrees>> kept;
  const bool has_one_a_rank = most_parts >= machine.processors && !halves_ranks(machine, model);
  const auto first =
      static_cast<Rank>(has_one_a_rank ? machine.processors : std::bit_floor(std::min(most_parts, machine.processors)));
  return kept.find(machine, 2 * std::uint64_t{first} + (bfs::all_at_once(model) ? 1 : 0), [&] {
    std::vector<PartTrees> planned;
    for (Rank parts = first; parts > 0; parts /= 2) planned.push_back(plan_trees(machine, model, parts));
    return planned;
  });
}

}  // namespace lockstep::scan
