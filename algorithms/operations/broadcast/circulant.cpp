#include "circulant.hpp"

#include <bit>
#include <vector>

#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/switches.hpp"
#include "pipelined.hpp"
#include "scheduled.hpp"

// Packet behind packet in the fewest steps for any number of ranks. Traeff, arXiv 2312.11236 (collectives.md,
// Broadcast).
namespace lockstep {
namespace broadcast {
namespace {

/// The most ranks of which each is asked what it receives in every round.
constexpr std::uint64_t most_asked = std::uint64_t{1} << 16;

/// For every round, the blocks on the way: bit q + b for block b, b from -q to q - 1.
std::vector<std::uint64_t> blocks_on_the_way(Rank ranks) {
  const CirculantSchedule schedule(ranks);
  std::vector<std::uint64_t> blocks(schedule.rounds());
  for (Rank rank = 1; rank < ranks; ++rank) {
    const std::vector<std::int32_t> received = schedule.received(rank);
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      blocks[k] |= std::uint64_t{1} << (received[k] + static_cast<std::int32_t>(blocks.size()));
    }
  }
  return blocks;
}

/// In how many of the rounds k, k + q, .. one of the first packets moves, where `skipped` rounds come before the first
/// step and these blocks are on the way. The first has to move in a round that is no earlier than 0.
std::uint64_t rounds_of_first(std::uint64_t blocks, std::int64_t q, std::int64_t skipped, std::int64_t first) {
  std::uint64_t rounds = 0;
  for (std::int64_t lap = 0; lap < 2; ++lap) {  // from then on every block on the way is a packet
    const std::int64_t zero = q + skipped - q * lap;
    const std::uint64_t packets = zero < 64 ? blocks >> zero : 0;
    if (packets != 0 && std::countr_zero(packets) < first) ++rounds;
  }
  const std::int64_t earliest = std::countr_zero(blocks) - q - skipped + 2 * q;
  if (first > earliest) rounds += static_cast<std::uint64_t>((first - earliest - 1) / q + 1);
  return rounds;
}

void resolve_circulant(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_packets(machine, model, settings, circulant_flow(machine));
}

Prediction predict_circulant(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_packets(machine, model, settings, circulant_flow(machine), "n - 1 + ceil(log2 p)",
                         is_circulant_flow_exact(machine, settings));
}

std::uint64_t bytes_of_circulant(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(Wide{pipelined_bytes(machine, model, settings)} + CirculantBroadcast::bytes(machine.processors));
}

Outcome run_circulant(const RunRequest& request) {
  const Rank p = request.topology.processors();
  const Split packets(*request.settings.words, *request.settings.packets);
  const CirculantBroadcast broadcast(p, packets.pieces());
  return run_schedule(request, from_root(circulant_schedule(broadcast), request.root(), p), parts::Parts(packets));
}

}  // namespace

parts::PartSchedule circulant_schedule(const CirculantBroadcast& broadcast) {
  return {broadcast.steps(), [&broadcast](Rank rank, Cycle step) {
            const CirculantBroadcast::CirculantMove move = broadcast.at(rank, step);
            parts::PartStep one{.to = move.to, .from = move.from};
            if (move.to != no_rank) one.sent.push_back(static_cast<Rank>(move.sent));
            if (move.from != no_rank) one.received.push_back(static_cast<Rank>(move.received));
            return one;
          }};
}

packets::PacketFlow circulant_flow(const MachineSpec& machine) {
  const std::uint64_t q = doublings(machine.processors);
  if (q == 0) return packets::flow_over_hops(0);
  std::vector<std::uint64_t> blocks;
  if (machine.processors <= most_asked) blocks = blocks_on_the_way(static_cast<Rank>(machine.processors));
  const auto steps = [q, blocks = std::move(blocks)](std::uint64_t n, std::uint64_t first) {
    const std::uint64_t all = n - 1 + q;
    if (first == n) return all;
    if (blocks.empty()) return std::min(all, first + 2 * q);
    const std::uint64_t skipped = (q - all % q) % q;
    std::uint64_t moving = 0;
    for (const std::uint64_t of_round : blocks) {
      moving += rounds_of_first(of_round, static_cast<std::int64_t>(q), static_cast<std::int64_t>(skipped),
                                static_cast<std::int64_t>(first));
    }
    return moving;
  };
  return steps;
}

bool is_circulant_flow_exact(const MachineSpec& machine, const Settings& settings) {
  return machine.processors <= most_asked || *settings.words % *settings.packets == 0;
}

}  // namespace broadcast

extern const Method broadcast_circulant_method = broadcast::scheduled_with_defaults({
    .name = "broadcast/circulant",
    .families = method::switches_and_complete(),
    .source = "Traeff 2022 to 2024, arXiv 2312.11236, 2407.18004 (collectives.md, Broadcast)",
    .summary = "packet behind packet over the skips of a circulant graph, in the fewest steps for any number of ranks",
    .port_models = {PortModel::one},
    .resolve = broadcast::resolve_circulant,
    .predict = broadcast::predict_circulant,
    .bytes = broadcast::bytes_of_circulant,
    .run = broadcast::run_circulant,
});

}  // namespace lockstep
