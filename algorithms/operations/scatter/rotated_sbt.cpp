#include <algorithm>

#include "on_trees.hpp"
#include "operations/scatter/and_gather.hpp"

namespace lockstep {
namespace scatter {
namespace rotated_sbt {
namespace {

constexpr TreesParameter trees_parameter{
    "K trees, each rotated by n/K more than the last: K divides n, or is 2 (n/2 rounded down)", "n"};

Forest forest_of(const MachineSpec& machine, const Settings& settings) {
  const std::uint64_t all = std::max<std::uint64_t>(machine.ports, 1);
  return {rotated_trees(static_cast<Port>(machine.ports), settings.trees.value_or(all)), *settings.words};
}

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

}  // namespace
}  // namespace rotated_sbt
}  // namespace scatter

extern const method::MethodPair scatter_rotated_sbt_halving_methods = scatter::and_gather<
    scatter::rotated_sbt::run_halving>(
    {
        .name = "scatter/rotated-sbt-halving",
        .known_as = "one-to-all personalized",
        .families = {"hypercube"},
        .source = "Johnsson & Ho, section 3.1 (johnsson-ho.md, Scatter)",
        .summary =
            "parts of every block on rotated binomial trees: every holder hands half of what it has of each part on",
        .parameters = {scatter::words_of_trees_parameter, scatter::root_parameter,
                       scatter::rotated_sbt::trees_parameter, scatter::input_parameter, scatter::output_parameter},
        .defaults = {.ports = PortModel::all},
        .port_models = {PortModel::all},
        .strictest_duplex = Duplex::half_link,
        .resolve = scatter::rotated_sbt::resolve,
        .predict = scatter::rotated_sbt::predict_halving,
        .bytes = scatter::rotated_sbt::bytes_of_halving,
    },
    {
        .name = "gather/rotated-sbt-halving",
        .known_as = "all-to-one personalized",
        .source = "Johnsson & Ho, section 3.1 (johnsson-ho.md, Gather)",
        .summary = "parts of every block up rotated binomial trees: half of the holders of each part hand all of it on",
    });

extern const method::MethodPair scatter_rotated_sbt_rbf_methods =
    scatter::and_gather<scatter::rotated_sbt::run_breadth>(
        {
            .name = "scatter/rotated-sbt-rbf",
            .known_as = "one-to-all personalized",
            .families = {"hypercube"},
            .source = "Johnsson & Ho, section 3.1 (johnsson-ho.md, Scatter)",
            .summary =
                "parts of every block on rotated binomial trees, those for the farthest processors first; all move in "
                "every cycle",
            .parameters = {scatter::words_of_trees_parameter, scatter::root_parameter,
                           scatter::rotated_sbt::trees_parameter, scatter::input_parameter, scatter::output_parameter},
            .defaults = {.ports = PortModel::all},
            .port_models = {PortModel::all},
            .strictest_duplex = Duplex::half_link,
            .resolve = scatter::rotated_sbt::resolve,
            .predict = scatter::rotated_sbt::predict_breadth,
            .bytes = scatter::rotated_sbt::bytes_of_breadth,
        },
        {
            .name = "gather/rotated-sbt",
            .known_as = "all-to-one personalized",
            .source = "Johnsson & Ho, section 3.1 (johnsson-ho.md, Gather)",
            .summary = "parts of every block up rotated binomial trees, all at once; all move in every cycle",
        });

}  // namespace lockstep
