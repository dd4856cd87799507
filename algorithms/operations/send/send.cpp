#include "send.hpp"

#include <algorithm>
#include <chrono>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/labelled_block.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "plans/packets/relay.hpp"
#include "switched.hpp"

namespace lockstep::send {
namespace {

/// What every processor on the paths relays, by rank.
class RelaySchedule {
 public:
  RelaySchedule(const Topology& machine, const Model& model, Rank source, const std::vector<Path>& paths) {
    for (std::size_t part = 0; part < paths.size(); ++part) {
      packets::Relay relay;
      relay.interval = packet_interval(model, length(paths[part]));
      relay.part = part;
      relay.keeps = false;
      add(machine, source, relay, paths[part]);
    }
    std::stable_sort(stops_.begin(), stops_.end(), [](const Stop& a, const Stop& b) { return a.rank < b.rank; });
    for (Stop& stop : stops_) {
      ranks_.push_back(stop.rank);
      relays_.push_back(std::move(stop.relay));
    }
    stops_ = {};
  }

  std::span<const packets::Relay> of(Rank rank) const {
    const auto [first, last] = std::equal_range(ranks_.begin(), ranks_.end(), rank);
    return std::span(relays_).subspan(static_cast<std::size_t>(first - ranks_.begin()),
                                      static_cast<std::size_t>(last - first));
  }

  /// Bytes for paths of that many hops together.
  static Wide bytes(Wide hops) {
    return hops * (sizeof(Stop) + sizeof(packets::Relay) + sizeof(Rank) + 2 * sizeof(Port));
  }

 private:
  struct Stop {
    Rank rank;
    packets::Relay relay;
  };

  /// `relay` is the source's; the others' differ from it in ports, start and whether they keep the packets.
  void add(const Topology& machine, Rank source, packets::Relay relay, const Path& path) {
    Rank rank = source;
    for (const Leg& leg : path) {
      for (std::uint64_t hop = 0; hop < leg.hops; ++hop) {
        relay.to = {leg.port};
        stops_.push_back({rank, relay});
        const End next = machine.peer(rank, leg.port);
        rank = next.rank;
        relay.from = next.port;
        ++relay.start;
      }
    }
    relay.to.clear();
    relay.keeps = true;
    stops_.push_back({rank, relay});
  }

  std::vector<Stop> stops_;  // in the order of the paths, while they are walked
  std::vector<Rank> ranks_;
  std::vector<packets::Relay> relays_;
};

// Every part goes along its path in packets, one a step, or one in two steps where processors only send or only
// receive. Saad & Schultz 1988, (3.5) and the like (saad-schultz-1985.md, Pipelines).
Process send_along_paths(Processor<Block>& self, std::span<const packets::Relay> relays, const std::vector<Part>& parts,
                         Block& item) {
  co_await packets::relay(self, relays, parts, item);
  std::uint64_t passing = 0;  // a processor between the ends holds a packet per path
  for (const packets::Relay& one : relays) passing += parts[one.part].packets.longest();
  self.hold(item.size() > 0 ? item.size() : passing);
}

}  // namespace

void resolve_source(const MachineSpec& machine, Settings& settings) { source_parameter.resolve(machine, settings); }

void resolve_ends(const MachineSpec& machine, Settings& settings) {
  resolve_source(machine, settings);
  const Rank far = farthest(machine, source(settings));
  destination_parameter.resolve(machine, settings, far);
}

Rank source(const Settings& settings) { return static_cast<Rank>(*settings.source); }
Rank destination(const Settings& settings) { return static_cast<Rank>(*settings.destination); }

Prediction predict(const Model& model, const Routes& routes, method::Formulas formulas) {
  std::vector<Pipeline> pipelines;
  Wide messages = 0;
  Wide words = 0;
  bool alike = true;
  for (std::size_t part = 0; part < routes.paths.size(); ++part) {
    const Split& packets = routes.parts[part].packets;
    const std::uint64_t hops = length(routes.paths[part]);
    pipelines.push_back({hops, packets, 0, packet_interval(model, hops)});
    messages += Wide{pipelines.back().hops} * packets.pieces();
    words += Wide{pipelines.back().hops} * packets.words();
    alike = alike && packets.longer() == 0 && packets.shortest() == routes.parts.front().packets.shortest();
  }
  const StepCounts counts = count_steps(pipelines, model.cost);
  if (counts.steps == 0) formulas = {"0", "0", "0", "0"};
  Prediction prediction{.steps = Count{counts.steps, true, std::move(formulas.steps)},
                        .messages = exact_count(messages, std::move(formulas.messages)),
                        .words = exact_count(words, std::move(formulas.words)),
                        .longest_sum = Count{counts.longest_sum, true, std::move(formulas.longest_sum)},
                        .longest_startups = counts.startups};
  if (alike) prediction.message_words = routes.parts.front().packets.shortest();
  if (is_switched(model.cost)) return predict_switched(model.cost, pipelines, std::move(prediction));
  return prediction;
}

LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Rank from = source(settings);
  const Rank to = destination(settings);
  const std::uint64_t distance = length(shortest_path(machine, from, to));
  if (distance == 0) return {.steps = 0, .longest_sum = 0};
  const std::uint64_t links = model.ports == PortModel::all ? std::min(degree(machine, from), degree(machine, to)) : 1;
  return {.steps = distance, .longest_sum = std::max(distance, (*settings.words + links - 1) / links)};
}

// The item at its source and in the oracle, and once more on the way and at its destination.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings, const Routes& routes) {
  Wide hops = routes.paths.size();
  for (const Path& path : routes.paths) hops += length(path);
  const Wide items = Wide{machine.processors} * sizeof(Block) + Wide{3} * *settings.words * sizeof(Word);
  if (is_switched(model.cost)) {
    return saturated(machine_bytes<LabelledBlock>(machine, model) + items + bytes_switched(machine, routes));
  }
  return saturated(machine_bytes_scattered<Block>(machine, model, hops) + items + RelaySchedule::bytes(hops));
}

PerRank<Block> initial_items(const RunRequest& request) {
  const Rank from = source(request.settings);
  PerRank<Block> items(request);
  if (is_here(request.division, from))
    items[from] = generated_block(request.settings.seed, from, from, *request.settings.words);
  return items;
}

void verify(const RunRequest& request, const PerRank<Block>& items, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const Rank from = source(request.settings);
  const Rank to = destination(request.settings);
  const Block sent = generated_block(request.settings.seed, from, from, *request.settings.words);
  verify_items(
      request, start, items, sent.words(), [&](Rank rank) { return rank == from || rank == to; }, outcome);
  if (std::ranges::find(outcome.report.lost, to) != outcome.report.lost.end()) {
    blame(outcome, to, "rank " + std::to_string(to) + " has failed, for which the item was");
  }
}

Outcome run(const RunRequest& request, const Routes& routes) {
  if (is_switched(request.model.cost)) return run_switched(request, routes);
  PerRank<Block> items = initial_items(request);
  const RelaySchedule schedule(request.topology, request.model, source(request.settings), routes.paths);
  Outcome outcome;
  outcome.report = run_program<Block>(request, [&](Processor<Block>& self) {
    return send_along_paths(self, schedule.of(self.rank()), routes.parts, items[self.rank()]);
  });
  verify(request, items, outcome);
  return outcome;
}

}  // namespace lockstep::send
