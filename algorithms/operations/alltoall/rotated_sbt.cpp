#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "method/step_lengths.hpp"
#include "plans/packets/block_parts.hpp"

namespace lockstep {
namespace alltoall {
namespace {

/// A processor's pieces of one slice of the blocks.
struct BlockSlice {
  std::uint64_t first = 0;  ///< word of a block with which the slice begins
  Rank crossed = 0;         ///< the dimensions, as bits, that it has crossed
  Bundle pieces;
};
using BlockSlices = std::vector<BlockSlice>;

std::uint64_t words_of(const BlockSlices& slices) {
  std::uint64_t sum = 0;
  for (const BlockSlice& slice : slices) sum += words(slice.pieces);
  return sum;
}

/// Sends bundle p on port p.
void send_all(Processor<Bundle>& self, std::vector<Bundle>& bundles) {
  for (Port port = 0; port < bundles.size(); ++port) self.send(port, std::move(bundles[port]));
}

// Every block is cut into n slices, which travel as in alltoall/exchange, but in exchange c slice r crosses dimension
// (r+c) mod n: so all links work in every exchange. Reconstruction for Saad & Schultz 1988, section 3.5(e)
// (saad-schultz-1988.md, Hypercube). In full duplex an exchange takes one step; else two: first the processors of even
// parity send, then the others what they had before.
Process rotated_sbt(Processor<Bundle>& self, BlockSlices& slices) {
  const Rank rank = self.rank();
  const Port n = self.ports();
  const bool sends_first = self.model().duplex == Duplex::full || one_bits(rank) % 2 == 0;
  const std::uint64_t own_words = words_of(slices);  // as many come in an exchange as go
  self.hold(own_words);
  std::vector<Bundle> sent(n);
  std::vector<Bundle> received(n);
  for (Port exchange = 0; exchange < n; ++exchange) {
    for (Port dimension = 0; dimension < n; ++dimension) {
      BlockSlice& slice = slices[(dimension + n - exchange) % n];
      slice.crossed |= Rank{1} << dimension;
      sent[dimension] =
          slice.pieces.take([&](const Piece& piece) { return has_bit(piece.destination ^ rank, dimension); });
    }
    if (sends_first) send_all(self, sent);
    std::uint64_t received_words = 0;
    for (Port dimension = 0; dimension < n; ++dimension) {
      received[dimension] = co_await self.message(dimension);
      received_words += words(received[dimension]);
    }
    if (!sends_first) {
      self.hold(own_words + received_words);
      send_all(self, sent);
    }
    for (Port dimension = 0; dimension < n; ++dimension) {
      BlockSlice& slice = slices[(dimension + n - exchange) % n];
      check(received[dimension],
            [&](const Piece& piece) { return piece.first == slice.first && can_be_at(rank, piece, slice.crossed); });
      slice.pieces.add(std::move(received[dimension]));
    }
  }
}

/// The rank's blocks for the others, cut into slices: the first b mod n of a block hold one word more than the rest.
BlockSlices initial_slices(const RunRequest& request, Rank rank) {
  const Split split(*request.settings.words, request.topology.ports());
  std::vector<Bundle> parts = packets::cut(initial_pieces(request, rank), split);
  BlockSlices slices;
  for (std::size_t index = 0; index < parts.size(); ++index) {
    slices.push_back({.first = split.first(index), .pieces = std::move(parts[index])});
  }
  return slices;
}

constexpr NumberParameter words_in_slices{
    {"words", "words of the block that one processor has for another, at least n", "n, a word for every slice"},
    &Settings::words};

void resolve_slices(const MachineSpec& machine, const Model&, Settings& settings) {
  const std::uint64_t least = std::max<std::uint64_t>(machine.ports, 1);  // a word a slice
  words_in_slices.resolve(settings, {.least = least, .otherwise = least});
}

Prediction predict_rotated_sbt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const bool full = model.duplex == Duplex::full;
  const Wide f = full ? 1 : 2;
  const Wide n = machine.ports;
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  method::StepLengths lengths(model.cost);
  if (n > 0) lengths.add(f * n, k / 2 * ((b + n - 1) / n));
  return {.steps = exact_count(lengths.steps(), full ? "n" : "2 n"),
          .messages = exact_count(n * n * k, "n^2 2^n"),
          .words = exact_count(n * k * (k / 2) * b, "n 2^(2n-1) b"),
          .longest_sum = exact_count(lengths.sum(), full ? "n 2^(n-1) ceil(b/n)" : "n 2^n ceil(b/n)"),
          .longest_startups = lengths.startups()};
}

// Half of the pieces that a processor holds are on their way in an exchange, and a slice grows by doubling its room.
std::uint64_t bytes_rotated_sbt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide pieces = Wide{machine.processors} * machine.processors * machine.ports;
  return bytes_for(machine, model, settings, pieces * 5 / 2, 0, std::max<std::uint64_t>(machine.ports, 1));
}

Outcome run_slices(const RunRequest& request) {
  PerRank<BlockSlices> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank] = initial_slices(request, rank); });
  Outcome outcome;
  outcome.report =
      run_program<Bundle>(request, [&](Processor<Bundle>& self) { return rotated_sbt(self, held[self.rank()]); });
  const auto together = [&](Rank rank) {
    std::vector<Piece> pieces;
    for (const BlockSlice& slice : held[rank]) pieces.insert(pieces.end(), slice.pieces.begin(), slice.pieces.end());
    return pieces;
  };
  verify(request, together, outcome);
  return outcome;
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_rotated_sbt_method = alltoall::with_defaults({
    .name = "alltoall/rotated-sbt",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.2 (johnsson-ho.md, All to all); Saad & Schultz 1988, section 3.5(e) "
              "(saad-schultz-1988.md, Hypercube)",
    .summary =
        "slices of the blocks cross the dimensions in rotated orders, over all links at once; in two steps each unless "
        "duplex is full",
    .parameters = {alltoall::words_in_slices},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = alltoall::resolve_slices,
    .predict = alltoall::predict_rotated_sbt,
    .bytes = alltoall::bytes_rotated_sbt,
    .run = alltoall::run_slices,
});

}  // namespace lockstep
