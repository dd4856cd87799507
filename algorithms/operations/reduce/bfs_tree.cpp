#include <chrono>

#include "combining.hpp"
#include "lockstep/algorithms/operation/reduce.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "written/follow.hpp"

namespace lockstep {
namespace {

using bfs::Timing;
using bfs::Tree;

constexpr Parameter output_of_bfs_tree{"output", "file for the result, one number a line", "none"};

void resolve_bfs_tree(const MachineSpec& machine, const Model&, Settings& settings) {
  operands::require_commutative(settings);
  operands::resolve(machine, settings);
  reduce::root_parameter.resolve(machine, settings);
}

Prediction predict_bfs_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (!bfs::is_searched(machine)) return {};
  const bool at_once = bfs::all_at_once(model);
  const auto kept = bfs::kept_tree(machine, root_of(settings));
  const Tree& tree = *kept;
  const Timing timing(tree, at_once);
  bfs::Traffic traffic;
  for (Rank node = 0; node < tree.nodes(); ++node) {
    if (node != tree.root()) traffic.add(timing.up(node), *settings.words);
  }
  Prediction prediction = traffic.prediction(model, bfs::steps_formula(at_once), "P - 1", "messages w");
  reduce::predict_operations(tree, timing, settings, prediction);
  return prediction;
}

std::uint64_t bytes_bfs_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(reduce::bytes_of_combining(machine, model, settings, machine.processors));
}

Outcome run_bfs_tree(const RunRequest& request) {
  using Payload = operands::Partial<Block>;
  const operands::NumberValues values(request);
  const Tree tree(request.machine, request.root());
  const Timing timing(tree, bfs::all_at_once(request.model));
  auto held = reduce::initially_held(request, values);
  Outcome outcome;
  outcome.report = run_program<Payload>(request, [&](Processor<Payload>& self) {
    return reduce::combine_up(self, values, tree, timing, held[self.rank()]);
  });
  const auto start = std::chrono::steady_clock::now();
  const operands::NumberValues::Oracle oracle = reduce::oracle_of(values);
  const auto judge = [&](Rank rank) -> Verdict {
    if (rank != tree.root()) return {};
    const Block& result = held[rank].own.value;
    return {values.digest(result), operands::what_is_wrong_at(rank, oracle, result)};
  };
  verify_ranks(request, start, judge, outcome);
  reduce::judge_on_the_way(request, values, tree, held, outcome);
  if (request.settings.output && outcome.wrong.empty()) {
    const Block result = of_rank(request, tree.root(), [&] { return held[tree.root()].own.value; });
    values.write(*request.settings.output, {&result, 1});
  }
  return outcome;
}

}  // namespace

extern const Method reduce_bfs_tree_method{
    .name = "reduce/bfs-tree",
    .operation = "reduce",
    .known_as = "reduction",
    .families = written::linked_families(),
    .source = "Lockstep's own (any-graph.md, Reduce)",
    .summary = "broadcast/bfs-tree backwards: up a breadth-first tree of any connected machine",
    .parameters = {operands::words_parameter, reduce::root_parameter, operands::operator_parameter,
                   operands::type_parameter, operands::input_parameter, output_of_bfs_tree},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_node,
    .resolve = resolve_bfs_tree,
    .predict = predict_bfs_tree,
    .bytes = bytes_bfs_tree,
    .run = run_bfs_tree,
};

}  // namespace lockstep
