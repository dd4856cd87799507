#include "catalogue/entry_parts.hpp"
#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"

// Broadcasts over a medium that takes the item to all others without anybody between.
namespace lockstep {
namespace broadcast {
namespace {

// One transaction, which all others hear. Saad & Schultz 1988, section 3.2(a) (saad-schultz-1988.md, Bus). One step.
Process broadcast_on_bus(Processor<Block>& self, Rank root, Block& item) {
  if (self.rank() == root) {
    const std::vector<Rank> others = all_but(root, self.processors());
    self.send(others, item);
  } else {
    item = co_await self.message(root);
  }
  self.hold(item.size());
}

// The root writes the item, then all others read it, kstar of them a cycle. Saad & Schultz 1988, (3.15)
// (saad-schultz-1988.md, Shared memory). 1 + ceil((k-1)/kstar) steps.
Process broadcast_through_memory(Processor<Block>& self, Rank root, Block& item) {
  constexpr Slot slot = 0;
  if (self.rank() != root) {
    co_await self.until(1 + round_of(*self.topology().medium(), place_without(root, self.rank())));
    item = co_await self.read(slot);
  } else if (self.processors() > 1) {
    self.write(slot, item);
  }
  self.hold(item.size());
}

Prediction predict_on_bus(const MachineSpec& machine, const Model&, const Settings& settings) {
  if (machine.processors == 1) return nothing_moves();
  const std::uint64_t N = *settings.words;
  return {.steps = Count{1, true, "1"},
          .messages = Count{1, true, "1"},
          .words = Count{N, true, "N"},
          .longest_sum = Count{N, true, "N"},
          .message_words = N};
}

Prediction predict_through_memory(const MachineSpec& machine, const Model&, const Settings& settings) {
  if (machine.processors == 1) return nothing_moves();
  const Wide k = machine.processors;
  const Wide N = *settings.words;
  const Wide S = 1 + rounds(*machine.medium, machine.processors - 1);
  return {.steps = exact_count(S, "1 + ceil((k-1)/kstar)"),
          .messages = exact_count(k, "k"),
          .words = exact_count(k * N, "k N"),
          .longest_sum = exact_count(S * N, "(1 + ceil((k-1)/kstar)) N"),
          .message_words = *settings.words};
}

LowerBound bound_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return lower_bound(machine, model, settings, 1);
}

std::uint64_t bytes_of_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_with_slots(machine, model, settings, 1);
}

Outcome run_on_bus(const RunRequest& request) {
  const auto root = static_cast<Rank>(*request.settings.root);
  return run(request, [root](Processor<Block>& self, Block& item) { return broadcast_on_bus(self, root, item); });
}

Outcome run_through_memory(const RunRequest& request) {
  const auto root = static_cast<Rank>(*request.settings.root);
  return run(
      request, [root](Processor<Block>& self, Block& item) { return broadcast_through_memory(self, root, item); }, 1);
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_direct_bus_method = broadcast::with_defaults({
    .name = "broadcast/direct",
    .families = {"bus"},
    .source = "Saad & Schultz 1988, section 3.2(a) (saad-schultz-1988.md, Bus)",
    .summary = "one transaction that all others hear",
    .defaults = {.ports = PortModel::one, .multicast = true},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = broadcast::predict_on_bus,
    .lower_bound = broadcast::bound_on_bus,
    .run = broadcast::run_on_bus,
});

extern const Method broadcast_direct_shared_method = broadcast::with_defaults({
    .name = "broadcast/direct",
    .families = {"shared"},
    .source = "Saad & Schultz 1988, (3.15) (saad-schultz-1988.md, Shared memory)",
    .summary = "the root writes the item, then the others read it, kstar of them a cycle",
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = broadcast::predict_through_memory,
    .lower_bound = no_bound,
    .bytes = broadcast::bytes_of_memory,
    .run = broadcast::run_through_memory,
});

}  // namespace lockstep
