#include <algorithm>
#include <vector>

#include "binomial_tree.hpp"
#include "group_scatter.hpp"
#include "lockstep/core/spread.hpp"
#include "method/step_lengths.hpp"
#include "on_trees.hpp"
#include "operations/scatter/and_gather.hpp"

namespace lockstep {
namespace scatter {
namespace sbt {
namespace {

/// The parameters of all scatters, and --group.
std::vector<Parameter> parameters() {
  return {words_parameter, root_parameter, method::group_parameter, input_parameter, output_parameter};
}

// One message per node of the tree, with the blocks of its branch; a walk over all finds the longest of each step.
Prediction predict_for_group(const MachineSpec& machine, const Model& model, const Settings& settings,
                             const method::Group& group) {
  const tree::GroupTree tree = tree::group_tree(machine, root_of(settings), group);
  const Wide m = *settings.words;
  std::vector<Rank> longest(tree.one_port_steps);
  Wide blocks = 0;
  for (Rank node = 1; node < machine.processors; ++node) {
    if (tree.members[node] == 0) continue;
    blocks += tree.members[node];
    Rank& longest_of_step = longest[tree.one_port_at[node] - 1];
    longest_of_step = std::max(longest_of_step, tree.members[node]);
  }
  method::StepLengths lengths(model.cost);
  for (const Rank each : longest) lengths.add(1, each * m);
  return {.steps = exact_count(lengths.steps(), "steps of the tree that leads to the group; its d if it is a d-cube"),
          .messages = exact_count(tree.nodes - 1, "t - 1, t processors on the tree"),
          .words = exact_count(blocks * m, "members in all branches, times m"),
          .longest_sum = exact_count(lengths.sum(), "members in the largest branch of every step, times m"),
          .longest_startups = lengths.startups()};
}

void resolve(const MachineSpec& machine, const Model& model, Settings& settings) {
  method::resolve_root_in_group(machine, settings);
  scatter::resolve(machine, model, settings);
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (const auto group = method::group_of(machine, settings))
    return predict_for_group(machine, model, settings, *group);
  const Wide n = machine.ports;
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  method::StepLengths lengths(model.cost);
  for (Wide moved = k / 2; moved > 0; moved /= 2) lengths.add(1, moved * m);
  return {.steps = exact_count(lengths.steps(), "n"),
          .messages = exact_count(k - 1, "2^n - 1"),
          .words = exact_count(n * (k / 2) * m, "n 2^(n-1) m"),
          .longest_sum = exact_count(lengths.sum(), "(2^n - 1) m"),
          .longest_startups = lengths.startups()};
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide of_tree = settings.group ? tree::GroupTree::bytes(machine.processors) : 0;
  return saturated(bytes_of_halving(machine, model, settings, 1) + of_tree);
}

Outcome run_schedule(const RunRequest& request, Reading reading) {
  const Rank root = request.root();
  if (const auto group = method::group_of(request.machine, request.settings)) {
    return run(request, GroupScatter(request.machine, root, *group), reading);
  }
  return run(request, BinomialTree(request.topology.ports(), root), reading);
}

}  // namespace
}  // namespace sbt
}  // namespace scatter

extern const method::MethodPair scatter_sbt_methods = scatter::and_gather<scatter::sbt::run_schedule>(
    {
        .name = "scatter/sbt",
        .families = {"hypercube"},
        .source = "Saad & Schultz 1985, section 5 (saad-schultz-1985.md, Scatter)",
        .summary = "spanning binomial tree: every holder hands half of its blocks on, until one is left",
        .parameters = scatter::sbt::parameters(),
        .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
        .strictest_duplex = Duplex::half_node,
        .resolve = scatter::sbt::resolve,
        .predict = scatter::sbt::predict,
        .bytes = scatter::sbt::bytes,
    },
    {
        .name = "gather/sbt",
        .source = "Saad & Schultz 1985, section 5 (saad-schultz-1985.md, Gather)",
        .summary = "spanning binomial tree: half of the holders hand all that they have gathered to the other half",
    });

}  // namespace lockstep
