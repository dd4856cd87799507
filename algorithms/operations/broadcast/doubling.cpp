#include <bit>

#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/switches.hpp"

namespace lockstep {
namespace broadcast {
namespace {

// Before step i (from 0) the c = 2^i processors from the root on hold the item, and each sends it to the one that comes
// c after it, as long as there is one. Saad & Schultz 1988, (3.23) (saad-schultz-1988.md, Switch). ceil(log2 k) steps,
// half duplex.
Process broadcast_doubling(Processor<Block>& self, Rank root, Block& item) {
  const Rank k = self.processors();
  const std::uint64_t offset = offset_from(root, self.rank(), k);
  if (offset != 0) item = co_await self.message(shifted(root, offset - std::bit_floor(offset), k));
  self.hold(item.size());
  for (std::uint64_t c = std::bit_ceil(offset + 1); offset + c < k; c *= 2) {
    self.send(shifted(self.rank(), c, k), item);
    co_await self.cycle();
  }
}

Prediction predict_doubling(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide k = machine.processors;
  const Wide N = *settings.words;
  const Wide S = doublings(machine.processors);
  return {.steps = exact_count(S, "ceil(log2 k)"),
          .messages = exact_count(k - 1, "k - 1"),
          .words = exact_count((k - 1) * N, "(k - 1) N"),
          .longest_sum = exact_count(S * N, "ceil(log2 k) N"),
          .message_words = *settings.words};
}

Outcome run_doubling(const RunRequest& request) {
  const Rank root = request.root();
  return run(request, [root](Processor<Block>& self, Block& item) { return broadcast_doubling(self, root, item); });
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_doubling_method = broadcast::with_defaults({
    .name = "broadcast/doubling",
    .aliases = {"broadcast/binomial"},
    .families = method::all_switches(),
    .source = "Saad & Schultz 1988, (3.23) (saad-schultz-1988.md, Switch)",
    .summary = "the holders double every step, each sending as far on as there are holders",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = broadcast::predict_doubling,
    .run = broadcast::run_doubling,
});

}  // namespace lockstep
