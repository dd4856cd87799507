#include "on_trees.hpp"

namespace lockstep {
namespace scatter {
namespace {

constexpr TreesParameter trees_parameter{
    "1 reflected tree, or with all ports K/2 rotated and K/2 reflected ones, each 2n/K farther round than the last: "
    "K/2 divides n",
    "1"};

Forest forest_of_sbt_reflected(const MachineSpec& machine, const Settings& settings) {
  const auto n = static_cast<Port>(machine.ports);
  const std::uint64_t trees = settings.trees.value_or(1);
  std::vector<SpanningTree> all = rotated_trees(n, trees / 2);
  const std::vector<SpanningTree> reflected = reflected_trees(n, trees - trees / 2);
  all.insert(all.end(), reflected.begin(), reflected.end());
  return {std::move(all), *settings.words};
}

void resolve_reflected(const MachineSpec& machine, const Model& model, Settings& settings) {
  std::vector<std::uint64_t> legal{1};
  if (machine.ports > 0) {
    for (const std::uint64_t divisor : divisors(machine.ports)) legal.push_back(2 * divisor);
  }
  trees_parameter.resolve(machine, model, settings, legal, 1);
  if (*settings.trees > 1 && model.ports != PortModel::all) {
    throw InputError("--trees " + std::to_string(*settings.trees) + " needs --ports all: with --ports " +
                     std::string(name(model.ports)) + " scatter/sbt-reflected has 1 tree");
  }
}

Prediction predict_sbt_reflected(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Forest forest = forest_of_sbt_reflected(machine, settings);
  return forest.trees().size() == 1 ? predict_halving(machine, model, forest)
                                    : predict_reverse_breadth_first(machine, model, forest);
}

// One tree too uses links of all ranks.
std::uint64_t bytes_sbt_reflected(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_of_reverse_breadth_first(machine, model, settings, *settings.trees);
}

Outcome run_reflected(const RunRequest& request) {
  const Forest forest = forest_of_sbt_reflected(request.machine, request.settings);
  return forest.trees().size() == 1 ? run_halving(request, forest) : run_reverse_breadth_first(request, forest);
}

}  // namespace
}  // namespace scatter

extern const Method scatter_sbt_reflected_method = scatter::with_defaults({
    .name = "scatter/sbt-reflected",
    .known_as = "one-to-all personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.1 (johnsson-ho.md, Scatter)",
    .summary =
        "as sbt, from the highest dimension down; or parts of every block on rotated and reflected trees over all "
        "links",
    .parameters = {scatter::words_of_trees_parameter, scatter::root_parameter, scatter::trees_parameter,
                   scatter::input_parameter, scatter::output_parameter},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = scatter::resolve_reflected,
    .predict = scatter::predict_sbt_reflected,
    .bytes = scatter::bytes_sbt_reflected,
    .run = scatter::run_reflected,
});

}  // namespace lockstep
