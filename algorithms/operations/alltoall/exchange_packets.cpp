#include "exchange_packets.hpp"

#include <algorithm>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "plans/packets/block_parts.hpp"

namespace lockstep::alltoall {
namespace {

std::uint64_t pairs_of(Port n) { return n == 0 ? 0 : std::uint64_t{1} << (n - 1); }

/// A processor's pieces of each packet.
using Packets = std::vector<Bundle>;

Packets cut_in_packets(const PacketPlan& plan, Rank rank, const Bundle& blocks) {
  Packets packets(plan.packets().pieces());
  for (std::uint64_t index = 0; index < blocks.size(); ++index) {
    const Piece piece = blocks[index];
    const Rank c = piece.destination ^ rank;
    for (std::uint64_t from = 0; from < piece.block.size();) {
      const std::uint64_t packet = plan.packet_with(c, from);
      const std::uint64_t of_packet = plan.packets().first(packet + 1) - plan.place(c, from);
      const std::uint64_t size = std::min(piece.block.size() - from, of_packet);
      packets[packet].add_part(blocks, index, from, size);
      from += size;
    }
  }
  return packets;
}

// In every cycle the neighbours over each dimension exchange the pieces for the other side of the packet that is due
// there: equally many words at all processors.
Process exchange_packets(Processor<Bundle>& self, const PacketPlan& plan, Packets& held) {
  const Rank rank = self.rank();
  std::uint64_t own_words = 0;  // as many come in a cycle as go
  for (const Bundle& packet : held) own_words += words(packet);
  self.hold(own_words);
  for (std::uint64_t cycle = 0; cycle < plan.cycles(); ++cycle) {
    for (Port dimension = 0; dimension < plan.dimensions(); ++dimension) {
      const auto packet = plan.packet(cycle, dimension);
      if (!packet) continue;
      self.send(dimension,
                held[*packet].take([&](const Piece& piece) { return has_bit(piece.destination ^ rank, dimension); }));
    }
    co_await self.cycle();
    for (Port dimension = 0; dimension < plan.dimensions(); ++dimension) {
      const auto packet = plan.packet(cycle, dimension);
      if (!packet) continue;
      Bundle received = self.receive(dimension);
      const Rank crossed = ~Rank{0} << dimension;
      check(received, [&](const Piece& piece) {
        return plan.packet_with(piece.origin ^ piece.destination, piece.first) == *packet &&
               has_bit(piece.origin ^ rank, dimension) && can_be_at(rank, piece, crossed);
      });
      held[*packet].add(std::move(received));
    }
  }
}

}  // namespace

PacketPlan::PacketPlan(Port n, std::uint64_t block_words, std::uint64_t packets)
    : n_(n), block_words_(block_words), packets_(pairs_of(n) * block_words, packets) {}

std::uint64_t PacketPlan::place(Rank c, std::uint64_t word) const {
  const Rank highest = Rank{1} << (n_ - 1);
  const std::uint64_t pair = (c & highest) != 0 ? ~c & (highest - 1) : c;
  return pair * block_words_ + word;
}

std::uint64_t PacketPlan::packet_with(Rank c, std::uint64_t word) const {
  return packets::part_with(packets_, place(c, word));
}

void resolve_exchanged_words(const MachineSpec& machine, Settings& settings) {
  const std::uint64_t pairs = std::max<std::uint64_t>(pairs_of(static_cast<Port>(machine.ports)), 1);
  words_parameter.resolve(settings, {.most = most_words / pairs});
}

std::uint64_t bytes_of_packets(const MachineSpec& machine, const Model& model, const Settings& settings,
                               std::uint64_t packets) {
  // Two blocks lie side by side in all packets together, and are cut where a packet ends.
  const Wide k = machine.processors;
  const std::uint64_t pairs = std::max<std::uint64_t>(pairs_of(static_cast<Port>(machine.ports)), 1);
  const bool fits = pairs % packets == 0 || packets % pairs == 0;
  const Wide pieces = 2 * k * (fits ? std::max(pairs, packets) : pairs + packets);
  const auto part = static_cast<std::uint64_t>((k * k * *settings.words + pieces - 1) / pieces);
  const Wide of_words =
      std::max(pieces * Bundle::bytes_of_copy(part), k * k * Bundle::bytes_elsewhere(*settings.words));
  const std::uint64_t copies = part <= Bundle::most_short ? 4 : 2;  // with room to grow
  return saturated(machine_bytes<Bundle>(machine, model) + pieces * copies * Bundle::bytes_in_place(part) + of_words +
                   k * packets * (sizeof(Bundle) + allocated_bytes(2)));
}

Outcome run_packets(const RunRequest& request, const PacketPlan& plan) {
  PerRank<Packets> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank] = cut_in_packets(plan, rank, initial_pieces(request, rank)); });
  Outcome outcome;
  outcome.report = run_program<Bundle>(
      request, [&](Processor<Bundle>& self) { return exchange_packets(self, plan, held[self.rank()]); });
  const auto together = [&](Rank rank) {
    std::vector<Piece> pieces;
    for (const Bundle& packet : held[rank]) pieces.insert(pieces.end(), packet.begin(), packet.end());
    return pieces;
  };
  verify(request, together, outcome);
  return outcome;
}

}  // namespace lockstep::alltoall
