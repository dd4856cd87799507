#include "../media.hpp"
#include "../step_lengths.hpp"
#include "scatter.hpp"

// Scatters and gathers over a medium between the root and each of the others, without anybody between.
namespace lockstep {
namespace scatter {
namespace {

/// Takes the piece at that index out of what is held and leaves an empty one.
Piece take(Holdings& held, std::size_t index) {
  Piece piece = std::move(held.pieces[index]);
  held.words -= piece.block.size();
  return piece;
}

void keep(Holdings& held, Piece piece) {
  held.words += piece.block.size();
  held.pieces.push_back(std::move(piece));
}

/// What the root holds before a scatter, which is in the order of the ranks, becomes its own block.
void keep_own_only(Holdings& held, Rank root) {
  Piece own = std::move(held.pieces[root]);
  held.words = own.block.size();
  held.pieces.clear();
  held.pieces.push_back(std::move(own));
}

// The block for the next rank leaves first. Saad & Schultz 1988, (3.36) (SS 4). k - 1 steps.
Process scatter_on_bus(Processor<Bundle>& self, Rank root, Holdings& held) {
  const Rank k = self.processors();
  self.hold(held.words);
  if (self.rank() != root) {
    Bundle bundle = co_await self.message(root);
    keep(held, only_piece(std::move(bundle), root, self.rank()));
    self.hold(held.words);
    co_return;
  }
  for (Rank offset = 1; offset < k; ++offset) {
    const Rank to = shifted(root, offset, k);
    self.send(to, bundle_of(take(held, to)));
    co_await self.cycle();
  }
  keep_own_only(held, root);
}

// The scatter in reversed time: the block of the next rank comes last.
Process gather_on_bus(Processor<Bundle>& self, Rank root, Holdings& held) {
  const Rank k = self.processors();
  self.hold(held.words);
  if (self.rank() != root) {
    co_await self.until(k - 1 - offset_from(root, self.rank(), k));
    self.send(root, bundle_of(take(held, 0)));
    held.pieces.clear();
    co_return;
  }
  for (Rank offset = k - 1; offset > 0; --offset) {
    const Rank from = shifted(root, offset, k);
    Bundle bundle = co_await self.message(from);
    keep(held, only_piece(std::move(bundle), from, root));
    self.hold(held.words);
  }
}

// The root writes all blocks in one access, then every other processor reads its own, kstar of them a cycle. Saad &
// Schultz 1988, (3.37) (SS 5). 1 + ceil((k-1)/kstar) steps.
Process scatter_through_memory(Processor<Bundle>& self, Rank root, Holdings& held) {
  self.hold(held.words);
  if (self.rank() != root) {
    co_await self.until(1 + round_of(*self.topology().medium(), place_without(root, self.rank())));
    Bundle bundle = co_await self.read(self.rank());
    keep(held, only_piece(std::move(bundle), root, self.rank()));
    self.hold(held.words);
  } else if (self.processors() > 1) {
    std::vector<std::pair<Slot, Bundle>> values;
    for (const Rank to : all_but(root, self.processors())) values.emplace_back(to, bundle_of(take(held, to)));
    self.write(std::move(values));
    keep_own_only(held, root);
  }
}

// All others write their blocks, kstar of them a cycle, then the root reads them in one access.
Process gather_through_memory(Processor<Bundle>& self, Rank root, Holdings& held) {
  const Rank k = self.processors();
  const Medium& memory = *self.topology().medium();
  self.hold(held.words);
  if (self.rank() != root) {
    co_await self.until(round_of(memory, place_without(root, self.rank())));
    self.write(self.rank(), bundle_of(take(held, 0)));
    held.pieces.clear();
  } else if (k > 1) {
    co_await self.until(rounds(memory, k - 1));
    const std::vector<Slot> others = all_but(root, k);
    std::vector<Message<Bundle>> values = co_await self.read(others);
    for (Message<Bundle>& value : values) keep(held, only_piece(std::move(value.payload), value.port, root));
    self.hold(held.words);
  }
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
  if (machine.processors == 1) return nothing_moves();
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  const Wide R = rounds(*machine.medium, machine.processors - 1);
  StepLengths lengths(model.cost);
  lengths.add(1, (k - 1) * m);  // the root's
  lengths.add(R, m);
  return {.steps = exact_count(lengths.steps(), "1 + ceil((k-1)/kstar)"),
          .messages = exact_count(k, "k"),
          .words = exact_count(2 * (k - 1) * m, "2 (k - 1) m"),
          .longest_sum = exact_count(lengths.sum(), "(k - 1) m + ceil((k-1)/kstar) m"),
          .message_words = {},
          .longest_startups = lengths.startups()};
}

// All at the root, which makes room as they come if it gathers, and one elsewhere.
std::uint64_t bytes_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{3} * machine.processors);
}

std::uint64_t bytes_of_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{4} * machine.processors, machine.processors);
}

