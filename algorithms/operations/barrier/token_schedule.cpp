#include "token_schedule.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>

#include "lockstep/algorithms/method.hpp"
#include "plans/tree/reduction_tree.hpp"

namespace lockstep::barrier {
namespace {

/// A token that could be sent from that cycle on.
struct Request {
  Cycle cycle;
  Rank sender;
  Rank token;

  friend bool operator>(const Request& a, const Request& b) {
    return std::tie(a.cycle, a.sender, a.token) > std::tie(b.cycle, b.sender, b.token);
  }
};

/// Which processors and links are taken in the current cycle. Cycles must not go back.
class Occupancy {
 public:
  Occupancy(const Topology& topology, const Model& model)
      : topology_(topology),
        model_(model),
        sent_(topology.processors()),
        received_(topology.processors()),
        link_used_(std::uint64_t{topology.processors()} * topology.ports()) {}

  /// Takes the link and both its ends if the model allows one message more there; else returns false.
  bool take(Cycle cycle, Rank sender, Port port) {
    const Mark mark{static_cast<std::uint32_t>(cycle) + 1, port};
    const End to = topology_.peer(sender, port);
    if (!allows(mark, sender, to)) return false;
    sent_[sender] = mark;
    received_[to.rank] = {mark.stamp, to.port};
    link_used_[slot(sender, port)] = mark.stamp;
    return true;
  }

 private:
  /// The last message of a processor: 1 + its cycle, or 0 for none, and the port.
  struct Mark {
    std::uint32_t stamp = 0;
    Port port = 0;
  };

  bool allows(const Mark& mark, Rank sender, End to) const {
    const auto now = [&](const Mark& other) { return other.stamp == mark.stamp; };
    if (link_used_[slot(sender, mark.port)] == mark.stamp) return false;
    if (model_.ports != PortModel::all && (now(sent_[sender]) || now(received_[to.rank]))) return false;
    if (model_.ports == PortModel::one_strict) {
      if (now(received_[sender]) && received_[sender].port != mark.port) return false;
      if (now(sent_[to.rank]) && sent_[to.rank].port != to.port) return false;
    }
    if (model_.duplex == Duplex::half_link) return link_used_[slot(to.rank, to.port)] != mark.stamp;
    if (model_.duplex == Duplex::half_node) return !now(received_[sender]) && !now(sent_[to.rank]);
    return true;
  }

  std::uint64_t slot(Rank rank, Port port) const { return std::uint64_t{rank} * topology_.ports() + port; }

  const Topology& topology_;
  const Model& model_;
  std::vector<Mark> sent_;
  std::vector<Mark> received_;
  std::vector<std::uint32_t> link_used_;
};

/// A move and the rank that makes it.
struct Planned {
  Rank rank;
  TokenMove move;
};

/// Plays the gathering once, event by event.
class Play {
 public:
  Play(const MachineSpec& machine, const Topology& topology, const Model& model, const std::vector<Cycle>& arrivals)
      : tree_(machine), topology_(topology), occupancy_(topology, model), arrivals_(arrivals) {
    const Rank ranks = topology.processors();
    missing_.reserve(ranks);
    hops_.resize(ranks);
    for (Rank rank = 0; rank < ranks; ++rank) {
      missing_.push_back(tree_.children(rank));
      if (missing_[rank] == 0) set_out(arrivals[rank], rank);
    }
    while (!requests_.empty()) {
      const Request request = requests_.top();
      requests_.pop();
      serve(request);
    }
  }

  const std::vector<Planned>& planned() const { return planned_; }
  Cycle complete() const { return complete_; }

 private:
  /// In that cycle the node has all its tokens.
  void set_out(Cycle cycle, Rank node) {
    cycle = std::max(cycle, arrivals_[node]);
    if (node == 0) {
      complete_ = cycle;
    } else {
      requests_.push({cycle, node, node});
    }
  }

  void serve(const Request& request) {
    const auto [cycle, sender, token] = request;
    const std::vector<Port> path = tree_.path(token);
    const Port port = path[hops_[token]];
    if (!occupancy_.take(cycle, sender, port)) return requests_.push({cycle + 1, sender, token});
    ++hops_[token];
    const bool ends = hops_[token] == path.size();
    const End to = topology_.peer(sender, port);
    schedule(sender, cycle, token, port, TokenMove::Action::send);
    schedule(to.rank, cycle + 1, token, to.port, ends ? TokenMove::Action::take_in : TokenMove::Action::keep);
    if (!ends) {
      requests_.push({cycle + 1, to.rank, token});
    } else if (--missing_[to.rank] == 0) {
      set_out(cycle + 1, to.rank);
    }
  }

  void schedule(Rank rank, Cycle cycle, Rank token, Port port, TokenMove::Action action) {
    planned_.push_back({rank, {static_cast<std::uint32_t>(cycle), token, static_cast<std::uint8_t>(port), action}});
  }

  tree::ReductionTree tree_;
  const Topology& topology_;
  Occupancy occupancy_;
  const std::vector<Cycle>& arrivals_;
  std::priority_queue<Request, std::vector<Request>, std::greater<>> requests_;
  std::vector<std::uint32_t> missing_;  // children whose tokens have not come, by node
  std::vector<std::uint8_t> hops_;      // links that a token has crossed
  std::vector<Planned> planned_;        // in the order of every rank: a receive is planned in the cycle before it
  Cycle complete_ = 0;
};

}  // namespace

TokenSchedule::TokenSchedule(const MachineSpec& machine, const Topology& topology, const Model& model,
                             const std::vector<Cycle>& arrivals)
    : first_move_(std::size_t{topology.processors()} + 1) {
  const Play play(machine, topology, model, arrivals);
  complete_ = play.complete();
  for (const Planned& one : play.planned()) ++first_move_[one.rank + 1];
  std::partial_sum(first_move_.begin(), first_move_.end(), first_move_.begin());
  moves_.resize(play.planned().size());
  std::vector<std::uint64_t> next(first_move_.begin(), first_move_.end() - 1);
  for (const Planned& one : play.planned()) moves_[next[one.rank]++] = one.move;
}

std::uint64_t TokenSchedule::bytes(const MachineSpec& machine) {
  // While a schedule is made: a request, children and hops, marks of sends and receives, and where moves begin, twice.
  constexpr std::uint64_t of_rank = sizeof(Request) + 4 + 1 + 2 * 8 + 2 * 8;
  const std::uint64_t growing = 2;  // a list of moves that grows has room for twice as many
  const std::uint64_t moves = 2 * tree::ReductionTree(machine).messages();
  return machine.processors * (of_rank + 4 * machine.ports) + moves * (sizeof(TokenMove) + growing * sizeof(Planned));
}

}  // namespace lockstep::barrier
