#include "switched.hpp"

#include <algorithm>

#include "lockstep/algorithms/labelled_block.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/routing.hpp"
#include "lockstep/machines/topologies.hpp"
#include "plans/packets/relay.hpp"
#include "plans/routes/follow_routes.hpp"

namespace lockstep::send {
namespace {

using routes::HeldPackets;

/// From step `from` to before step `until` something costs `cost` per step.
struct CostSpan {
  std::uint64_t from;
  std::uint64_t until;
  double cost;
};

// Packet p crosses hop h in step p + h, with its start-ups where h is 0. Of the packets besides the one that starts,
// the earliest costs most, as the lengths fall once.
void add_spans(const Pipeline& pipeline, const CostModel& cost, std::vector<CostSpan>& spans) {
  const std::uint64_t hops = pipeline.hops;
  const Split& packets = pipeline.packets;
  if (hops == 0) return;
  const auto add = [&](std::uint64_t first, std::uint64_t until, std::uint64_t words, bool begins) {
    if (first < until) spans.push_back({first, until, cost.time(begins ? cost.startups(words) : 0, words)});
  };
  add(0, packets.longer(), packets.longest(), true);
  add(packets.longer(), packets.pieces(), packets.shortest(), true);
  if (hops == 1) return;
  const std::uint64_t fall = packets.longer() == 0 ? 1 : hops - 1 + packets.longer();
  add(1, fall, packets.longest(), false);
  add(fall, hops - 1 + packets.pieces(), packets.shortest(), false);
}

double sum_of_dearest(const std::vector<CostSpan>& spans) {
  std::vector<std::uint64_t> turns;
  for (const CostSpan& span : spans) turns.insert(turns.end(), {span.from, span.until});
  std::sort(turns.begin(), turns.end());
  double sum = 0;
  for (std::size_t index = 1; index < turns.size(); ++index) {
    double dearest = 0;
    for (const CostSpan& span : spans) {
      if (span.from <= turns[index - 1] && turns[index - 1] < span.until) dearest = std::max(dearest, span.cost);
    }
    sum += static_cast<double>(turns[index] - turns[index - 1]) * dearest;
  }
  return sum;
}

/// The packet and the hop that it crosses in a step of a pipeline, if packets keep the links behind them.
struct PipelinePlace {
  std::uint64_t packet;
  Journey journey;
};
PipelinePlace place(const Pipeline& pipeline, std::uint64_t step) {
  const auto hop = static_cast<std::uint32_t>(step % pipeline.hops);
  return {step / pipeline.hops, {hop, static_cast<std::uint32_t>(pipeline.hops) - hop}};
}

/// Packets that keep the links behind them follow each other whole.
SwitchedCounts count_through(std::span<const Pipeline> pipelines, const CostModel& cost) {
  SwitchedCounts counts;
  const auto steps_of = [](const Pipeline& pipeline) { return pipeline.hops * pipeline.packets.pieces(); };
  for (const Pipeline& pipeline : pipelines) counts.steps = std::max(counts.steps, steps_of(pipeline));
  for (std::uint64_t step = 0; step < counts.steps; ++step) {
    std::uint64_t longest = 0;
    double dearest = 0;
    for (const Pipeline& pipeline : pipelines) {
      if (step >= steps_of(pipeline)) continue;
      const auto [packet, journey] = place(pipeline, step);
      const std::uint64_t words = pipeline.packets.size(packet);
      const std::uint64_t startups = journey.hops_made == 0 ? cost.startups(words) : 0;
      longest = std::max(longest, words);
      dearest = std::max(dearest, cost.passage(startups, words, journey).arrival);
    }
    counts.longest_sum += longest;
    counts.time += dearest;
  }
  return counts;
}

/// Start-ups of all packets, each paid once; none without hops.
std::uint64_t startups_of(const Pipeline& pipeline, const CostModel& cost) {
  const Split& packets = pipeline.packets;
  if (pipeline.hops == 0) return 0;
  return packets.longer() * cost.startups(packets.longest()) +
         (packets.pieces() - packets.longer()) * cost.startups(packets.shortest());
}

/// When the last packet of a single path has arrived (mukherjee.md, Switching).
ModelledTime arrival_through(const Pipeline& pipeline, const CostModel& cost) {
  const std::uint64_t hops = pipeline.hops;
  const Split& packets = pipeline.packets;
  if (hops == 0) return {0, "0"};
  const bool is_circuit = cost.switching == Switching::circuit;
  const std::uint64_t headers = is_circuit ? packets.pieces() * hops : packets.pieces() + hops - 1;
  return {cost.time(startups_of(pipeline, cost), packets.words()) + static_cast<double>(headers) * cost.hop_cost,
          is_circuit ? "start-ups + nu d hop + N tau" : "start-ups + (nu + d - 1) hop + N tau"};
}

std::vector<Port> ports_of_switched(const Path& path) {
  std::vector<Port> ports;
  for (const Leg& leg : path) ports.insert(ports.end(), leg.hops, leg.port);
  return ports;
}

/// A packet of a part, identified by its number in that part.
struct Packet {
  std::size_t part;
  std::uint64_t number;
};

std::vector<Packet> packets_of(const Routes& routes) {
  std::vector<Packet> all;
  for (std::size_t part = 0; part < routes.paths.size(); ++part) {
    for (std::uint64_t number = 0; number < routes.parts[part].packets.pieces(); ++number) {
      all.push_back({part, number});
    }
  }
  return all;
}

Process send_switched(Processor<LabelledBlock>& self, const RouteSchedule& schedule,
                      routes::HeldPackets<LabelledBlock>& held) {
  self.hold(held.words_held());
  const auto is_packet = [](std::uint32_t number, const LabelledBlock& packet) { return packet.number == number; };
  co_await routes::follow_routes(self, schedule, self.rank(), 0, 0, is_packet, held);
}

}  // namespace

SwitchedCounts count_switched(std::span<const Pipeline> pipelines, const CostModel& cost) {
  if (cost.switching != Switching::store_and_forward) return count_through(pipelines, cost);
  const StepCounts counts = count_steps(pipelines, cost);
  return {counts.steps, counts.longest_sum, pipeline_time(pipelines, cost)};
}

double pipeline_time(std::span<const Pipeline> pipelines, const CostModel& cost) {
  if (!is_switched(cost)) return count_steps(pipelines, cost).time(cost);
  if (cost.switching != Switching::store_and_forward) return count_through(pipelines, cost).time;
  std::vector<CostSpan> spans;
  for (const Pipeline& pipeline : pipelines) add_spans(pipeline, cost, spans);
  return sum_of_dearest(spans);
}

Prediction predict_switched(const CostModel& cost, std::span<const Pipeline> pipelines, Prediction counts) {
  const SwitchedCounts switched = count_switched(pipelines, cost);
  const bool is_through = cost.switching != Switching::store_and_forward;
  counts.steps =
      Count{switched.steps, true, is_through ? "the most packets times hops of a path" : counts.steps->formula};
  counts.longest_sum = Count{switched.longest_sum, true, counts.longest_sum->formula};
  counts.message_words.reset();
  counts.longest_startups.reset();
  Wide startups = 0;
  for (const Pipeline& pipeline : pipelines) startups += startups_of(pipeline, cost);
  counts.startups = exact_count(startups, "those of every packet, once");
  counts.synchronous = ModelledTime{switched.time, "sum over the steps of the dearest hop"};
  if (is_through && pipelines.size() == 1) counts.asynchronous = arrival_through(pipelines.front(), cost);
  return counts;
}

Wide bytes_switched(const MachineSpec& machine, const Routes& routes) {
  Wide packets = 0;
  Wide messages = 0;
  for (std::size_t part = 0; part < routes.paths.size(); ++part) {
    packets += routes.parts[part].packets.pieces();
    messages += Wide{routes.parts[part].packets.pieces()} * length(routes.paths[part]);
  }
  const RoutedMachine size{.processors = static_cast<Rank>(machine.processors),
                           .ports = static_cast<Port>(machine.ports),
                           .wiring = {},
                           .path = {}};
  return RouteSchedule::bytes(size, packets, messages) +
         packets * (sizeof(Packet) + routes::HeldPackets<LabelledBlock>::bytes_of_packet() + sizeof(LabelledBlock)) +
         machine.processors * routes::HeldPackets<LabelledBlock>::bytes_of_processor();
}

Outcome run_switched(const RunRequest& request, const Routes& routes) {
  const Rank from = source(request.settings);
  const Rank to = destination(request.settings);
  const std::vector<Packet> packets = packets_of(routes);
  const RoutedMachine machine{.processors = request.topology.processors(),
                              .ports = request.topology.ports(),
                              .wiring = wiring(request.machine),
                              .path = {}};
  const RouteSchedule schedule(
      machine, std::vector<RouteRequest>(packets.size(), {from, to}),
      [&](std::uint32_t packet) { return ports_of_switched(routes.paths[packets[packet].part]); }, request.model.ports,
      request.model.cost.switching);
  PerRank<Block> items = initial_items(request);
  PerRank<routes::HeldPackets<LabelledBlock>> held(request);
  for (std::uint32_t number = 0; number < packets.size() && is_here(request.division, from); ++number) {
    const auto& [part, packet] = packets[number];
    LabelledBlock labelled{.block = packets::cut(items[from], routes.parts[part], packet), .number = number};
    held[from].put(number, {.payload = std::move(labelled), .port = 0, .arrival = 0});
  }
  Outcome outcome;
  outcome.report = run_program<LabelledBlock>(
      request, [&](Processor<LabelledBlock>& self) { return send_switched(self, schedule, held[self.rank()]); });
  for_all_ranks(request, [&](Rank rank) {
    for (std::uint32_t number = 0; number < packets.size() && held[rank].size() > 0; ++number) {
      const LabelledBlock* packet = held[rank].find(number);
      if (packet == nullptr) continue;
      if (items[rank].size() == 0) items[rank] = Block(*request.settings.words);
      packets::put(items[rank], routes.parts[packets[number].part], packets[number].number, packet->block);
    }
  });
  verify(request, items, outcome);
  return outcome;
}

}  // namespace lockstep::send
