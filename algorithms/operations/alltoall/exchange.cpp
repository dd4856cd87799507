#include "exchange.hpp"

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/dimension_list.hpp"
#include "method/entry_parts.hpp"
#include "method/switches.hpp"

namespace lockstep {
namespace alltoall {
namespace {

/// The port to the neighbour over that dimension: a port of a cube, a rank on a switch.
Port neighbour_over(Port dimension, const Processor<Bundle>& self) {
  return self.topology().medium() ? self.rank() ^ (Rank{1} << dimension) : dimension;
}

std::vector<Port> highest_first(Port n) {
  std::vector<Port> dimensions(n);
  for (Port place = 0; place < n; ++place) dimensions[place] = n - 1 - place;
  return dimensions;
}

}  // namespace

Process exchange(Processor<Bundle>& self, Bundle& held) {
  const std::vector<Port> dimensions = highest_first(width(self.processors() - 1));
  co_await exchange_in_order(self, held, dimensions);
}

// Dimension by dimension, in any order, neighbours exchange all blocks for processors on the other side. Saad & Schultz
// 1985, section 6, MTADEA (saad-schultz-1985.md, MTADEA). In full duplex an exchange takes one step; else two: first
// the processors whose bit of the dimension is 1 send, then the others what they had before, so that no processor sends
// and receives in one step. Over a switch an exchange of all is one permutation, which an Omega network passes too
// (saad-schultz-1988.md, Switch, Omega network).
Process exchange_in_order(Processor<Bundle>& self, Bundle& held, const std::vector<Port>& dimensions) {
  const Rank rank = self.rank();
  const bool at_once = self.model().duplex == Duplex::full;
  const std::uint64_t own_words = words(held);  // as many come in an exchange as go
  self.hold(own_words);
  Rank crossed = 0;
  for (const Port dimension : dimensions) {
    const Port neighbour = neighbour_over(dimension, self);
    const bool first = has_bit(rank, dimension);
    Bundle sent = held.take([&](const Piece& piece) { return has_bit(piece.destination ^ rank, dimension); });
    Bundle received;
    if (at_once || first) {
      self.send(neighbour, std::move(sent));
      received = co_await self.message(neighbour);
    } else {
      received = co_await self.message(neighbour);
      self.hold(own_words + words(received));
      self.send(neighbour, std::move(sent));
      co_await self.cycle();
    }
    crossed |= Rank{1} << dimension;
    check(received, [&](const Piece& piece) { return can_be_at(rank, piece, crossed); });
    held.add(std::move(received));
  }
}

namespace {

Prediction predict_exchange(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const bool full = model.duplex == Duplex::full;
  const Wide f = full ? 1 : 2;
  const Wide n = doublings(machine.processors);
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  const auto length = exact_count(k / 2 * b, "");
  return {.steps = exact_count(f * n, full ? "n" : "2 n"),
          .messages = exact_count(n * k, "n 2^n"),
          .words = exact_count(n * k * (k / 2) * b, "n 2^(2n-1) b"),
          .longest_sum = exact_count(f * n * (k / 2) * b, full ? "n 2^(n-1) b" : "n 2^n b"),
          .message_words = length ? std::optional(length->value) : std::nullopt};
}

constexpr Parameter order_parameter{"order", "dimensions in the order in which they are crossed, e.g. 2,0,1",
                                    "from the highest down"};

std::vector<Port> order_of(const MachineSpec& machine, const Settings& settings) {
  const auto n = static_cast<Port>(machine.ports);
  return settings.order ? method::parse_dimensions("--order", *settings.order, n) : highest_first(n);
}

void resolve_on_cube(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve(machine, model, settings);
  order_of(machine, settings);
}

Outcome run_on_cube(const RunRequest& request) {
  const std::vector<Port> dimensions = order_of(request.machine, request.settings);
  return run(request, [&](Processor<Bundle>& self, Bundle& held) { return exchange_in_order(self, held, dimensions); });
}

void resolve_on_switch(const MachineSpec& machine, const Model& model, Settings& settings) {
  method::require_power_of_two(machine);
  resolve(machine, model, settings);
}

// Half of what a processor holds is on its way in an exchange, and as much may be coming.
std::uint64_t bytes_exchange(const MachineSpec& machine, const Model& model, const Settings& settings) {
  // With room to grow for what comes.
  return bytes_for(machine, model, settings, 5 * Wide{machine.processors} * machine.processors / 2);
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_exchange_method = alltoall::with_defaults({
    .name = "alltoall/exchange",
    .aliases = {"MTADEA"},
    .families = {"hypercube"},
    .source = "Saad & Schultz 1985, section 6 (saad-schultz-1985.md, MTADEA)",
    .summary =
        "dimension by dimension, neighbours exchange all blocks for the other side; in two steps each unless duplex is "
        "full",
    .parameters = {alltoall::words_parameter, alltoall::order_parameter},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = alltoall::resolve_on_cube,
    .predict = alltoall::predict_exchange,
    .bytes = alltoall::bytes_exchange,
    .run = alltoall::run_on_cube,
});

extern const Method alltoall_exchange_switch_method = alltoall::with_defaults({
    .name = "alltoall/exchange",
    .aliases = {"MTADEA"},
    .families = method::all_switches(),
    .source = "Saad & Schultz 1988, section 3.5(f) (saad-schultz-1988.md, Switch)",
    .summary =
        "ranks that differ in one bit exchange all blocks for the other's half; in two steps each unless duplex is "
        "full (2^n processors)",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .resolve = alltoall::resolve_on_switch,
    .predict = alltoall::predict_exchange,
    .bytes = alltoall::bytes_exchange,
    .run = [](const RunRequest& request) { return alltoall::run(request, alltoall::exchange); },
});

}  // namespace lockstep
