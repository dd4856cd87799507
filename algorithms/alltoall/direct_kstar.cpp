#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep {
namespace alltoall {
namespace {

// For the offsets d = 1..k-1 everybody sends its block to the processor that comes d after it, kstar of them a cycle in
// the order of the ranks. After Saad & Schultz 1988, section 3.5(a) (saad-schultz-1988.md, Bus). (k-1) ceil(k/kstar)
// steps.
Process alltoall_by_kstar(Processor<Bundle>& self, Bundle& held) {
  const Rank k = self.processors();
  const Rank rank = self.rank();
  const Medium& bus = *self.topology().medium();
  Bundle received;
  self.hold(words(held));  // each offset takes a block and brings one
  for (Rank offset = 1; offset < k; ++offset) {
    const Rank to = shifted(rank, offset, k);
    const Rank from = shifted(rank, k - offset, k);
    co_await self.until((offset - 1) * rounds(bus, k) + round_of(bus, rank));
    Bundle block;
    block.add_piece(held, place_without(rank, to));
    self.send(to, std::move(block));
    Bundle bundle = co_await self.message(from);
    check_only_piece(bundle, from, rank);
    received.add(std::move(bundle));
  }
  held = std::move(received);
}

Prediction predict(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  const Wide S = (k - 1) * rounds(*machine.medium, machine.processors);
  return {.steps = exact_count(S, "(k - 1) ceil(k/kstar)"),
          .messages = exact_count(k * (k - 1), "k (k - 1)"),
          .words = exact_count(k * (k - 1) * b, "k (k - 1) b"),
          .longest_sum = exact_count(S * b, "(k - 1) ceil(k/kstar) b"),
          .message_words = *settings.words};
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{3} * machine.processors * machine.processors);
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_direct_kstar_method = alltoall::with_defaults({
    .name = "alltoall/direct-kstar",
    .families = {"bus"},
    .source = "after Saad & Schultz 1988, section 3.5(a) (saad-schultz-1988.md, Bus)",
    .summary = "offset by offset everybody sends a block that far on, kstar processors a cycle",
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one},
    .predict = alltoall::predict,
    .lower_bound = alltoall::lower_bound_on_bus,
    .bytes = alltoall::bytes,
    .run = [](const RunRequest& request) { return alltoall::run(request, alltoall::alltoall_by_kstar); },
});

}  // namespace lockstep
