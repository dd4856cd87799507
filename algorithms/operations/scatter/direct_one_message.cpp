#include "lockstep/algorithms/operation/scatter.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"

namespace lockstep {
namespace scatter {
namespace {

// The root sends all blocks at once, and every processor keeps its own. After Saad & Schultz 1988, (3.36)
// (saad-schultz-1988.md, Bus). One step.
Process scatter_in_one_message(Processor<Bundle>& self, Rank root, HeldBlocks& held) {
  self.hold(held.words);
  if (self.rank() == root) {
    const Bundle foreign = held.pieces.take([&](const Piece& piece) { return piece.destination != root; });
    held.words -= words(foreign);
    const std::vector<Rank> others = all_but(root, self.processors());
    self.send(others, foreign);
  } else {
    const Bundle heard = co_await self.message(root);
    held.pieces.add_piece(heard, place_without(root, self.rank()));
    held.words += words(held.pieces);
    self.hold(held.words);
  }
}

Prediction predict_direct_one_message(const MachineSpec& machine, const Model&, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  const auto length = exact_count(Wide{machine.processors - 1} * *settings.words, "(k - 1) m");
  return {.steps = Count{1, true, "1"},
          .messages = Count{1, true, "1"},
          .words = length,
          .longest_sum = length,
          .message_words = length ? std::optional(length->value) : std::nullopt};
}

// All blocks, once more as the root sends them, and one a processor.
std::uint64_t bytes_direct_one_message(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(bytes_for(machine, model, settings, Wide{3} * machine.processors) +
                   machine.processors * Wide{Bundle::bytes_of_copy(*settings.words)});
}

Outcome run_in_one_message(const RunRequest& request) {
  const Rank root = request.root();
  return run(request, Reading::forwards,
             [root](Processor<Bundle>& self, HeldBlocks& held) { return scatter_in_one_message(self, root, held); });
}

}  // namespace
}  // namespace scatter

extern const Method scatter_direct_one_message_method = scatter::with_defaults({
    .name = "scatter/direct-one-message",
    .families = {"bus"},
    .source = "after Saad & Schultz 1988, (3.36) (saad-schultz-1988.md, Bus)",
    .summary = "the root sends all blocks in one transaction, and every processor keeps its own",
    .defaults = {.multicast = true},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = scatter::predict_direct_one_message,
    .bytes = scatter::bytes_direct_one_message,
    .run = scatter::run_in_one_message,
});

}  // namespace lockstep
