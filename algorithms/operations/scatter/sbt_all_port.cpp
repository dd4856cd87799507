#include "on_trees.hpp"

namespace lockstep {
namespace scatter {
namespace {

Forest forest_of_sbt_all_port(const MachineSpec& machine, const Settings& settings) {
  return {rotated_trees(static_cast<Port>(machine.ports), 1), *settings.words};
}

Prediction predict_sbt_all_port(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide n = machine.ports;
  const Wide k = machine.processors;
  Prediction prediction = predict_reverse_breadth_first(machine, model, forest_of_sbt_all_port(machine, settings));
  prediction.messages = exact_count(2 * k - n - 2, "2^(n+1) - n - 2");
  prediction.longest_sum = exact_count(k / 2 * *settings.words, "2^(n-1) D");
  return prediction;
}

std::uint64_t bytes_sbt_all_port(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  return bytes_over(machine, model, settings, k, 5 * k);  // as other trees, over a binomial tree's links
}

Outcome run_all_port(const RunRequest& request) {
  return run_reverse_breadth_first(request, forest_of_sbt_all_port(request.machine, request.settings));
}

}  // namespace
}  // namespace scatter

extern const Method scatter_sbt_all_port_method = scatter::with_defaults({
    .name = "scatter/sbt-all-port",
    .known_as = "one-to-all personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.1 (johnsson-ho.md, Scatter)",
    .summary = "down the spanning binomial tree, the blocks for the farthest processors first; all move in every cycle",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .predict = scatter::predict_sbt_all_port,
    .bytes = scatter::bytes_sbt_all_port,
    .run = scatter::run_all_port,
});

}  // namespace lockstep
