#include <algorithm>
#include <limits>
#include <random>

#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/algorithms/schedule_search.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "on_shortest_paths.hpp"
#include "parcels.hpp"
#include "shortest_paths.hpp"

namespace lockstep {
namespace {

using alltoall::ShortestPaths;
using Index = std::uint32_t;  // of a message

constexpr Index nobody = std::numeric_limits<Index>::max();

struct SearchHop {
  std::uint64_t step;
  Rank from;
  Rank to;
};

struct Exchanged {
  Rank origin;
  Rank destination;
  std::int64_t priority = 1;
  std::vector<SearchHop> path{};  // in the timetable; empty while the message is not in it
};

// A timetable of a number of steps, into which messages are put one by one, each on the cheapest path through places
// and steps. A path may need ports that other messages have booked: it costs their priorities, and they are taken off
// the timetable and put into it again, the last taken off first. A message gains priority whenever it is put in, so
// that those that are hard to place hold their places in the end. (The idea is that of negotiated routing of circuits,
// PathFinder, and of ejection chains.)
class Timetable {
 public:
  Timetable(const Topology& topology, const MoveSteps& start, std::uint64_t seed)
      : ways_(topology), nodes_(ways_.nodes()), random_(seed) {
    std::vector<Index> index(std::size_t{nodes_} * nodes_, nobody);
    for (Rank origin = 0; origin < nodes_; ++origin) {
      for (Rank destination = 0; destination < nodes_; ++destination) {
        if (origin == destination) continue;
        index[std::size_t{origin} * nodes_ + destination] = static_cast<Index>(messages_.size());
        messages_.push_back({origin, destination});
      }
    }
    for (std::size_t step = 0; step < start.size(); ++step) {
      for (const Move& move : start[step]) {
        const Index message = index[std::size_t{move.origin} * nodes_ + move.destination];
        messages_[message].path.push_back({step, move.from, move.to});
      }
    }
  }

  /// Puts all messages into that many steps, beginning with the present paths that fit. Returns false if it takes more
  /// than `tries` paths, or if may_go_on() returns false.
  template <class MayGoOn>
  bool fit(std::uint64_t steps, std::uint64_t tries, const MayGoOn& may_go_on) {
    steps_ = steps;
    senders_.assign(steps * nodes_, nobody);
    receivers_.assign(steps * nodes_, nobody);
    off_.clear();
    for (Index message = 0; message < messages_.size(); ++message) {
      auto& [origin, destination, priority, path] = messages_[message];
      priority = 1;
      if (!path.empty() && path.back().step < steps) {
        book(message);
      } else {
        path.clear();
        off_.push_back(message);
      }
    }
    std::stable_sort(off_.begin(), off_.end(), [&](Index a, Index b) { return distance(a) < distance(b); });
    for (std::uint64_t tried = 0; !off_.empty(); ++tried) {
      if (tried == tries || !may_go_on()) return false;
      const Index message = off_.back();
      off_.pop_back();
      put_in(message);
      ++ways_tried_;
    }
    return true;
  }

  MoveSteps steps() const {
    MoveSteps steps;
    for (const Exchanged& message : messages_) {
      for (const SearchHop& hop : message.path) {
        if (hop.step >= steps.size()) steps.resize(hop.step + 1);
        steps[hop.step].push_back({hop.from, hop.to, message.origin, message.destination});
      }
    }
    for (auto& moves : steps) {
      std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.from < b.from; });
    }
    // A step in which nothing moves can be left out.
    std::erase_if(steps, [](const std::vector<Move>& moves) { return moves.empty(); });
    return steps;
  }

  std::uint64_t ways_tried() const { return ways_tried_; }

 private:
  Rank distance(Index message) const {
    return ways_.distance(messages_[message].origin, messages_[message].destination);
  }
  std::size_t slot(std::uint64_t step, Rank node) const { return step * nodes_ + node; }

  void book(Index message) { occupy(message, message); }

