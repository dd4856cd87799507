#include "sbt.hpp"

#include "binomial_tree.hpp"
#include "catalogue/step_lengths.hpp"

namespace lockstep {
namespace scatter {
namespace sbt {

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide n = machine.ports;
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  StepLengths lengths(model.cost);
  for (Wide moved = k / 2; moved > 0; moved /= 2) lengths.add(1, moved * m);
  return {.steps = exact_count(lengths.steps(), "n"),
          .messages = exact_count(k - 1, "2^n - 1"),
          .words = exact_count(n * (k / 2) * m, "n 2^(n-1) m"),
          .longest_sum = exact_count(lengths.sum(), "(2^n - 1) m"),
          .message_words = {},
          .longest_startups = lengths.startups()};
}

// A processor keeps the room of the blocks that it has passed on: all of them at the root, a subcube's elsewhere. A
// root that gathers makes room as they come, at most twice what it needs.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  return bytes_for(machine, model, settings, 2 * k + machine.ports * (k / 2));
}

Outcome run_schedule(const RunRequest& request, Reading reading) {
  const auto root = static_cast<Rank>(*request.settings.root);
  return run(request, BinomialTree(request.topology.ports(), root), reading);
}

}  // namespace sbt
}  // namespace scatter

extern const Method scatter_sbt_method = scatter::with_defaults({
    .name = "scatter/sbt",
    .families = {"hypercube"},
    .source = "Saad & Schultz 1985, section 5 (saad-schultz-1985.md, Scatter)",
    .summary = "spanning binomial tree: every holder hands half of its blocks on, until one is left",
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .predict = scatter::sbt::predict,
    .lower_bound = scatter::lower_bound_on_cube,
    .bytes = scatter::sbt::bytes,
    .run = [](const RunRequest& request) { return scatter::sbt::run_schedule(request, scatter::Reading::forwards); },
});

}  // namespace lockstep
