#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "plans/tree/limited_doubling.hpp"

namespace lockstep {
namespace broadcast {
namespace {

tree::LimitedDoubling holders_of(const Medium& bus) { return tree::LimitedDoubling(bus.users); }

// In every step holders send the item to others, as many as the bus takes: the holders double until they are kstar,
// then come kstar a step. After Saad & Schultz 1988, sections 2(a) and 3.2(f) (saad-schultz-1988.md, Bus).
Process broadcast_by_kstar(Processor<Block>& self, Rank root, Block& item) {
  const Rank k = self.processors();
  const tree::LimitedDoubling holders = holders_of(*self.topology().medium());
  const std::uint64_t holder = offset_from(root, self.rank(), k);
  if (holder != 0) item = co_await self.message(shifted(root, holders.source_of(holder), k));
  self.hold(item.size());
  for (const std::uint64_t found : holders.found_by(holder, k)) {
    co_await self.until(holders.step_of(found));
    self.send(shifted(root, found, k), item);
  }
}

Prediction predict_doubling_kstar(const MachineSpec& machine, const Model&, const Settings& settings) {
  const tree::LimitedDoubling holders = holders_of(*machine.medium);
  const Wide k = machine.processors;
  const Wide N = *settings.words;
  const Wide S = holders.steps(machine.processors);
  return {.steps = exact_count(S, holders.steps_text(machine.processors)),
          .messages = exact_count(k - 1, "k - 1"),
          .words = exact_count((k - 1) * N, "(k - 1) N"),
          .longest_sum = exact_count(S * N, "S N"),
          .message_words = *settings.words};
}

Outcome run_by_kstar(const RunRequest& request) {
  const Rank root = request.root();
  return run(request, [root](Processor<Block>& self, Block& item) { return broadcast_by_kstar(self, root, item); });
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_doubling_kstar_method = broadcast::with_defaults({
    .name = "broadcast/doubling-kstar",
    .families = {"bus"},
    .source = "after Saad & Schultz 1988, sections 2(a) and 3.2(f) (saad-schultz-1988.md, Bus)",
    .summary = "without multicast: the holders double until they are kstar, then kstar a step are found",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = broadcast::predict_doubling_kstar,
    .run = broadcast::run_by_kstar,
});

}  // namespace lockstep
