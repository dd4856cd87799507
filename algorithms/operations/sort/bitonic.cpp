#include <algorithm>

#include "compare_split.hpp"

namespace lockstep {
namespace sort {
namespace {

// Blocked bitonic sort on the v-cube (mukherjee.md, Sorting, cube): for st = 0..v-1, for d = st..0 a compare-split on
// port d, ascending where bit st+1 of the address is 0, as it is everywhere in the last stage. v (v+1) / 2 steps, in
// each of which all processors exchange blocks: one port, the same for both directions, and links that carry both at
// once.
template <class Key>
Process sort_bitonic(Processor<Records<Key>>& self, const SortingNetwork& network, std::vector<Key>& own) {
  std::sort(own.begin(), own.end());
  self.hold(own.size());
  HeldRecords<Key> held{.own = own, .block_size = own.size(), .first = self.rank()};
  for (const CompareSplit& split : network) co_await compare_split(self, split.dimension, split, held);
}

Prediction predict(const MachineSpec& machine, const Model&, const Settings& settings) {
  const std::uint64_t v = machine.ports;
  const std::uint64_t steps = v * (v + 1) / 2;
  const std::uint64_t b = *settings.words;
  return {.steps = Count{steps, true, "v (v+1) / 2"},
          .messages = Count{machine.processors * steps, true, "N v (v+1) / 2"},
          .words = exact_count(Wide{machine.processors} * steps * b, "N b v (v+1) / 2"),
          .longest_sum = Count{steps * b, true, "b v (v+1) / 2"},
          .message_words = b};
}

std::uint64_t bytes_bitonic(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t frames = 1000;  // of the program and its sub-program, beyond those of a small one
  return saturated(Wide{bytes(machine, model, settings)} + machine.processors * frames);
}

LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return worst_case_bound(model, settings, machine.ports, machine.ports);
}

Outcome run(const RunRequest& request) {
  const SortingNetwork network = bitonic_sort(request.topology.ports(), 0);
  return run_sort(request, [&](auto& self, auto& own) { return sort_bitonic(self, network, own); });
}

}  // namespace
}  // namespace sort

extern const Method sort_bitonic_method = sort::with_defaults({
    .name = "sort/bitonic",
    .families = {"hypercube"},
    .source = "Mukherjee, chapter 5 (mukherjee.md, Sorting, cube)",
    .summary = "blocked bitonic sort: neighbours exchange blocks, one keeps the low half and the other the high half",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .predict = sort::predict,
    .proven = sort::lower_bound,
    .bytes = sort::bytes_bitonic,
    .run = sort::run,
});

}  // namespace lockstep
