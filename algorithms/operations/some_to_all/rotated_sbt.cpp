#include <algorithm>
#include <set>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "method/step_lengths.hpp"
#include "plans/packets/block_parts.hpp"
#include "step_order.hpp"

namespace lockstep {
namespace some_to_all::rotated_sbt {
namespace {

constexpr Parameter words_parameter{
    "words", "words of all blocks together: at least L (n-L), without zeros, for each pair", "the fewest"};

/// The exchange, or the splitting or accumulating: it takes as many cycles as it has dimensions, and cuts a block into
/// as many parts.
struct RotationPhase {
  Port first;  ///< its lowest dimension
  Split parts;

  Port dimensions() const { return static_cast<Port>(parts.pieces()); }
  /// Its dimensions as bits.
  Rank bits() const { return ((Rank{1} << dimensions()) - 1) << first; }
};

RotationPhase upper_phase(const Sizes& sizes) {
  return {.first = static_cast<Port>(sizes.l), .parts = Split(sizes.block, sizes.k)};
}
RotationPhase exchange_phase(const Sizes& sizes) { return {.first = 0, .parts = Split(sizes.block, sizes.l)}; }

/// Where the pieces of a block end that either phase sends by themselves.
std::set<std::uint64_t> ends_of_pieces(const Sizes& sizes) {
  std::set<std::uint64_t> ends{sizes.block};
  for (const RotationPhase& phase : {upper_phase(sizes), exchange_phase(sizes)}) {
    for (Port part = 1; part < phase.dimensions(); ++part) ends.insert(phase.parts.first(part));
  }
  return ends;
}

/// The blocks cut wherever either phase cuts them, so that the pieces of a part need not be cut again.
Bundle cut_for_both(const Bundle& blocks, const Sizes& sizes) {
  const std::set<std::uint64_t> ends = ends_of_pieces(sizes);
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

/// In cycle c part p crosses the phase's dimension p + c, cyclically, if its destination is on the other side: so all
/// links over the phase's dimensions work. All pieces that had to cross `before` have done so.
Process rotate(Processor<Bundle>& self, Bundle& held, const RotationPhase& phase, Rank before) {
  const Rank rank = self.rank();
  const Port dimensions = phase.dimensions();
  std::vector<Bundle> parts(dimensions);
  held.deal([&](const Piece& piece) -> Bundle& { return parts[packets::part_with(phase.parts, piece.first)]; });
  std::vector<Rank> crossed(dimensions, before);
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
          return packets::part_with(phase.parts, piece.first) == part &&
                 alltoall::can_be_at(rank, piece, crossed[part]);
        });
        parts[part].add(std::move(received));
      }
      held_words += words(parts[part]);
    }
    self.hold(held_words);
  }
  for (Bundle& part : parts) held.add(std::move(part));
}

// Rotated trees over the dimensions of one phase and then of the other. Johnsson & Ho, section 3.3 (johnsson-ho.md,
// Some to all).
Process rotate_in_phases(Processor<Bundle>& self, Bundle& held, const Sizes& sizes, bool upper_first) {
  self.hold(words(held));
  held = cut_for_both(held, sizes);
  const RotationPhase upper = upper_phase(sizes);
  const RotationPhase exchange = exchange_phase(sizes);
  const RotationPhase& first = upper_first ? upper : exchange;
  const RotationPhase& second = upper_first ? exchange : upper;
  if (first.dimensions() > 0) co_await rotate(self, held, first, 0);
  if (second.dimensions() > 0) co_await rotate(self, held, second, first.bits());
}

/// Whether the exchange is among all processors, which is the better order, and not only among the few.
bool exchanges_among_all(const Settings& settings, Direction direction) {
  return begins_with_upper(settings, direction) == (direction == Direction::some_to_all);
}

/// The processors that take part in the exchange, and the blocks that each has then.
struct ExchangeSize {
  std::uint64_t processors;
  std::uint64_t blocks;
};

ExchangeSize exchange_of(const Sizes& sizes, bool among_all) {
  return among_all ? ExchangeSize{sizes.processors, sizes.few} : ExchangeSize{sizes.few, sizes.processors};
}

Wide startups_of(const Sizes& sizes, const ExchangeSize& exchange, const CostModel& cost) {
  Wide startups = 0;
  for (std::uint64_t step = 0; step < sizes.k; ++step) {
    startups += (Wide{sizes.few} << step) *
                packets::startups_of_parts(upper_phase(sizes).parts, sizes.processors >> (step + 1), cost);
  }
  if (sizes.l == 0) return startups;
  return startups + Wide{exchange.processors} * sizes.l *
                        packets::startups_of_parts(exchange_phase(sizes).parts, exchange.blocks / 2, cost);
}

