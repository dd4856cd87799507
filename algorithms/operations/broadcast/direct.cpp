#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "plans/tree/limited_doubling.hpp"

// Broadcasts over a medium that takes the item to all others without a processor between.
namespace lockstep {
namespace broadcast {
namespace {

// One transaction, which all others receive, or one message that the elements of a network copy. Saad & Schultz 1988,
// sections 3.2(a) and (f) (saad-schultz-1988.md, Bus, Omega network). One step.
Process broadcast_at_once(Processor<Block>& self, Rank root, Block& item) {
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

/// With banks only one processor at a time could read the item: readers write copies into other banks.
tree::LimitedDoubling readers_of_banks(const Medium& memory) { return tree::LimitedDoubling(users_at_once(memory)); }

// Holder x, x places from the root on, reads copy source_of(x) after the first write; until there are as many copies as
// processors can read at once, or as will be needed, holder x < c = 1, 2, 4, .. writes copy c + x while the copies
// below c are read. (saad-schultz-1988.md, Shared memory.)
Process broadcast_through_banks(Processor<Block>& self, Rank root, Block& item) {
  const Rank k = self.processors();
  const tree::LimitedDoubling readers = readers_of_banks(*self.topology().medium());
  const std::uint64_t holder = offset_from(root, self.rank(), k);
  const std::uint64_t copies = readers.sources(k);
  if (holder != 0) {
    co_await self.until(1 + readers.step_of(holder));
    item = co_await self.read(static_cast<Slot>(readers.source_of(holder)));
  } else if (k > 1) {
    self.write(0, item);
  }
  self.hold(item.size());
  for (std::uint64_t c = std::bit_ceil(holder + 1); c + holder < copies; c *= 2) {
    co_await self.until(1 + static_cast<Cycle>(std::countr_zero(c)));
    self.write(static_cast<Slot>(c + holder), item);
  }
}

Prediction predict_at_once(const MachineSpec& machine, const Model&, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  const std::uint64_t N = *settings.words;
  return {.steps = Count{1, true, "1"},
          .messages = Count{1, true, "1"},
          .words = Count{N, true, "N"},
          .longest_sum = Count{N, true, "N"},
          .message_words = N};
}

Prediction predict_through_banks(const MachineSpec& machine, const Settings& settings) {
  const tree::LimitedDoubling readers = readers_of_banks(*machine.medium);
  const Wide copies = readers.sources(machine.processors);
  const Wide accesses = machine.processors - 1 + copies;
  const Wide S = 1 + readers.steps(machine.processors);
  const Wide N = *settings.words;
  const std::string many = "1 + q + ceil((k - 2^q)/P), P = min(kstar, banks), q = ceil(log2 P)";
  return {
      .steps = exact_count(S, machine.processors > std::uint64_t{1} << readers.doublings() ? many : "1 + ceil(log2 k)"),
      .messages = exact_count(accesses, "k - 1 reads and a write of each copy"),
      .words = exact_count(accesses * N, "N an access"),
      .longest_sum = exact_count(S * N, "S N"),
      .message_words = *settings.words};
}

Prediction predict_through_memory(const MachineSpec& machine, const Model&, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  if (machine.medium->banks != 0) return predict_through_banks(machine, settings);
  const Wide k = machine.processors;
  const Wide N = *settings.words;
  const Wide S = 1 + rounds(*machine.medium, machine.processors - 1);
  return {.steps = exact_count(S, "1 + ceil((k-1)/kstar)"),
          .messages = exact_count(k, "k"),
          .words = exact_count(k * N, "k N"),
          .longest_sum = exact_count(S * N, "(1 + ceil((k-1)/kstar)) N"),
          .message_words = *settings.words};
}

/// One slot, or one per copy.
std::uint64_t slots_of(const Medium& memory, std::uint64_t processors) {
  return memory.banks == 0 ? 1 : std::max<std::uint64_t>(1, readers_of_banks(memory).sources(processors));
}

std::uint64_t bytes_of_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_with_slots(machine, model, settings, slots_of(*machine.medium, machine.processors));
}

Outcome run_at_once(const RunRequest& request) {
  const Rank root = request.root();
  return run(request, [root](Processor<Block>& self, Block& item) { return broadcast_at_once(self, root, item); });
}

Outcome run_through_memory(const RunRequest& request) {
  const Rank root = request.root();
  const Medium& memory = *request.topology.medium();
  const auto program = memory.banks == 0 ? broadcast_through_memory : broadcast_through_banks;
  return run(
      request, [=](Processor<Block>& self, Block& item) { return program(self, root, item); },
      slots_of(memory, request.topology.processors()));
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_direct_bus_method = broadcast::with_defaults({
    .name = "broadcast/direct",
    .families = {"bus"},
    .source = "Saad & Schultz 1988, section 3.2(a) (saad-schultz-1988.md, Bus)",
    .summary = "one transaction that all others hear",
    .defaults = {.multicast = true},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = broadcast::predict_at_once,
    .run = broadcast::run_at_once,
});

extern const Method broadcast_direct_omega_method = broadcast::with_defaults({
    .name = "broadcast/direct",
    .families = {"omega", "inverse-omega", "indirect-cube"},
    .source = "Saad & Schultz 1988, section 3.2(f) (saad-schultz-1988.md, Omega network)",
    .summary = "one message that the elements of the network copy for all others",
    .defaults = {.multicast = true},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = broadcast::predict_at_once,
    .run = broadcast::run_at_once,
});

extern const Method broadcast_direct_shared_method = broadcast::with_defaults({
    .name = "broadcast/direct",
    .families = {"shared"},
    .source = "Saad & Schultz 1988, (3.15) (saad-schultz-1988.md, Shared memory)",
    .summary = "the root writes the item, then the others read it, kstar of them a cycle",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = broadcast::predict_through_memory,
    .bytes = broadcast::bytes_of_memory,
    .run = broadcast::run_through_memory,
});

}  // namespace lockstep
