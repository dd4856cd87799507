#include <algorithm>
#include <set>

#include "catalogue/step_lengths.hpp"
#include "data/block_parts.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "some_to_all.hpp"

namespace lockstep {
namespace some_to_all {
namespace {

/// The splitting or the exchange: as many cycles as it has dimensions, which are as many as the parts of a block.
struct Phase {
  Port first;  ///< its lowest dimension
  Split parts;
  Rank crossed;  ///< the dimensions, as bits, of the phase before

  Port dimensions() const { return static_cast<Port>(parts.pieces()); }
};

Phase splitting(const Sizes& sizes) {
  return {.first = static_cast<Port>(sizes.l), .parts = Split(sizes.block, sizes.k), .crossed = 0};
}
Phase exchange(const Sizes& sizes) {
  return {.first = 0, .parts = Split(sizes.block, sizes.l), .crossed = ~Rank{0} << sizes.l};
}

/// The blocks cut wherever either phase cuts them, so that the pieces of a part need not be cut again.
Bundle cut_for_both(const Bundle& blocks, const Sizes& sizes) {
  std::set<std::uint64_t> ends{sizes.block};
  for (const Phase& phase : {splitting(sizes), exchange(sizes)}) {
    for (Port part = 1; part < phase.dimensions(); ++part) ends.insert(phase.parts.first(part));
  }
  Bundle pieces;
  pieces.reserve(blocks.size() * ends.size(), words(blocks));
  for (std::uint64_t index = 0; index < blocks.size(); ++index) {
    std::uint64_t first = 0;
    for (const std::uint64_t end : ends) {
      pieces.add_part(blocks, index, first, end - first);
      first = end;
    }
  }
  return pieces;
}

/// In cycle c part p crosses the phase's dimension p + c, round, if its destination is on the other side: so all links
/// over the phase's dimensions work.
Process rotate(Processor<Bundle>& self, Bundle& held, const Phase& phase) {
  const Rank rank = self.rank();
  const Port dimensions = phase.dimensions();
  std::vector<Bundle> parts(dimensions);
  held.deal([&](const Piece& piece) -> Bundle& { return parts[part_with(phase.parts, piece.first)]; });
  std::vector<Rank> crossed(dimensions, phase.crossed);
  for (Port cycle = 0; cycle < dimensions; ++cycle) {
    const auto dimension = [&](Port part) { return phase.first + (part + cycle) % dimensions; };
    for (Port part = 0; part < dimensions; ++part) {
      crossed[part] |= Rank{1} << dimension(part);
      Bundle sent =
          parts[part].take([&](const Piece& piece) { return has_bit(piece.destination ^ rank, dimension(part)); });
      if (!sent.empty()) self.send(dimension(part), std::move(sent));
    }
    co_await self.cycle();
    std::uint64_t held_words = 0;
    for (Port part = 0; part < dimensions; ++part) {
      if (self.arrived(dimension(part))) {
        Bundle received = self.receive(dimension(part));
        alltoall::check(received, [&](const Piece& piece) {
          return part_with(phase.parts, piece.first) == part && alltoall::can_be_at(rank, piece, crossed[part]);
        });
        parts[part].add(std::move(received));
      }
      held_words += words(parts[part]);
    }
    self.hold(held_words);
  }
  for (Bundle& part : parts) held.add(std::move(part));
}

// First by rotated trees over the upper dimensions, then by rotated trees over the lower ones. Johnsson & Ho, section
// 3.3 (johnsson-ho.md, Some to all).
Process rotated_sbt(Processor<Bundle>& self, Bundle& held, const Sizes& sizes) {
  self.hold(words(held));
  held = cut_for_both(held, sizes);
  const Phase first = splitting(sizes);
  const Phase second = exchange(sizes);
  if (first.dimensions() > 0) co_await rotate(self, held, first);
  if (second.dimensions() > 0) co_await rotate(self, held, second);
}

void resolve_parts(const MachineSpec& machine, const Model&, Settings& settings) {
  resolve_sources(machine, settings);
  const Sizes sizes = sizes_of(machine, settings);
  resolve_total_words(machine, settings, std::max<std::uint64_t>(sizes.k, 1) * std::max<std::uint64_t>(sizes.l, 1));
}

Wide startups_of(const Sizes& sizes, const CostModel& cost) {
  Wide startups = 0;
  for (std::uint64_t step = 0; step < sizes.k; ++step) {
    startups +=
        (Wide{sizes.few} << step) * startups_of_parts(splitting(sizes).parts, sizes.processors >> (step + 1), cost);
  }
  if (sizes.l == 0) return startups;
  return startups + Wide{sizes.processors} * sizes.l * startups_of_parts(exchange(sizes).parts, sizes.few / 2, cost);
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Sizes sizes = sizes_of(machine, settings);
  const Wide n = sizes.n;
  const Wide k = sizes.processors;
  StepLengths lengths(model.cost);
  for (std::uint64_t step = 0; step < sizes.k; ++step) {
    lengths.add(1, Wide{sizes.processors >> (step + 1)} * splitting(sizes).parts.longest());
  }
  if (sizes.l > 0) lengths.add(sizes.l, Wide{sizes.few / 2} * exchange(sizes).parts.longest());
  return {.steps = exact_count(lengths.steps(), "n"),
          .messages = exact_count(sizes.k * (k - sizes.few) + sizes.l * sizes.l * k, "(n-L) (2^n - 2^L) + L^2 2^n"),
          .words = exact_count(n * *settings.words / 2, "n PQ/2"),
          .longest_sum = exact_count(lengths.sum(), "L 2^(L-1) ceil(b/L) + (2^n - 2^L) ceil(b/(n-L)), b = PQ/2^(n+L)"),
          .message_words = {},
          .longest_startups = lengths.startups(),
          .startups = exact_count(startups_of(sizes, model.cost), "sum of ceil(words/B_m) of all messages")};
}

// As in some-to-all/exchange, but every block is in at most n pieces, and as a whole too while it is cut.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Sizes sizes = sizes_of(machine, settings);
  const std::uint64_t most = std::max<std::uint64_t>(sizes.n, 1);
  const Wide pieces = sizes.pairs * Wide{most};
  const Wide while_cut = sizes.pairs * Wide{Bundle::bytes_in_place(sizes.block) + Bundle::bytes_elsewhere(sizes.block)};
  return saturated(bytes_for(machine, model, settings, (8 + sizes.k) * pieces / 2, most) + while_cut);
}

Outcome run_rotated(const RunRequest& request) {
  const Sizes sizes = sizes_of(request.machine, request.settings);
  return run(request, Direction::some_to_all,
             [&](Processor<Bundle>& self, Bundle& held) { return rotated_sbt(self, held, sizes); });
}

}  // namespace
}  // namespace some_to_all

extern const Method some_to_all_rotated_sbt_method{
    .name = "some-to-all/rotated-sbt",
    .operation = "some-to-all",
    .known_as = "some-to-all personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.3 (johnsson-ho.md, Some to all)",
    .summary =
        "as some-to-all/exchange, but in parts that cross the dimensions of each phase in rotated orders, over all of "
        "them at once",
    .parameters = {Parameter{"words", "words of all blocks together: at least L (n-L), without zeros, for each pair",
                             "the fewest"},
                   some_to_all::sources_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .resolve = some_to_all::resolve_parts,
    .predict = some_to_all::predict,
    .lower_bound = some_to_all::lower_bound,
    .bytes = some_to_all::bytes,
    .run = some_to_all::run_rotated,
};

}  // namespace lockstep
