#include <algorithm>
#include <bit>
#include <cmath>

#include "lockstep/machines/topologies.hpp"
#include "method/kept_by_machine.hpp"
#include "on_shortest_paths.hpp"
#include "parcels.hpp"
#include "shortest_paths.hpp"

namespace lockstep {
namespace {

using alltoall::ShortestPaths;

/// A set of numbers below a size with quick access to the least.
class LeastFirst {
 public:
  static constexpr Rank none = no_rank;

  explicit LeastFirst(Rank size) : words_((size + 63) / 64) {}
  void insert(Rank number) { words_[number / 64] |= bit(number); }
  void erase(Rank number) { words_[number / 64] &= ~bit(number); }
  Rank least() const {
    for (std::size_t index = 0; index < words_.size(); ++index) {
      if (words_[index] != 0) return static_cast<Rank>(64 * index) + static_cast<Rank>(std::countr_zero(words_[index]));
    }
    return none;
  }

 private:
  static std::uint64_t bit(Rank number) { return std::uint64_t{1} << (number % 64); }

  std::vector<std::uint64_t> words_;
};

/// Messages in queues by holder and destination, first come, first out.
class Queues {
 public:
  explicit Queues(Rank nodes)
      : nodes_(nodes), last_(std::size_t{nodes} * nodes, nobody), next_(std::size_t{nodes} * nodes, nobody) {}

  bool empty(Rank holder, Rank destination) const { return last(holder, destination) == nobody; }

  void push(Rank holder, Rank destination, Rank origin) {
    Rank& tail = last(holder, destination);
    Rank& after = next(origin, destination);
    if (tail == nobody) {
      after = origin;
    } else {
      after = next(tail, destination);
      next(tail, destination) = origin;
    }
    tail = origin;
  }

  /// Removes the first message of the queue and returns its origin.
  Rank pop(Rank holder, Rank destination) {
    Rank& tail = last(holder, destination);
    const Rank first = next(tail, destination);
    if (first == tail) {
      tail = nobody;
    } else {
      next(tail, destination) = next(first, destination);
    }
    return first;
  }

 private:
  static constexpr Rank nobody = no_rank;

  Rank& last(Rank holder, Rank destination) { return last_[std::size_t{holder} * nodes_ + destination]; }
  Rank last(Rank holder, Rank destination) const { return last_[std::size_t{holder} * nodes_ + destination]; }
  Rank& next(Rank origin, Rank destination) { return next_[std::size_t{origin} * nodes_ + destination]; }

  Rank nodes_;
  std::vector<Rank> last_;  // origin of the last message in the queue of a holder and destination
  std::vector<Rank> next_;  // origin of the message behind that of an origin and destination; of the last, the first
};

/// A link in one direction, with the destinations of messages that may cross it.
struct LinkLane {
  Rank from;
  Rank to;
  std::int64_t load;   // of both ends
  LeastFirst offered;  // places of the destinations in the sender's order
};

class Greedy {
 public:
  Greedy(const Topology& topology, bool all_ports)
      : all_ports_(all_ports),
        ways_(topology),
        nodes_(ways_.nodes()),
        queues_(nodes_),
        order_(nodes_),
        place_(nodes_),
        lanes_of_(nodes_) {
    const std::vector<double> loads = ways_.loads();
    // Sums of the same numbers in another order may differ in their last bits, which must not decide.
    const auto load = [&](Rank node) { return std::llround(std::ldexp(loads[node], 20)); };
    for (Rank node = 0; node < nodes_; ++node) {
      order_by_distance(node);
      for (const Rank neighbour : ways_.neighbours(node)) {
        lanes_.push_back({node, neighbour, load(node) + load(neighbour), LeastFirst(nodes_)});
      }
    }
    std::stable_sort(lanes_.begin(), lanes_.end(), [](const LinkLane& a, const LinkLane& b) {
      return a.load != b.load ? a.load > b.load : std::pair(a.from, a.to) < std::pair(b.from, b.to);
    });
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) lanes_of_[lanes_[lane].from].push_back(lane);
  }

  MoveSteps run() {
    for (Rank origin = 0; origin < nodes_; ++origin) {
      for (Rank destination = 0; destination < nodes_; ++destination) {
        if (origin != destination) put(origin, {0, origin, origin, destination});
      }
    }
    MoveSteps steps;
    for (std::uint64_t left = std::uint64_t{nodes_} * (nodes_ - 1); left > 0;) {
      steps.push_back(all_ports_ ? step_of_all_ports() : step_of_one_port());
      for (const Move& move : steps.back()) {
        if (move.to == move.destination) {
          --left;
        } else {
          put(move.to, move);
        }
      }
    }
    return steps;
  }

 private:
  /// The destinations of a node's messages, the farthest first; with all ports those of equal distance from its own
  /// number on, so that not all begin with one destination.
  void order_by_distance(Rank node) {
    std::vector<Rank>& order = order_[node];
    const Rank first = all_ports_ ? node : 0;
    for (Rank number = 0; number < nodes_; ++number) order.push_back((first + number) % nodes_);
    std::stable_sort(order.begin(), order.end(),
                     [&](Rank a, Rank b) { return ways_.distance(node, a) > ways_.distance(node, b); });
    place_[node].resize(nodes_);
    for (Rank place = 0; place < nodes_; ++place) place_[node][order[place]] = place;
  }

