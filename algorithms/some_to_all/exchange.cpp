#include "exchange.hpp"

#include <algorithm>
#include <bit>

#include "catalogue/step_lengths.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/hypercube.hpp"

namespace lockstep {
namespace some_to_all {
namespace {

/// Start-ups of the splitting, or of its reverse, and of the exchange.
Wide startups_of(const Sizes& sizes, const CostModel& cost) {
  Wide startups = 0;
  std::uint64_t sent = sizes.processors * sizes.block;
  for (std::uint64_t step = 0; step < sizes.k; ++step) {
    sent /= 2;
    startups += (Wide{sizes.few} << step) * cost.startups(sent);
  }
  return startups + Wide{sizes.l} * sizes.processors * cost.startups(sent / 2);
}

/// All messages of a step are alike: half of what is left in the splitting, or in its reverse, and half of what a
/// processor holds then in the exchange.
StepLengths step_lengths(const Sizes& sizes, const CostModel& cost) {
  StepLengths lengths(cost);
  std::uint64_t blocks = sizes.processors;
  for (std::uint64_t step = 0; step < sizes.k; ++step) {
    blocks /= 2;
    lengths.add(1, blocks * sizes.block);
  }
  lengths.add(sizes.l, blocks / 2 * sizes.block);
  return lengths;
}

}  // namespace

namespace exchange {

Process exchange_over(Processor<Bundle>& self, Bundle& held, Port dimension, Rank crossed) {
  const Rank rank = self.rank();
  Bundle sent = held.take([&](const Piece& piece) { return has_bit(piece.destination ^ rank, dimension); });
  if (words(sent) > 0) self.send(dimension, std::move(sent));
  co_await self.cycle();
  if (!self.arrived(dimension)) co_return;
  Bundle received = self.receive(dimension);
  alltoall::check(received, [&](const Piece& piece) { return alltoall::can_be_at(rank, piece, crossed); });
  held.add(std::move(received));
  self.hold(words(held));
}

Port end_of_dimensions(const Processor<Bundle>& self, Port sources) {
  const Rank distance = self.rank() >> sources;
  return distance == 0 ? self.ports() : sources + static_cast<Port>(std::countr_zero(distance)) + 1;
}

void resolve(const MachineSpec& machine, const Model&, Settings& settings) {
  resolve_sources(machine, settings);
  resolve_total_words(machine, settings, 1);
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Sizes sizes = sizes_of(machine, settings);
  const Wide total = *settings.words;
  const Wide n = sizes.n;
  const Wide k = sizes.processors;
  const StepLengths lengths = step_lengths(sizes, model.cost);
  return {.steps = exact_count(lengths.steps(), "n"),
          .messages = exact_count(k - sizes.few + sizes.l * k, "2^n - 2^L + L 2^n"),
          .words = exact_count(n * total / 2, "n PQ/2"),
          .longest_sum = exact_count(lengths.sum(), "L PQ/2^(n+1) + sum_(i=0..n-L-1) PQ/2^(n-i)"),
          .message_words = {},
          .longest_startups = lengths.startups(),
          .startups = exact_count(startups_of(sizes, model.cost),
                                  "L 2^n ceil(PQ/2^(n+1)/B_m) + sum_(i=0..n-L-1) 2^(n-1-i) ceil(PQ/2^(n-i)/B_m)")};
}

}  // namespace exchange

namespace {

using exchange::end_of_dimensions;
using exchange::exchange_over;

// A processor keeps the room of the blocks that it has handed on in the splitting: all at the few, a subcube's
// elsewhere. Half of what one holds is on its way in the exchange, and lists grow by doubling their room.
std::uint64_t bytes_of_some_to_all(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Sizes sizes = sizes_of(machine, settings);
  return bytes_for(machine, model, settings, Wide{6 + sizes.k} * sizes.pairs / 2);
}

}  // namespace

// From the highest dimension down, all to whom nothing can have come yet asleep. Johnsson & Ho, section 3.3
// (johnsson-ho.md, Some to all).
Process exchange_some_to_all(Processor<Bundle>& self, Bundle& held, Port sources) {
  const Port end = end_of_dimensions(self, sources);
  self.hold(words(held));
  co_await self.until(self.now() + self.ports() - end);
  for (Port dimension = end; dimension-- > 0;) {
    co_await exchange_over(self, held, dimension, ~Rank{0} << dimension);
  }
}

namespace {

Outcome run_some_to_all(const RunRequest& request) {
  const auto sources = static_cast<Port>(*request.settings.sources);
  return run(request, Direction::some_to_all,
             [&](Processor<Bundle>& self, Bundle& held) { return exchange_some_to_all(self, held, sources); });
}

}  // namespace
}  // namespace some_to_all

extern const Method some_to_all_exchange_method{
    .name = "some-to-all/exchange",
    .operation = "some-to-all",
    .known_as = "some-to-all personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.3 (johnsson-ho.md, Some to all)",
    .summary =
        "the holders double and hand half of their blocks on, until all are holders; then neighbours exchange all "
        "blocks for the other side",
    .parameters = {some_to_all::words_parameter, some_to_all::sources_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .resolve = some_to_all::exchange::resolve,
    .predict = some_to_all::exchange::predict,
    .lower_bound = some_to_all::lower_bound,
    .bytes = some_to_all::bytes_of_some_to_all,
    .run = some_to_all::run_some_to_all,
};

}  // namespace lockstep
