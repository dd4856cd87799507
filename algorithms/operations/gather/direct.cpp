#include "operations/scatter/direct.hpp"

#include <numeric>

#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"

// Gathers over a medium between the root and each of the others, without anybody between.
namespace lockstep {
namespace gather {
namespace {

using scatter::Held;
using scatter::Reading;
using scatter::direct::hand_out;
using scatter::direct::keep;
using scatter::direct::run_direct;

// The scatter in reversed time: the block of the next rank comes last.
Process gather_on_bus(Processor<Bundle>& self, Rank root, Held& held) {
  const Rank k = self.processors();
  self.hold(held.words);
  if (self.rank() != root) {
    co_await self.until(k - 1 - offset_from(root, self.rank(), k));
    self.send(root, hand_out(held, 0));
    held.pieces.clear();
    co_return;
  }
  for (Rank offset = k - 1; offset > 0; --offset) {
    const Rank from = shifted(root, offset, k);
    Bundle bundle = co_await self.message(from);
    keep(held, std::move(bundle), from, root);
    self.hold(held.words);
  }
}

// All others write their blocks, kstar of them a cycle or as many as there are banks, into consecutive slots; then the
// root reads them in one access.
Process gather_through_memory(Processor<Bundle>& self, Rank root, Held& held) {
  const Rank k = self.processors();
  const Medium& memory = *self.topology().medium();
  self.hold(held.words);
  if (self.rank() != root) {
    const Rank place = place_without(root, self.rank());
    co_await self.until(round_of(memory, place));
    self.write(place, hand_out(held, 0));
    held.pieces.clear();
  } else if (k > 1) {
    co_await self.until(rounds(memory, k - 1));
    std::vector<Slot> slots(k - 1);
    std::iota(slots.begin(), slots.end(), Slot{0});
    std::vector<Message<Bundle>> values = co_await self.read(slots);
    for (Message<Bundle>& value : values) {
      const Rank from = value.port < root ? value.port : value.port + 1;
      keep(held, std::move(value.payload), from, root);
    }
    self.hold(held.words);
  }
}

Outcome run_gather_on_bus(const RunRequest& request) { return run_direct(request, Reading::backwards, gather_on_bus); }

Outcome run_gather_through_memory(const RunRequest& request) {
  return run_direct(request, Reading::backwards, gather_through_memory, request.topology.processors());
}

}  // namespace
}  // namespace gather

extern const Method gather_direct_bus_method = scatter::gather_with_defaults({
    .name = "gather/direct",
    .families = {"bus"},
    .source = "Saad & Schultz 1988, (3.36) reversed (saad-schultz-1988.md, Bus)",
    .summary = "one after the other sends its block to the root, the next rank last",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = scatter::direct::predict_on_bus,
    .lower_bound = scatter::lower_bound_of_gather_on_bus,
    .bytes = scatter::direct::bytes_on_bus,
    .run = gather::run_gather_on_bus,
});

extern const Method gather_direct_shared_method = scatter::gather_with_defaults({
    .name = "gather/direct",
    .families = {"shared"},
    .source = "Saad & Schultz 1988, (3.37) reversed (saad-schultz-1988.md, Shared memory)",
    .summary = "the others write their blocks, kstar of them a cycle, then the root reads all",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = scatter::direct::predict_through_memory,
    .lower_bound = method::no_bound,
    .bytes = scatter::direct::bytes_of_memory,
    .run = gather::run_gather_through_memory,
});

}  // namespace lockstep
