#include "exchange.hpp"

#include "catalogue/step_lengths.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/hypercube.hpp"

namespace lockstep {
namespace some_to_all {
namespace {

/// One cycle: the neighbours give each other all pieces for the other side. `crossed` are the dimensions, as bits, that
/// have been dealt with then.
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

/// The steps that concern a processor, from `first` to before `end`. One that is not of the few first gets anything
/// over the last of the dimensions that lead to it from them, and gives all away over the first that leads to them.
struct Concern {
  Port first;
  Port end;
};

Concern concern_of(Rank rank, const StepOrder& order) {
  const auto n = static_cast<Port>(order.dimensions.size());
  Concern concern{0, n};
  for (Port step = 0; step < n; ++step) {
    if (!order.is_upper(step) || !has_bit(rank, order.dimensions[step])) continue;
    if (order.direction == Direction::some_to_all) concern.first = step;
    if (order.direction == Direction::all_to_some) return {0, step + 1};
  }
  return concern;
}

}  // namespace

// All to whom nothing can have come yet are asleep. Johnsson & Ho, section 3.3 (johnsson-ho.md, Some to all).
Process exchange_in_order(Processor<Bundle>& self, Bundle& held, const StepOrder& order) {
  const Concern concern = concern_of(self.rank(), order);
  self.hold(words(held));
  co_await self.until(self.now() + concern.first);
  Rank crossed = 0;
  for (Port step = 0; step < concern.end; ++step) {
    crossed |= Rank{1} << order.dimensions[step];
    if (step >= concern.first) co_await exchange_over(self, held, order.dimensions[step], crossed);
  }
}

namespace exchange {

void resolve(const MachineSpec& machine, Settings& settings, Direction direction) {
  resolve_sources(machine, settings);
  resolve_total_words(machine, settings, 1);
  step_order(machine, settings, direction);
}

// In every step half of all words move, in messages alike.
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings, Direction direction) {
  const StepOrder order = step_order(machine, settings, direction);
  const Wide half = *settings.words / 2;
  StepLengths lengths(model.cost);
  Wide messages = 0;
  Wide startups = 0;
  for (const std::uint64_t count : senders(order)) {
    const auto length = static_cast<std::uint64_t>(half / count);
    lengths.add(1, length);
    messages += count;
    startups += Wide{count} * model.cost.startups(length);
  }
  const bool best = is_best(order);
  const bool splits = direction == Direction::some_to_all;
  const std::string other = splits ? "sum over the steps of PQ/2^(L+s+1), s = splits before"
                                   : "sum over the steps of PQ/2^(n-a+1), a = accumulations before and in the step";
  return {.steps = exact_count(lengths.steps(), "n"),
          .messages = exact_count(messages, best     ? "2^n - 2^L + L 2^n"
                                            : splits ? "sum over the steps of 2^(L+s), s = splits before"
                                                     : "sum over the steps of 2^(n-a), a = accumulations before and in "
                                                       "the step"),
          .words = exact_count(order.dimensions.size() * half, "n PQ/2"),
          .longest_sum = exact_count(lengths.sum(), best ? "L PQ/2^(n+1) + sum_(i=0..n-L-1) PQ/2^(n-i)" : other),
          .message_words = {},
          .longest_startups = lengths.startups(),
          .startups = exact_count(startups,
                                  best ? "L 2^n ceil(PQ/2^(n+1)/B_m) + sum_(i=0..n-L-1) 2^(n-1-i) ceil(PQ/2^(n-i)/B_m)"
                                       : "sum of ceil(words/B_m) of all messages")};
}

Outcome run_exchange(const RunRequest& request, Direction direction) {
  const StepOrder order = step_order(request.machine, request.settings, direction);
  return run(request, direction,
             [&](Processor<Bundle>& self, Bundle& held) { return exchange_in_order(self, held, order); });
}

}  // namespace exchange

namespace {

// A processor keeps the room of the blocks that it has handed on in the splitting: all at the few, a subcube's
// elsewhere. Half of what one holds is on its way in the exchange, and lists grow by doubling their room.
std::uint64_t bytes_of_some_to_all(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Sizes sizes = sizes_of(machine, settings);
  return bytes_for(machine, model, settings, Wide{6 + sizes.k} * sizes.pairs / 2);
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
    .parameters = {some_to_all::words_parameter, some_to_all::sources_parameter, some_to_all::split_order_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .resolve =
        [](const MachineSpec& machine, const Model&, Settings& settings) {
          some_to_all::exchange::resolve(machine, settings, some_to_all::Direction::some_to_all);
        },
    .predict =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return some_to_all::exchange::predict(machine, model, settings, some_to_all::Direction::some_to_all);
        },
    .lower_bound = some_to_all::lower_bound,
    .bytes = some_to_all::bytes_of_some_to_all,
    .run =
        [](const RunRequest& request) {
          return some_to_all::exchange::run_exchange(request, some_to_all::Direction::some_to_all);
        },
};

}  // namespace lockstep