  void put(Rank holder, const Move& message) {
    if (queues_.empty(holder, message.destination)) offer(holder, message.destination, &LeastFirst::insert);
    queues_.push(holder, message.destination, message.origin);
  }

  Rank take(Rank holder, Rank destination) {
    const Rank origin = queues_.pop(holder, destination);
    if (queues_.empty(holder, destination)) offer(holder, destination, &LeastFirst::erase);
    return origin;
  }

  /// Adds the destination to the lanes that lead nearer to it, or removes it.
  void offer(Rank holder, Rank destination, void (LeastFirst::*change)(Rank)) {
    for (const std::size_t lane : lanes_of_[holder]) {
      if (ways_.distance(lanes_[lane].to, destination) >= ways_.distance(holder, destination)) continue;
      (lanes_[lane].offered.*change)(place_[holder][destination]);
    }
  }

  struct Offer {
    const LinkLane* lane;
    Rank destination;
    Rank distance;
  };

  /// Every link takes one of the messages that it brings nearer to their destinations, with the farthest to go.
  std::vector<Move> step_of_all_ports() {
    std::vector<Move> moves;
    for (const LinkLane& lane : lanes_) {
      const Rank place = lane.offered.least();
      if (place == LeastFirst::none) continue;
      const Rank destination = order_[lane.from][place];
      moves.push_back({lane.from, lane.to, take(lane.from, destination), destination});
    }
    return moves;
  }

  std::vector<Move> step_of_one_port() {
    std::vector<Move> moves;
    std::vector<bool> sends(nodes_);
    std::vector<bool> receives(nodes_);
    std::vector<Offer> offers;
    for (auto lane = lanes_.begin(); lane != lanes_.end();) {
      offers.clear();
      for (const std::int64_t load = lane->load; lane != lanes_.end() && lane->load == load; ++lane) {
        if (sends[lane->from] || receives[lane->to]) continue;
        const Rank place = lane->offered.least();
        if (place == LeastFirst::none) continue;
        const Rank destination = order_[lane->from][place];
        offers.push_back({&*lane, destination, ways_.distance(lane->from, destination)});
      }
      std::stable_sort(offers.begin(), offers.end(),
                       [](const Offer& a, const Offer& b) { return a.distance > b.distance; });
      for (const auto& [on, destination, distance] : offers) {
        if (sends[on->from] || receives[on->to]) continue;
        sends[on->from] = receives[on->to] = true;
        moves.push_back({on->from, on->to, take(on->from, destination), destination});
      }
    }
    std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.from < b.from; });
    return moves;
  }

  bool all_ports_;
  ShortestPaths ways_;
  Rank nodes_;
  Queues queues_;
  std::vector<std::vector<Rank>> order_;            // by node
  std::vector<std::vector<Rank>> place_;            // of a destination in the order of a node
  std::vector<LinkLane> lanes_;                     // the highest load first
  std::vector<std::vector<std::size_t>> lanes_of_;  // that leave a node
};

}  // namespace

MoveSteps greedy_steps(const Topology& topology, bool all_ports) { return Greedy(topology, all_ports).run(); }

namespace {

/// Bytes of the planner.
Wide planner_bytes(const MachineSpec& machine) {
  const Wide n = machine.processors;
  return n * n * (5 * sizeof(Rank)) + n * machine.ports * (n / 8 + sizeof(LinkLane));
}

/// The steps of the schedule, which is planned for it, and kept for the next prediction.
std::optional<std::uint64_t> planned_steps(const MachineSpec& machine, bool all_ports) {
  constexpr std::uint64_t most_planned = 256;
  if (machine.processors > most_planned) return {};
  static method::KeptByMachine<std::uint64_t> kept;
  return *kept.find(machine, all_ports ? 1 : 0,
                    [&] { return std::uint64_t{greedy_steps(build(machine), all_ports).size()}; });
}

Prediction predict_greedy(const MachineSpec& machine, const Model& model, const Settings& settings) {
  Prediction prediction = alltoall::predict_on_shortest_paths(machine, model, settings);
  if (const auto steps = planned_steps(machine, model.ports == PortModel::all)) {
    prediction.steps = exact_count(*steps, "as planned");
    prediction.longest_sum = exact_count(Wide{*steps} * *settings.words, "b a step");
    prediction.message_words = *settings.words;
  }
  return prediction;
}

std::uint64_t bytes_greedy(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(alltoall::bytes_to_follow(machine, model, settings, alltoall::most_moves(machine)) +
                   planner_bytes(machine));
}

Outcome run_greedy(const RunRequest& request) {
  return alltoall::follow_steps(request, greedy_steps(request.topology, request.model.ports == PortModel::all));
}

}  // namespace

// A listed schedule has every move twice.
Wide alltoall::parcels::bytes_of_greedy_schedule(const MachineSpec& factor) {
  return planner_bytes(factor) + most_moves(factor) * 2 * sizeof(Move);
}

extern const Method alltoall_greedy_method = alltoall::with_defaults({
    .name = "alltoall/greedy",
    .known_as = "total exchange",
    .families = written::linked_families(),
    .source = "after Dimakopoulos & Dimopoulos (dimakopoulos.md, Greedy)",
    .summary = "step by step as many messages as the ports let move on shortest paths, those through the busiest "
               "processors first",
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .combines = false,
    .predict = predict_greedy,
    .bytes = bytes_greedy,
    .run = run_greedy,
});

}  // namespace lockstep
