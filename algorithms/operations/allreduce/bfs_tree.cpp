#include <algorithm>
#include <chrono>

#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "operations/reduce/combining.hpp"
#include "parts/vectors.hpp"
#include "written/follow.hpp"

namespace lockstep {
namespace {

using bfs::Timing;
using bfs::Tree;
using operands::Partial;

// Up to the root, which is in the middle of the machine, and down again. any-graph.md, Allreduce.
Process allreduce_bfs_tree(Processor<Partial<Block>>& self, const operands::NumberValues& values, const Tree& tree,
                           const Timing& up, reduce::HeldPartials<Block>& held) {
  const Rank rank = self.rank();
  co_await reduce::combine_up(self, values, tree, up, held);
  if (rank != tree.root()) held.own = co_await self.message(tree.parent_port(rank));
  const std::span<const Port> ports = tree.ports(rank);
  if (ports.empty()) co_return;
  if (bfs::serves_children_at_once(self.model())) {
    if (rank == tree.root()) co_await self.until(up.steps());
    self.send(ports, held.own);
    co_return;
  }
  for (std::size_t index = 0; index < ports.size(); ++index) {
    if (index > 0) co_await self.cycle();
    self.send(ports[index], held.own);
  }
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (!bfs::is_searched(machine)) return {};
  const auto kept = bfs::kept_tree_from_middle(machine);
  const Tree& tree = *kept;
  const bool all = bfs::all_at_once(model);
  const bool at_once = bfs::serves_children_at_once(model);
  const Timing up(tree, all);
  const Timing down(tree, at_once);
  bfs::Traffic traffic;
  for (Rank node = 0; node < tree.nodes(); ++node) {
    if (node == tree.root()) continue;
    traffic.add(up.up(node), *settings.words);
    traffic.add(up.steps() + down.down(node), *settings.words);
  }
  const std::string steps =
      all == at_once ? "2 " + bfs::steps_formula(all) : "n(root) + h, what the tree needs and its height";
  Prediction prediction = traffic.prediction(model, steps, "2 (P - 1)", "messages m");
  reduce::predict_operations(tree, up, settings, prediction);
  return prediction;
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t frame = 400;  // of the sub-program that combines
  const std::uint64_t of_each = frame + 2 * sizeof(Partial<Block>);
  const Wide p = machine.processors;
  return saturated(reduce::bytes_of_combining(machine, model, settings, 2 * p) + p * of_each + Tree::bytes(machine));
}

Outcome run(const RunRequest& request) {
  using Payload = Partial<Block>;
  const operands::NumberValues values(request);
  const Tree tree(request.machine, bfs::middle(request.machine).rank);
  const Timing up(tree, bfs::all_at_once(request.model));
  auto held = reduce::initially_held(request, values);
  Outcome outcome;
  outcome.report = run_program<Payload>(
      request, [&](Processor<Payload>& self) { return allreduce_bfs_tree(self, values, tree, up, held[self.rank()]); });
  const auto start = std::chrono::steady_clock::now();
  const operands::NumberValues::Oracle oracle = reduce::oracle_of(values);
  const auto judge = [&](Rank rank) -> Verdict {
    const Block& result = held[rank].own.value;
    return {values.digest(result), operands::what_is_wrong_at(rank, oracle, result)};
  };
  verify_ranks(request, start, judge, outcome);
  reduce::judge_on_the_way(request, values, tree, held, outcome);
  if (request.settings.output && outcome.wrong.empty()) {
    const Block result = of_rank(request, 0, [&] { return held[0].own.value; });
    values.write(*request.settings.output, {&result, 1});
  }
  return outcome;
}

}  // namespace

extern const Method allreduce_bfs_tree_method = parts::with_defaults({
    .name = "allreduce/bfs-tree",
    .operation = "allreduce",
    .known_as = "allreduce",
    .families = written::linked_families(),
    .source = "Lockstep's own (any-graph.md, Allreduce)",
    .summary = "up a breadth-first tree of any connected machine, from whose middle the result goes down again",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_node,
    .resolve = parts::resolve_in_any_order,
    .predict = predict,
    .bytes = bytes,
    .run = run,
});

}  // namespace lockstep
