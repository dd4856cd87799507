#include <numeric>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/step_lengths.hpp"
#include "operations/scatter/and_gather.hpp"

// Scatters and gathers over a medium between the root and each of the others, without a processor between.
namespace lockstep {
namespace scatter {
namespace direct {
namespace {

/// What limits the accesses of a cycle, in the terms of formulas.
std::string at_once_text(const Medium& memory) { return memory.banks == 0 ? "kstar" : "min(kstar, banks)"; }

/// Returns the piece at that index, to be sent. It stays in its place until the program drops it.
Bundle hand_out(HeldBlocks& held, std::size_t index) {
  Bundle handed;
  handed.add_piece(held.pieces, index);
  held.words -= words(handed);
  return handed;
}

/// Keeps a block received. Throws std::logic_error unless it is the block of that origin for that destination.
void keep(HeldBlocks& held, Bundle received, Rank origin, Rank destination) {
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

// All blocks at the root, which makes room as they come if it gathers, and one elsewhere.
std::uint64_t bytes_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(bytes_for(machine, model, settings, Wide{3} * machine.processors) +
                   machine.processors * Wide{Bundle::bytes_of_copy(*settings.words)});
}

std::uint64_t bytes_of_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(bytes_for(machine, model, settings, Wide{4} * machine.processors, machine.processors) +
                   machine.processors * Wide{Bundle::bytes_of_copy(*settings.words)});
}

/// Reduces the root's blocks, which are in the order of the ranks before a scatter, to its own.
void keep_own_only(HeldBlocks& held, Rank root) {
  Bundle own;
  own.add_piece(held.pieces, root);
  held.words = words(own);
  held.pieces = std::move(own);
}

// The block for the next rank leaves first. Saad & Schultz 1988, (3.36) (saad-schultz-1988.md, Bus). k - 1 steps.
Process scatter_on_bus(Processor<Bundle>& self, Rank root, HeldBlocks& held) {
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
Process scatter_through_memory(Processor<Bundle>& self, Rank root, HeldBlocks& held) {
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

// The scatter in reversed time: the block of the next rank comes last.
Process gather_on_bus(Processor<Bundle>& self, Rank root, HeldBlocks& held) {
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
Process gather_through_memory(Processor<Bundle>& self, Rank root, HeldBlocks& held) {
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

/// The program of one processor.
using DirectScatter = Process (*)(Processor<Bundle>& self, Rank root, HeldBlocks& held);

/// Runs the program of the reading on every processor, with that many slots of a shared memory.
Outcome run_programs(const RunRequest& request, Reading reading, DirectScatter scatter, DirectScatter gather,
                     std::size_t memory_slots = 0) {
  const Rank root = request.root();
  const DirectScatter program = reading == Reading::forwards ? scatter : gather;
  return run(
      request, reading, [&](Processor<Bundle>& self, HeldBlocks& held) { return program(self, root, held); },
      memory_slots);
}

Outcome run_on_bus(const RunRequest& request, Reading reading) {
  return run_programs(request, reading, scatter_on_bus, gather_on_bus);
}

Outcome run_through_memory(const RunRequest& request, Reading reading) {
  return run_programs(request, reading, scatter_through_memory, gather_through_memory, request.topology.processors());
}

}  // namespace
}  // namespace direct
}  // namespace scatter

extern const method::MethodPair scatter_direct_bus_methods = scatter::and_gather<scatter::direct::run_on_bus>(
    {
        .name = "scatter/direct",
        .families = {"bus"},
        .source = "Saad & Schultz 1988, (3.36) (saad-schultz-1988.md, Bus)",
        .summary = "the root sends one after the other its block, the next rank first",
        .port_models = {PortModel::one},
        .strictest_duplex = Duplex::half_node,
        .predict = scatter::direct::predict_on_bus,
        .bytes = scatter::direct::bytes_on_bus,
    },
    {
        .name = "gather/direct",
        .source = "Saad & Schultz 1988, (3.36) reversed (saad-schultz-1988.md, Bus)",
        .summary = "one after the other sends its block to the root, the next rank last",
    });

extern const method::MethodPair scatter_direct_shared_methods =
    scatter::and_gather<scatter::direct::run_through_memory>(
        {
            .name = "scatter/direct",
            .families = {"shared"},
            .source = "Saad & Schultz 1988, (3.37) (saad-schultz-1988.md, Shared memory)",
            .summary = "the root writes all blocks, then the others read theirs, kstar of them a cycle",
            .port_models = {PortModel::one},
            .strictest_duplex = Duplex::half_node,
            .predict = scatter::direct::predict_through_memory,
            .bytes = scatter::direct::bytes_of_memory,
        },
        {
            .name = "gather/direct",
            .source = "Saad & Schultz 1988, (3.37) reversed (saad-schultz-1988.md, Shared memory)",
            .summary = "the others write their blocks, kstar of them a cycle, then the root reads all",
        });

}  // namespace lockstep