void resolve(const MachineSpec& machine, Settings& settings, Direction direction) {
  resolve_sources(machine, settings);
  const Sizes sizes = sizes_of(machine, settings);
  resolve_total_words(machine, settings, std::max<std::uint64_t>(sizes.k, 1) * std::max<std::uint64_t>(sizes.l, 1));
  begins_with_upper(settings, direction);
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings, Direction direction) {
  const Sizes sizes = sizes_of(machine, settings);
  const bool among_all = exchanges_among_all(settings, direction);
  const ExchangeSize exchange = exchange_of(sizes, among_all);
  const Wide n = sizes.n;
  method::StepLengths lengths(model.cost);
  for (std::uint64_t step = 0; step < sizes.k; ++step) {
    lengths.add(1, Wide{sizes.processors >> (step + 1)} * upper_phase(sizes).parts.longest());
  }
  if (sizes.l > 0) lengths.add(sizes.l, Wide{exchange.blocks / 2} * exchange_phase(sizes).parts.longest());
  return {.steps = exact_count(lengths.steps(), "n"),
          .messages =
              exact_count(sizes.k * Wide{sizes.processors - sizes.few} + sizes.l * sizes.l * Wide{exchange.processors},
                          among_all ? "(n-L) (2^n - 2^L) + L^2 2^n" : "(n-L) (2^n - 2^L) + L^2 2^L"),
          .words = exact_count(n * *settings.words / 2, "n PQ/2"),
          .longest_sum =
              exact_count(lengths.sum(), among_all ? "L 2^(L-1) ceil(b/L) + (2^n - 2^L) ceil(b/(n-L)), b = PQ/2^(n+L)"
                                                   : "L 2^(n-1) ceil(b/L) + (2^n - 2^L) ceil(b/(n-L)), b = PQ/2^(n+L)"),
          .longest_startups = lengths.startups(),
          .startups = exact_count(startups_of(sizes, exchange, model.cost), "sum of ceil(words/B_m) of all messages")};
}

// Of all pieces there are nearly three copies at once: those held, those on their way, and room to grow; short blocks
// exist whole too while they are cut.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Sizes sizes = sizes_of(machine, settings);
  const std::uint64_t of_block = ends_of_pieces(sizes).size();
  const Wide pieces = sizes.pairs * Wide{of_block};
  const Wide cut = sizes.block / of_block > Block::most_copied ? 0 : Bundle::bytes_elsewhere(sizes.block);
  const Wide while_cut = sizes.pairs * (Bundle::bytes_in_place(sizes.block) + cut);
  return saturated(bytes_for(machine, model, settings, 11 * pieces / 4, of_block) + while_cut);
}

Outcome run_rotated(const RunRequest& request, Direction direction) {
  const Sizes sizes = sizes_of(request.machine, request.settings);
  const bool upper_first = begins_with_upper(request.settings, direction);
  return run(request, direction,
             [&](Processor<Bundle>& self, Bundle& held) { return rotate_in_phases(self, held, sizes, upper_first); });
}

constexpr auto both = and_all_to_some<resolve, predict, run_rotated>;

}  // namespace
}  // namespace some_to_all::rotated_sbt

extern const method::MethodPair some_to_all_rotated_sbt_methods = some_to_all::rotated_sbt::both(
    {
        .name = "some-to-all/rotated-sbt",
        .source = "Johnsson & Ho, section 3.3 (johnsson-ho.md, Some to all)",
        .summary =
            "as some-to-all/exchange, but in parts that cross the dimensions of each phase in rotated orders, over all "
            "of them at once",
        .parameters = {some_to_all::rotated_sbt::words_parameter, some_to_all::sources_parameter,
                       some_to_all::split_phases_parameter},
        .defaults = {.ports = PortModel::all},
        .port_models = {PortModel::all},
        .bytes = some_to_all::rotated_sbt::bytes,
    },
    {
        .name = "all-to-some/rotated-sbt",
        .summary =
            "as all-to-some/exchange, but in parts that cross the dimensions of each phase in rotated orders, over all "
            "of them at once",
        .parameters = {some_to_all::rotated_sbt::words_parameter, some_to_all::destinations_parameter,
                       some_to_all::accumulate_phases_parameter},
    });

}  // namespace lockstep
