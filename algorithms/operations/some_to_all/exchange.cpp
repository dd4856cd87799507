#include "exchange.hpp"

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "method/step_lengths.hpp"

namespace lockstep {
namespace some_to_all {
namespace {

/// One step: the neighbours exchange all pieces for the other side; if they take turns, the upper half sends first.
/// `crossed` are the dimensions, as bits, that have been crossed after it.
Process exchange_over(Processor<Bundle>& self, Bundle& held, Port dimension, Rank crossed, bool takes_turns) {
  const Rank rank = self.rank();
  const bool waits = takes_turns && !has_bit(rank, dimension);
  Bundle sent = held.take([&](const Piece& piece) { return has_bit(piece.destination ^ rank, dimension); });
  Bundle received;
  if (waits) {
    co_await self.cycle();
    if (self.arrived(dimension)) received = self.receive(dimension);
    self.hold(words(held) + words(sent) + words(received));
  }
  if (words(sent) > 0) self.send(dimension, std::move(sent));
  if (takes_turns && !waits) co_await self.cycle();
  co_await self.cycle();
  if (!waits && self.arrived(dimension)) received = self.receive(dimension);
  if (received.empty()) co_return;
  alltoall::check(received, [&](const Piece& piece) { return alltoall::can_be_at(rank, piece, crossed); });
  held.add(std::move(received));
  self.hold(words(held));
}

/// Whether the step is two cycles: in an exchange half of the processors wait for the others, unless duplex is full. In
/// splitting or accumulating, no sender receives.
bool takes_turns_in(const StepOrder& order, Port step, Duplex duplex) {
  return duplex != Duplex::full && !order.is_upper(step);
}

/// The steps that concern a processor, from `first` to before `end`. A processor outside the few first receives over
/// the last of the dimensions that lead to it from them, and sends all away over the first that leads to them.
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

/// The formulas of the counts.
struct CountFormulas {
  std::string steps;
  std::string messages;
  std::string longest_sum;
  std::string startups;
};

CountFormulas formulas_of(const StepOrder& order, Duplex duplex) {
  const bool full = duplex == Duplex::full;
  const std::string steps = full ? "n" : "n + L";
  if (is_best(order)) {
    return {steps, "2^n - 2^L + L 2^n",
            std::string(full ? "L PQ/2^(n+1)" : "L PQ/2^n") + " + sum_(i=0..n-L-1) PQ/2^(n-i)",
            "L 2^n ceil(PQ/2^(n+1)/B_m) + sum_(i=0..n-L-1) 2^(n-1-i) ceil(PQ/2^(n-i)/B_m)"};
  }
  const bool splits = order.direction == Direction::some_to_all;
  const std::string twice = full ? "" : ", exchanges twice";
  const std::string before = splits ? ", s = splits before" : ", a = accumulations before and in the step";
  return {steps, std::string("sum over the steps of ") + (splits ? "2^(L+s)" : "2^(n-a)") + before,
          std::string("sum over the steps of ") + (splits ? "PQ/2^(L+s+1)" : "PQ/2^(n-a+1)") + twice + before,
          "sum of ceil(words/B_m) of all messages"};
}

}  // namespace

// Processors that nothing can have reached yet are asleep. Johnsson & Ho, section 3.3 (johnsson-ho.md, Some to all).
Process exchange_in_order(Processor<Bundle>& self, Bundle& held, const StepOrder& order) {
  const Concern concern = concern_of(self.rank(), order);
  self.hold(words(held));
  Cycle start = self.now();  // of the step
  Rank crossed = 0;
  for (Port step = 0; step < concern.end; ++step) {
    const bool takes_turns = takes_turns_in(order, step, self.model().duplex);
    crossed |= Rank{1} << order.dimensions[step];
    if (step >= concern.first) {
      co_await self.until(start);
      co_await exchange_over(self, held, order.dimensions[step], crossed, takes_turns);
    }
    start += takes_turns ? 2 : 1;
  }
}

namespace exchange {
namespace {

void resolve(const MachineSpec& machine, Settings& settings, Direction direction) {
  resolve_sources(machine, settings);
  resolve_total_words(machine, settings, 1);
  step_order(machine, settings, direction);
}

// In every step half of all words move, in messages alike; where neighbours take turns, in two.
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings, Direction direction) {
  const StepOrder order = step_order(machine, settings, direction);
  const Wide half = *settings.words / 2;
  method::StepLengths lengths(model.cost);
  Wide messages = 0;
  Wide startups = 0;
  const std::vector<std::uint64_t> counts = senders(order);
  for (Port step = 0; step < counts.size(); ++step) {
    const std::uint64_t count = counts[step];
    const auto length = static_cast<std::uint64_t>(half / count);
    lengths.add(takes_turns_in(order, step, model.duplex) ? 2 : 1, length);
    messages += count;
    startups += Wide{count} * model.cost.startups(length);
  }
  const CountFormulas formulas = formulas_of(order, model.duplex);
  return {.steps = exact_count(lengths.steps(), formulas.steps),
          .messages = exact_count(messages, formulas.messages),
          .words = exact_count(counts.size() * half, "n PQ/2"),
          .longest_sum = exact_count(lengths.sum(), formulas.longest_sum),
          .longest_startups = lengths.startups(),
          .startups = exact_count(startups, formulas.startups)};
}

Outcome run_exchange(const RunRequest& request, Direction direction) {
  const StepOrder order = step_order(request.machine, request.settings, direction);
  return run(request, direction,
             [&](Processor<Bundle>& self, Bundle& held) { return exchange_in_order(self, held, order); });
}

// A processor keeps the room of the blocks that it has sent in the splitting: all of them at the few, a subcube's
// elsewhere. Half of what one holds is on its way in the exchange, and lists grow by doubling their room.
std::uint64_t bytes_of_some_to_all(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Sizes sizes = sizes_of(machine, settings);
  return bytes_for(machine, model, settings, Wide{6 + sizes.k} * sizes.pairs / 2);
}

std::uint64_t bytes_of_all_to_some(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{3} * sizes_of(machine, settings).pairs);
}

constexpr auto both = and_all_to_some<resolve, predict, run_exchange>;

}  // namespace
}  // namespace exchange
}  // namespace some_to_all

extern const method::MethodPair some_to_all_exchange_methods = some_to_all::exchange::both(
    {
        .name = "some-to-all/exchange",
        .source = "Johnsson & Ho, section 3.3 (johnsson-ho.md, Some to all)",
        .summary =
            "the holders double and hand half of their blocks on, until all are holders; then neighbours exchange all "
            "blocks for the other side",
        .parameters = {some_to_all::words_parameter, some_to_all::sources_parameter,
                       some_to_all::split_order_parameter},
        .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
        .strictest_duplex = Duplex::half_node,
        .bytes = some_to_all::exchange::bytes_of_some_to_all,
    },
    {
        .name = "all-to-some/exchange",
        .summary =
            "neighbours exchange all blocks for the other side; then half of the holders hand all that they have to "
            "the other half, until those are left for which it is",
        .parameters = {some_to_all::words_parameter, some_to_all::destinations_parameter,
                       some_to_all::accumulate_order_parameter},
        .bytes = some_to_all::exchange::bytes_of_all_to_some,
    });

}  // namespace lockstep