using Program = Process (*)(Processor<Bundle>& self, Rank root, Holdings& held);

Outcome run_direct(const RunRequest& request, Reading reading, Program program, std::size_t memory_slots = 0) {
  const auto root = static_cast<Rank>(*request.settings.root);
  return run(
      request, reading, [&](Processor<Bundle>& self, Holdings& held) { return program(self, root, held); },
      memory_slots);
}

Outcome run_scatter_on_bus(const RunRequest& request) { return run_direct(request, Reading::forwards, scatter_on_bus); }

Outcome run_gather_on_bus(const RunRequest& request) { return run_direct(request, Reading::backwards, gather_on_bus); }

Outcome run_scatter_through_memory(const RunRequest& request) {
  return run_direct(request, Reading::forwards, scatter_through_memory, request.topology.processors());
}

Outcome run_gather_through_memory(const RunRequest& request) {
  return run_direct(request, Reading::backwards, gather_through_memory, request.topology.processors());
}

}  // namespace
}  // namespace scatter

extern const Method scatter_direct_bus_method{
    .name = "scatter/direct",
    .operation = "scatter",
    .known_as = "scattering",
    .families = {"bus"},
    .source = "Saad & Schultz 1988, (3.36) (SS 4)",
    .summary = "the root sends one after the other its block, the next rank first",
    .parameters = {scatter::words_parameter, scatter::root_parameter, scatter::input_parameter,
                   scatter::output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .resolve = scatter::resolve,
    .predict = scatter::predict_on_bus,
    .lower_bound = scatter::lower_bound_on_bus,
    .bytes = scatter::bytes_on_bus,
    .run = scatter::run_scatter_on_bus,
};

extern const Method gather_direct_bus_method{
    .name = "gather/direct",
    .operation = "gather",
    .known_as = "gathering",
    .families = {"bus"},
    .source = "Saad & Schultz 1988, (3.36) reversed (SS 4)",
    .summary = "one after the other sends its block to the root, the next rank last",
    .parameters = {scatter::words_parameter, scatter::root_parameter, scatter::input_parameter,
                   scatter::output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .resolve = scatter::resolve,
    .predict = scatter::predict_on_bus,
    .lower_bound = scatter::lower_bound_of_gather_on_bus,
    .bytes = scatter::bytes_on_bus,
    .run = scatter::run_gather_on_bus,
};

extern const Method scatter_direct_shared_method{
    .name = "scatter/direct",
    .operation = "scatter",
    .known_as = "scattering",
    .families = {"shared"},
    .source = "Saad & Schultz 1988, (3.37) (SS 5)",
    .summary = "the root writes all blocks, then the others read theirs, kstar of them a cycle",
    .parameters = {scatter::words_parameter, scatter::root_parameter, scatter::input_parameter,
                   scatter::output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .resolve = scatter::resolve,
    .predict = scatter::predict_through_memory,
    .lower_bound = no_bound,
    .bytes = scatter::bytes_of_memory,
    .run = scatter::run_scatter_through_memory,
};

extern const Method gather_direct_shared_method{
    .name = "gather/direct",
    .operation = "gather",
    .known_as = "gathering",
    .families = {"shared"},
    .source = "Saad & Schultz 1988, (3.37) reversed (SS 5)",
    .summary = "the others write their blocks, kstar of them a cycle, then the root reads all",
    .parameters = {scatter::words_parameter, scatter::root_parameter, scatter::input_parameter,
                   scatter::output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .resolve = scatter::resolve,
    .predict = scatter::predict_through_memory,
    .lower_bound = no_bound,
    .bytes = scatter::bytes_of_memory,
    .run = scatter::run_gather_through_memory,
};

}  // namespace lockstep
