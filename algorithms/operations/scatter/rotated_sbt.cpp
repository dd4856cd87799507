#include "rotated_sbt.hpp"

#include <algorithm>

namespace lockstep {
namespace scatter {
namespace rotated_sbt {
namespace {

Forest forest_of(const MachineSpec& machine, const Settings& settings) {
  const std::uint64_t all = std::max<std::uint64_t>(machine.ports, 1);
  return {rotated_trees(static_cast<Port>(machine.ports), settings.trees.value_or(all)), *settings.words};
}

}  // namespace

void resolve(const MachineSpec& machine, const Model& model, Settings& settings) {
  std::vector<std::uint64_t> legal = divisors(machine.ports);
  if (machine.ports > 2 && machine.ports % 2 != 0) legal.insert(legal.begin() + 1, 2);
  trees_parameter.resolve(machine, model, settings, legal, legal.back());
}

Prediction predict_halving(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return scatter::predict_halving(machine, model, forest_of(machine, settings));
}

Prediction predict_breadth(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const Wide k = machine.processors;
  const Forest forest = forest_of(machine, settings);
  Prediction prediction = predict_reverse_breadth_first(machine, model, forest);
  if (forest.parts().pieces() != n) return prediction;
  prediction.messages = exact_count(n * (k - 1), "n (2^n - 1)");
  if (forest.parts().longer() == 0) prediction.longest_sum->formula = "(2^n - 1) D/n";
  return prediction;
}

std::uint64_t bytes_of_halving(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return scatter::bytes_of_halving(machine, model, settings, *settings.trees);
}

std::uint64_t bytes_of_breadth(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_of_reverse_breadth_first(machine, model, settings, *settings.trees);
}

Outcome run_halving(const RunRequest& request, Reading reading) {
  return scatter::run_halving(request, forest_of(request.machine, request.settings), reading);
}

Outcome run_breadth(const RunRequest& request, Reading reading) {
  return run_reverse_breadth_first(request, forest_of(request.machine, request.settings), reading);
}

}  // namespace rotated_sbt
}  // namespace scatter

extern const Method scatter_rotated_sbt_halving_method = scatter::with_defaults({
    .name = "scatter/rotated-sbt-halving",
    .known_as = "one-to-all personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.1 (johnsson-ho.md, Scatter)",
    .summary = "parts of every block on rotated binomial trees: every holder hands half of what it has of each part on",
    .parameters = {scatter::words_of_trees_parameter, scatter::root_parameter, scatter::rotated_sbt::trees_parameter,
                   scatter::input_parameter, scatter::output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = scatter::rotated_sbt::resolve,
    .predict = scatter::rotated_sbt::predict_halving,
    .lower_bound = scatter::lower_bound_on_cube,
    .bytes = scatter::rotated_sbt::bytes_of_halving,
    .run =
        [](const RunRequest& request) {
          return scatter::rotated_sbt::run_halving(request, scatter::Reading::forwards);
        },
});

extern const Method scatter_rotated_sbt_rbf_method = scatter::with_defaults({
    .name = "scatter/rotated-sbt-rbf",
    .known_as = "one-to-all personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.1 (johnsson-ho.md, Scatter)",
    .summary =
        "parts of every block on rotated binomial trees, those for the farthest processors first; all move in every "
        "cycle",
    .parameters = {scatter::words_of_trees_parameter, scatter::root_parameter, scatter::rotated_sbt::trees_parameter,
                   scatter::input_parameter, scatter::output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = scatter::rotated_sbt::resolve,
    .predict = scatter::rotated_sbt::predict_breadth,
    .lower_bound = scatter::lower_bound_on_cube,
    .bytes = scatter::rotated_sbt::bytes_of_breadth,
    .run =
        [](const RunRequest& request) {
          return scatter::rotated_sbt::run_breadth(request, scatter::Reading::forwards);
        },
});

}  // namespace lockstep
