
#include <limits>

#include "broadcast/axis.hpp"
#include "broadcast/sbt_pipelined.hpp"
#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/fraction.hpp"

namespace lockstep {
namespace allgather {
namespace {

bool is_cube(const MachineSpec& machine) { return machine.family == "hypercube"; }

std::uint64_t diameter(const MachineSpec& machine) {
  return is_cube(machine) ? machine.ports : broadcast::diameter(SquareTorus(machine));
}

/// One of the broadcasts, of blocks in so many packets.
StepCounts broadcast_counts(const MachineSpec& machine, const Model& model, std::uint64_t words,
                            std::uint64_t packets) {
  const std::uint64_t hops = diameter(machine);
  return count_steps({hops, Split(words, packets), 0, packet_interval(model, hops)}, model.cost);
}

constexpr PacketsWordsParameter words_in_packets{words_parameter};
constexpr PacketsParameter packets_parameter{"packets of every block, each a word or more"};

void resolve_sequential(const MachineSpec& machine, const Model& model, Settings& settings) {
  words_in_packets.resolve(settings, 1);
  packets_parameter.resolve(settings, 1, [&](std::uint64_t packets) {
    return broadcast_counts(machine, model, *settings.words, packets).time(model.cost);
  });
}

// Every processor's block by a pipelined broadcast of its own, one after the other, roots 0 to k-1. Saad & Schultz
// 1985, (4.1), and 1988, (3.29) (saad-schultz-1985.md, Sequential broadcasts; saad-schultz-1988.md, Torus sequential
// broadcasts).
template <class RelaysFrom>
Process allgather_sequential(Processor<Block>& self, const RelaysFrom& relays_from, const std::vector<Part>& parts,
                             Cycle interval, Cycle steps, std::span<Block> blocks) {
  for (Rank root = 0; root < blocks.size(); ++root) {
    std::vector<Relay> relays = relays_from(root, self.rank());
    for (Relay& one : relays) one.interval = interval;
    co_await relay(self, relays, parts, blocks[root], root * steps);
  }
  self.hold(blocks.size() * parts.front().packets.words());
}

Prediction predict_sequential(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  const std::string hops = is_cube(machine) ? "n" : "2h";
  const auto [steps, longest_sum, startups] =
      broadcast_counts(machine, model, *settings.words, *settings.packets);
  const bool in_turns = packet_interval(model, diameter(machine)) == 2;
  const bool alone = machine.processors == 1;
  Prediction prediction{
      .steps = exact_count(k * steps, alone ? "0" : "k (" + hops + (in_turns ? " + 2 (nu - 1))" : " + nu - 1)")),
      .messages = exact_count(k * (k - 1) * *settings.packets, "k (k - 1) nu"),
      .words = exact_count(k * (k - 1) * *settings.words, "k (k - 1) m"),
      .longest_sum = exact_count(
          k * longest_sum,
          alone ? "0" : "k ((" + hops + (in_turns ? " - 2) ceil(m/nu) + 2 m)" : " - 1) ceil(m/nu) + m)")),
      .message_words = {}};
  if (k * startups <= std::numeric_limits<std::uint64_t>::max()) {
    prediction.longest_startups = static_cast<std::uint64_t>(k * startups);
  }
  if (*settings.words % *settings.packets == 0) prediction.message_words = *settings.words / *settings.packets;
  return prediction;
}

LowerBound bound_sequential(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return is_cube(machine) ? lower_bound_on_hypercube(machine, model, settings)
                          : lower_bound_on_torus(machine, model, settings);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide block = sizeof(Block) + *settings.words * sizeof(Word);
  return saturated(Wide{machine_bytes<Block>(machine, model)} +
                   Wide{machine.processors} * (machine.processors + machine.ports) * block +
                   verify_bytes(machine, settings));
}

template <class RelaysFrom>
Outcome run_broadcasts(const RunRequest& request, const RelaysFrom& relays_from) {
  const Rank k = request.topology.processors();
  std::vector<Block> blocks(std::size_t{k} * k);
  const auto blocks_of = [&](Rank rank) { return std::span(blocks).subspan(std::size_t{rank} * k, k); };
  for (Rank rank = 0; rank < k; ++rank) {
    blocks_of(rank)[rank] = generated_block(request.settings.seed, rank, rank, *request.settings.words);
  }
  const std::vector<Part> parts = split_in_parts(*request.settings.words, 1, *request.settings.packets);
  const Cycle steps =
      broadcast_counts(request.machine, request.model, *request.settings.words, *request.settings.packets).steps;
  const Cycle interval = packet_interval(request.model, diameter(request.machine));
  Outcome outcome;
  outcome.report = run_program<Block>(request, [&](Processor<Block>& self) {
    return allgather_sequential(self, relays_from, parts, interval, steps, blocks_of(self.rank()));
  });
  const HeldBlock held = [&](Rank rank, Rank source) {
    const Block& block = blocks_of(rank)[source];
    return std::span(block.data(), block.size());
  };
  verify(request, held, outcome);
  return outcome;
}

Outcome run_sequential(const RunRequest& request) {
  if (is_cube(request.machine)) {
    const Port n = request.topology.ports();
    return run_broadcasts(request, [n](Rank root, Rank rank) { return broadcast::sbt_relays(n, rank ^ root); });
  }
  const SquareTorus torus(request.machine);
  return run_broadcasts(request, [&](Rank root, Rank rank) { return broadcast::axis_relays(torus, root, rank); });
}

}  // namespace
}  // namespace allgather

extern const Method allgather_sequential_method = allgather::with_defaults({
    .name = "allgather/sequential",
    .aliases = {"SBA"},
    .families = {"hypercube", "torus"},
    .source =
        "Saad & Schultz 1985, (4.1); 1988, (3.29) (saad-schultz-1985.md, Sequential broadcasts; saad-schultz-1988.md, "
        "Torus sequential broadcasts)",
    .summary = "one pipelined broadcast after the other, from every processor (tori: square)",
    .parameters = {allgather::words_in_packets, allgather::packets_parameter},
    .defaults = {.ports = PortModel::one, .multicast = true},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = allgather::resolve_sequential,
    .predict = allgather::predict_sequential,
    .lower_bound = allgather::bound_sequential,
    .bytes = allgather::bytes,
    .run = allgather::run_sequential,
});

}  // namespace lockstep
