#include <algorithm>

#include "compare_split.hpp"

namespace lockstep {
namespace sort {
namespace {

// Blocked bitonic sort on the v-cube (RH 10, cube): for st = 0..v-1, for d = st..0 a compare-split on port d, ascending
// where bit st+1 of the address is 0, which in the last stage it is everywhere. v (v+1) / 2 steps, in each of which all
// processors exchange blocks: one port, the same for both directions, and links that carry both at once.
template <class Key>
Process sort_bitonic(Processor<Records<Key>>& self, std::vector<Key>& own) {
  std::sort(own.begin(), own.end());
  self.hold(own.size());
  Held<Key> held{.own = own};
  for (Port stage = 0; stage < self.ports(); ++stage) {
    const bool ascending = !has_bit(self.rank(), stage + 1);
    for (Port step = 0; step <= stage; ++step) {
      const Port dimension = stage - step;
      const bool lower = !has_bit(self.rank(), dimension);
      co_await compare_split(self, dimension, lower == ascending, held);
    }
  }
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

// All records of every processor may belong to its antipode, v links away; so N b v words have to cross N links in a
// step, or all N v of them with all ports.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t v = machine.ports;
  if (v == 0) return {.steps = 0, .longest_sum = 0};
  const std::uint64_t b = *settings.words;
  return {.steps = v, .longest_sum = model.ports == PortModel::all ? std::max(v, b) : v * b};
}

// A processor has its block, what it was sent, and where both are merged; before and after the run there are the block
// and all records once, or twice while they are read.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t copies = 3;
  constexpr std::uint64_t overhead = sizeof(std::vector<NumberKey>) + copies * 16;  // of three allocations
  const std::uint64_t wired = sorts_strings(settings) ? machine_bytes<Records<TextKey>>(machine, model)
                                                      : machine_bytes<Records<NumberKey>>(machine, model);
  const Wide sum = Wide{wired} + Wide{machine.processors} * overhead + Wide{record_bytes(machine, settings, copies)};
  return saturated(sum);
}

template <class Key>
std::vector<std::vector<Key>> initial_blocks(const RunRequest& request) {
  Input<Key> input = make_input<Key>(request);
  const auto b = static_cast<std::ptrdiff_t>(*request.settings.words);
  std::vector<std::vector<Key>> blocks(request.topology.processors());
  auto next = std::make_move_iterator(input.records.begin());
  for (std::vector<Key>& block : blocks) {
    block.assign(next, next + b);
    next += b;
  }
  return blocks;
}

template <class Key>
Outcome run_with(const RunRequest& request) {
  std::vector<std::vector<Key>> blocks = initial_blocks<Key>(request);
  Outcome outcome;
  outcome.report = run_program<Records<Key>>(
      request, [&](Processor<Records<Key>>& self) { return sort_bitonic(self, blocks[self.rank()]); });
  finish(request, blocks, outcome);
  return outcome;
}

Outcome run(const RunRequest& request) {
  return sorts_strings(request.settings) ? run_with<TextKey>(request) : run_with<NumberKey>(request);
}

}  // namespace
}  // namespace sort

extern const Method sort_bitonic_method{
    .name = "sort/bitonic",
    .operation = "sort",
    .known_as = "sorting",
    .families = {"hypercube"},
    .source = "Mukherjee, chapter 5 (RH 10, cube)",
    .summary = "blocked bitonic sort: neighbours exchange blocks, one keeps the low half and the other the high half",
    .parameters = {sort::words_parameter, sort::type_parameter, sort::input_parameter, sort::output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .resolve = sort::resolve,
    .predict = sort::predict,
    .lower_bound = sort::lower_bound,
    .bytes = sort::bytes,
    .run = sort::run,
};

}  // namespace lockstep