  void occupy(Index message, Index by) {
    for (const SearchHop& hop : messages_[message].path) {
      senders_[slot(hop.step, hop.from)] = by;
      receivers_[slot(hop.step, hop.to)] = by;
    }
  }

  void take_off(Index message) {
    if (message == nobody) return;
    occupy(message, nobody);
    messages_[message].path.clear();
    off_.push_back(message);
  }

  void put_in(Index message) {
    std::vector<SearchHop> path = cheapest_path(messages_[message]);
    for (const SearchHop& hop : path) {
      take_off(senders_[slot(hop.step, hop.from)]);
      take_off(receivers_[slot(hop.step, hop.to)]);
    }
    messages_[message].path = std::move(path);
    book(message);
    ++messages_[message].priority;
  }

  std::int64_t cost_of(Index in_the_way) const {
    constexpr std::int64_t clash = 256;  // far more than the differences between free paths
    return in_the_way == nobody ? 0 : clash * messages_[in_the_way].priority;
  }

  /// Finds step by step the least cost of being at each node when the step begins.
  std::vector<SearchHop> cheapest_path(const Exchanged& message) {
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    costs_.assign((steps_ + 1) * nodes_, never);
    before_.resize(costs_.size());
    costs_[slot(0, message.origin)] = 0;
    const auto reach = [this](std::size_t place, std::int64_t cost, Rank from) {
      if (cost >= costs_[place]) return;
      costs_[place] = cost;
      before_[place] = from;
    };
    for (std::uint64_t step = 0; step < steps_; ++step) {
      for (Rank node = 0; node < nodes_; ++node) {
        const std::int64_t cost = costs_[slot(step, node)];
        if (cost == never) continue;
        reach(slot(step + 1, node), cost, node);
        const Rank left = ways_.distance(node, message.destination);
        if (left == 0 || step + left > steps_) continue;
        const Index sender = senders_[slot(step, node)];
        for (const Rank next : ways_.neighbours(node)) {
          if (ways_.distance(next, message.destination) >= left) continue;
          const Index receiver = receivers_[slot(step, next)];
          const std::int64_t clashes = cost_of(sender) + (receiver == sender ? 0 : cost_of(receiver));
          reach(slot(step + 1, next), cost + clashes + static_cast<std::int64_t>(random_() % 8), node);
        }
      }
    }
    std::vector<SearchHop> path;
    Rank node = message.destination;
    for (std::uint64_t step = steps_; step > 0; --step) {
      const Rank from = before_[slot(step, node)];
      if (from != node) path.push_back({step - 1, from, node});
      node = from;
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  ShortestPaths ways_;
  Rank nodes_;
  std::mt19937_64 random_;
  std::vector<Exchanged> messages_;
  std::uint64_t ways_tried_ = 0;

  std::uint64_t steps_ = 0;
  std::vector<Index> senders_;    // the message that books a node's sending, by step and node
  std::vector<Index> receivers_;  // the one that books its receiving
  std::vector<Index> off_;        // taken off the timetable; the last is put in next
  std::vector<std::int64_t> costs_;
  std::vector<Rank> before_;  // the node of the cheapest path to a place one step before
};

}  // namespace

void pack(const FoundSchedule& found, ByteWriter& to) {
  to.put(std::uint64_t{found.steps.size()});
  for (const std::vector<Move>& moves : found.steps) {
    to.put(std::uint64_t{moves.size()});
    to.put_all(std::span(moves));
  }
  to.put(found.ways_tried);
  to.put(std::uint8_t{found.out_of_time});
}

FoundSchedule unpack(ByteReader& from, std::type_identity<FoundSchedule>) {
  FoundSchedule found{.steps = MoveSteps(from.get_count(sizeof(std::uint64_t)))};
  for (std::vector<Move>& moves : found.steps) {
    moves.resize(from.get_count(sizeof(Move)));
    from.get_all(std::span(moves));
  }
  found.ways_tried = from.get<std::uint64_t>();
  found.out_of_time = from.get<std::uint8_t>() != 0;  // any byte may come, and not every byte is a bool
  return found;
}

FoundSchedule search_steps(const Topology& topology, std::uint64_t lower_bound, std::uint64_t seed,
                           const SearchLimits& limits) {
  const auto end = std::chrono::steady_clock::now() + limits.time;
  FoundSchedule found{.steps = greedy_steps(topology)};
  if (found.steps.size() <= lower_bound) return found;
  Timetable timetable(topology, found.steps, seed);
  const auto may_go_on = [&] {
    found.out_of_time = std::chrono::steady_clock::now() >= end || (limits.stop != nullptr && *limits.stop);
    return !found.out_of_time;
  };
  while (found.steps.size() > lower_bound && timetable.fit(found.steps.size() - 1, limits.tries, may_go_on)) {
    found.steps = timetable.steps();
  }
  found.ways_tried = timetable.ways_tried();
  return found;
}

namespace {

constexpr NumberParameter tries_parameter{{"tries", "ways that are tried before a length is given up", "100000"},
                                          &Settings::tries,
                                          {.otherwise = SearchLimits{}.tries}};
constexpr NumberParameter time_limit_parameter{
    {"time-limit", "seconds after which the best found so far is taken", "10"},
    &Settings::time_limit,
    {.most = 86'400, .otherwise = static_cast<std::uint64_t>(SearchLimits{}.time.count())}};

void resolve(const MachineSpec& machine, const Model& model, Settings& settings) {
  alltoall::resolve(machine, model, settings);
  tries_parameter.resolve(settings);
  time_limit_parameter.resolve(settings);
}

// The timetable has a place for every node and step. The greedy schedule that it begins with has had less than twice as
// many steps as the bound on all machines tried; this allows for three times as many.
std::uint64_t bytes_search(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide moves = alltoall::most_moves(machine);
  const Wide steps = Wide{3} * facts(machine).total_exchange_bound.value_or(machine.processors * machine.processors);
  constexpr std::uint64_t place = 3 * sizeof(Index) + sizeof(std::int64_t);
  return saturated(alltoall::bytes_to_follow(machine, model, settings, 2 * moves) + moves * sizeof(SearchHop) +
                   alltoall::parcels::bytes_of_greedy_schedule(machine) + steps * machine.processors * place);
}

Outcome run_search(const RunRequest& request) {
  const Model one_port;
  const LowerBound bound = lower_bound(
      Problem{.collective = Collective::alltoall, .machine = request.machine, .model = one_port, .combines = false});
  // Several processes would find different schedules where a search ends by the clock: one of them searches for all.
  const FoundSchedule found = of_rank(request, 0, [&] {
    return search_steps(request.topology, bound.steps.value_or(0), request.settings.seed,
                        {.tries = *request.settings.tries, .time = std::chrono::seconds(*request.settings.time_limit)});
  });
  validate(Schedule{request.topology.processors(), found.steps}, request.topology, {});
  Outcome outcome = alltoall::follow_steps(request, found.steps);
  outcome.measures = {{"ways_tried", found.ways_tried}, {"out_of_time", found.out_of_time ? 1U : 0U}};
  return outcome;
}

}  // namespace

extern const Method alltoall_search_method = alltoall::with_defaults({
    .name = "alltoall/search",
    .known_as = "total exchange",
    .families = written::linked_families(),
    .source = "Lockstep's own, beyond Dimakopoulos & Dimopoulos (dimakopoulos.md, Search)",
    .summary = "a seeded search for a schedule of few steps, from the greedy one down, until it gets no shorter",
    .parameters = {alltoall::words_parameter, tries_parameter, time_limit_parameter},
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .combines = false,
    .resolve = resolve,
    .predict = alltoall::predict_on_shortest_paths,
    .bytes = bytes_search,
    .run = run_search,
});

}  // namespace lockstep
