#include "direct.hpp"

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/step_lengths.hpp"

// Scatters over a medium between the root and each of the others, without anybody between.
namespace lockstep {
namespace scatter {
namespace direct {

namespace {

/// What limits the accesses of a cycle, as people call it.
std::string at_once_text(const Medium& memory) { return memory.banks == 0 ? "kstar" : "min(kstar, banks)"; }

}  // namespace

Bundle hand_out(Held& held, std::size_t index) {
  Bundle handed;
  handed.add_piece(held.pieces, index);
  held.words -= words(handed);
  return handed;
}

void keep(Held& held, Bundle received, Rank origin, Rank destination) {
  check_only_piece(received, origin, destination);
  held.words += words(received);
  held.pieces.add(std::move(received));
}

Prediction predict_on_bus(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide others = machine.processors - 1;
  const Wide m = *settings.words;
  return {.steps = exact_count(others, "k - 1"),
          .messages = exact_count(others, "k - 1"),
          .words = exact_count(others * m, "(k - 1) m"),
          .longest_sum = exact_count(others * m, "(k - 1) m"),
          .message_words = *settings.words};
}

Prediction predict_through_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  const Wide R = rounds(*machine.medium, machine.processors - 1);
  method::StepLengths lengths(model.cost);
  lengths.add(1, (k - 1) * m);  // the root's
  lengths.add(R, m);
  const std::string readings = "ceil((k-1)/" + at_once_text(*machine.medium) + ")";
  return {.steps = exact_count(lengths.steps(), "1 + " + readings),
          .messages = exact_count(k, "k"),
          .words = exact_count(2 * (k - 1) * m, "2 (k - 1) m"),
          .longest_sum = exact_count(lengths.sum(), "(k - 1) m + " + readings + " m"),
          .longest_startups = lengths.startups()};
}

// All at the root, which makes room as they come if it gathers, and one elsewhere.
std::uint64_t bytes_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{3} * machine.processors);
}

std::uint64_t bytes_of_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{4} * machine.processors, machine.processors);
}

Outcome run_direct(const RunRequest& request, Reading reading, Program program, std::size_t memory_slots) {
  const Rank root = request.root();
  return run(
      request, reading, [&](Processor<Bundle>& self, Held& held) { return program(self, root, held); }, memory_slots);
}

}  // namespace direct

namespace {

using direct::hand_out;
using direct::keep;
using direct::run_direct;

/// What the root holds before a scatter, which is in the order of the ranks, becomes its own block.
void keep_own_only(Held& held, Rank root) {
  Bundle own;
  own.add_piece(held.pieces, root);
  held.words = words(own);
  held.pieces = std::move(own);
}

// The block for the next rank leaves first. Saad & Schultz 1988, (3.36) (saad-schultz-1988.md, Bus). k - 1 steps.
Process scatter_on_bus(Processor<Bundle>& self, Rank root, Held& held) {
  const Rank k = self.processors();
  self.hold(held.words);
  if (self.rank() != root) {
    Bundle bundle = co_await self.message(root);
    keep(held, std::move(bundle), root, self.rank());
    self.hold(held.words);
    co_return;
  }
  for (Rank offset = 1; offset < k; ++offset) {
    const Rank to = shifted(root, offset, k);
    self.send(to, hand_out(held, to));
    co_await self.cycle();
  }
  keep_own_only(held, root);
}

// The root writes all blocks in one access, then every other processor reads its own, kstar of them a cycle or as many
// as there are banks: the blocks lie in consecutive slots. Saad & Schultz 1988, (3.37) (saad-schultz-1988.md, Shared
// memory). 1 + ceil((k-1)/kstar) steps.
Process scatter_through_memory(Processor<Bundle>& self, Rank root, Held& held) {
  self.hold(held.words);
  if (self.rank() != root) {
    const Rank place = place_without(root, self.rank());
    co_await self.until(1 + round_of(*self.topology().medium(), place));
    Bundle bundle = co_await self.read(place);
    keep(held, std::move(bundle), root, self.rank());
    self.hold(held.words);
  } else if (self.processors() > 1) {
    std::vector<std::pair<Slot, Bundle>> values;
    for (const Rank to : all_but(root, self.processors()))
      values.emplace_back(place_without(root, to), hand_out(held, to));
    self.write(std::move(values));
    keep_own_only(held, root);
  }
}

Outcome run_scatter_on_bus(const RunRequest& request) { return run_direct(request, Reading::forwards, scatter_on_bus); }

Outcome run_scatter_through_memory(const RunRequest& request) {
  return run_direct(request, Reading::forwards, scatter_through_memory, request.topology.processors());
}

}  // namespace
}  // namespace scatter

extern const Method scatter_direct_bus_method = scatter::with_defaults({
    .name = "scatter/direct",
    .families = {"bus"},
    .source = "Saad & Schultz 1988, (3.36) (saad-schultz-1988.md, Bus)",
    .summary = "the root sends one after the other its block, the next rank first",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = scatter::direct::predict_on_bus,
    .lower_bound = scatter::lower_bound_on_bus,
    .bytes = scatter::direct::bytes_on_bus,
    .run = scatter::run_scatter_on_bus,
});

extern const Method scatter_direct_shared_method = scatter::with_defaults({
    .name = "scatter/direct",
    .families = {"shared"},
    .source = "Saad & Schultz 1988, (3.37) (saad-schultz-1988.md, Shared memory)",
    .summary = "the root writes all blocks, then the others read theirs, kstar of them a cycle",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = scatter::direct::predict_through_memory,
    .lower_bound = method::no_bound,
    .bytes = scatter::direct::bytes_of_memory,
    .run = scatter::run_scatter_through_memory,
});

}  // namespace lockstep
