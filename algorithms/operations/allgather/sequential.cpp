
#include <limits>
#include <map>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/grid.hpp"
#include "operations/broadcast/axis.hpp"
#include "operations/broadcast/sbt_pipelined.hpp"

namespace lockstep {
namespace allgather {
namespace {

bool is_cube(const MachineSpec& machine) { return machine.family == "hypercube"; }

/// Links that the last packet of each broadcast has to cross, summed over all broadcasts: on a cube as many as there
/// are dimensions, on a grid as many as lead to the farthest processor, which depends on the root if lines are not
/// closed.
Wide sum_of_depths(const MachineSpec& machine) {
  const Wide k = machine.processors;
  if (is_cube(machine)) return k * machine.ports;
  const Grid grid(machine);
  Wide sum = 0;
  for (const GridAxis& line : grid.axes()) {
    const Wide a = line.side();
    sum += k / a * (line.is_ring() ? a * (a / 2) : (a * (a - 1) + a * a / 2) / 2);
  }
  return sum;
}

/// One of the broadcasts, over at most that many links.
StepCounts count_broadcast(const Model& model, std::uint64_t depth, const Split& packets) {
  return count_steps({depth, packets, 0, packet_interval(model, depth)}, model.cost);
}

/// Counts of all broadcasts together, and the mean time of one.
struct Broadcasts {
  Wide steps;
  Wide longest_sum;
  Wide startups;
  double mean_time;
};

/// The number of broadcasts of each depth.
std::map<std::uint64_t, Wide> depths_of(const MachineSpec& machine, const Model& model) {
  const Wide k = machine.processors;
  if (is_cube(machine)) return {{machine.ports, k}};
  std::map<std::uint64_t, Wide> depths;
  if (model.duplex == Duplex::half_node) {
    const Grid grid(machine);
    for (Rank root = 0; root < grid.processors(); ++root) ++depths[grid.eccentricity(root)];
    return depths;
  }
  // The counts of a broadcast grow evenly with its depth, which is at least 1; so the sums are those of some broadcasts
  // of the mean depth, rounded down, and the others one deeper.
  const Wide sum = sum_of_depths(machine);
  depths[static_cast<std::uint64_t>(sum / k)] = k - sum % k;
  if (sum % k > 0) depths[static_cast<std::uint64_t>(sum / k) + 1] = sum % k;
  return depths;
}

Broadcasts count_broadcasts(const MachineSpec& machine, const Model& model, const Split& packets) {
  Broadcasts all{};
  for (const auto& [depth, roots] : depths_of(machine, model)) {
    const StepCounts one = count_broadcast(model, depth, packets);
    all.steps += roots * one.steps;
    all.longest_sum += roots * one.longest_sum;
    all.startups += roots * one.startups;
    all.mean_time += static_cast<double>(roots) / static_cast<double>(machine.processors) * one.time(model.cost);
  }
  return all;
}

constexpr PacketsWordsParameter words_in_packets{words_parameter};
constexpr PacketsParameter packets_parameter{"packets of every block, each a word or more"};

void resolve_sequential(const MachineSpec& machine, const Model& model, Settings& settings) {
  words_in_packets.resolve(settings, 1);
  packets_parameter.resolve(settings, 1, [&](std::uint64_t packets) {
    return count_broadcasts(machine, model, Split(*settings.words, packets)).mean_time;
  });
}

// Every processor's block by a pipelined broadcast of its own, one after the other, roots 0 to k-1. Saad & Schultz
// 1985, (4.1), and 1988, (3.29) (saad-schultz-1985.md, Sequential broadcasts; saad-schultz-1988.md, Torus sequential
// broadcasts).
template <class RelaysFrom, class DepthFrom>
Process allgather_sequential(Processor<Block>& self, const RelaysFrom& relays_from, const DepthFrom& depth_from,
                             const std::vector<Part>& parts, std::span<Block> blocks) {
  Cycle start = 0;
  for (Rank root = 0; root < blocks.size(); ++root) {
    const Cycle depth = depth_from(root);
    std::vector<packets::Relay> relays = relays_from(root, self.rank());
    for (packets::Relay& one : relays) one.interval = packet_interval(self.model(), depth);
    co_await packets::relay(self, relays, parts, blocks[root], start);
    start += count_broadcast(self.model(), depth, parts.front().packets).steps;
  }
  self.hold(blocks.size() * parts.front().packets.words());
}

Prediction predict_sequential(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  const std::string hops = is_cube(machine) ? "n" : "d";
  const std::string mean = is_cube(machine) ? "" : ", d the mean over the roots of the links to the farthest";
  const Split packets(*settings.words, *settings.packets);
  const auto [steps, longest_sum, startups, time] = count_broadcasts(machine, model, packets);
  const bool alone = machine.processors == 1;
  const bool in_turns = model.duplex == Duplex::half_node;
  Prediction prediction{
      .steps = exact_count(steps, alone ? "0" : "k (" + hops + (in_turns ? " + 2 (nu - 1))" : " + nu - 1)") + mean),
      .messages = exact_count(k * (k - 1) * *settings.packets, "k (k - 1) nu"),
      .words = exact_count(k * (k - 1) * *settings.words, "k (k - 1) m"),
      .longest_sum = exact_count(
          longest_sum,
          alone ? "0" : "k ((" + hops + (in_turns ? " - 2) ceil(m/nu) + 2 m)" : " - 1) ceil(m/nu) + m)") + mean)};
  if (startups <= std::numeric_limits<std::uint64_t>::max()) {
    prediction.longest_startups = static_cast<std::uint64_t>(startups);
  }
  if (*settings.words % *settings.packets == 0) prediction.message_words = *settings.words / *settings.packets;
  return prediction;
}

std::uint64_t bytes_sequential(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide block = sizeof(Block) + *settings.words * sizeof(Word);
  return saturated(Wide{machine_bytes<Block>(machine, model)} +
                   Wide{machine.processors} * (machine.processors + machine.ports) * block +
                   verify_bytes(machine, settings));
}

template <class RelaysFrom, class DepthFrom>
Outcome run_broadcasts(const RunRequest& request, const RelaysFrom& relays_from, const DepthFrom& depth_from) {
  PerRank<std::vector<Block>> blocks(request);  // by source
  for_all_ranks(request, [&](Rank rank) {
    blocks[rank].resize(request.topology.processors());
    blocks[rank][rank] = generated_block(request.settings.seed, rank, rank, *request.settings.words);
  });
  const std::vector<Part> parts = split_in_parts(*request.settings.words, 1, *request.settings.packets);
  Outcome outcome;
  outcome.report = run_program<Block>(request, [&](Processor<Block>& self) {
    return allgather_sequential(self, relays_from, depth_from, parts, blocks[self.rank()]);
  });
  const HeldBlock held = [&](Rank rank, Rank source) {
    const Block& block = blocks[rank][source];
    return std::span(block.data(), block.size());
  };
  verify(request, held, outcome);
  return outcome;
}

Outcome run_sequential(const RunRequest& request) {
  if (is_cube(request.machine)) {
    const Port n = request.topology.ports();
    return run_broadcasts(
        request, [n](Rank root, Rank rank) { return broadcast::sbt_relays(n, rank ^ root); },
        [n](Rank) { return Cycle{n}; });
  }
  const Grid grid(request.machine);
  return run_broadcasts(
      request, [&](Rank root, Rank rank) { return std::vector{broadcast::axis_relay(grid, root, rank)}; },
      [&](Rank root) { return Cycle{grid.eccentricity(root)}; });
}

}  // namespace
}  // namespace allgather

extern const Method allgather_sequential_method = allgather::with_defaults({
    .name = "allgather/sequential",
    .aliases = {"SBA"},
    .families = {"hypercube", "torus", "mesh", "path"},
    .source =
        "Saad & Schultz 1985, (4.1); 1988, (3.29) (saad-schultz-1985.md, Sequential broadcasts; saad-schultz-1988.md, "
        "Torus sequential broadcasts)",
    .summary = "one pipelined broadcast after the other, from every processor",
    .parameters = {allgather::words_in_packets, allgather::packets_parameter},
    .defaults = {.multicast = true},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = allgather::resolve_sequential,
    .predict = allgather::predict_sequential,
    .bytes = allgather::bytes_sequential,
    .run = allgather::run_sequential,
});

}  // namespace lockstep
