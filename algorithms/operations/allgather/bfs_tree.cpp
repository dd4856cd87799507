#include <algorithm>
#include <stdexcept>

#include "lockstep/algorithms/operation/collection.hpp"
#include "plans/bfs/timing.hpp"
#include "written/follow.hpp"

namespace lockstep {
namespace allgather {
namespace {

using bfs::Timing;
using bfs::Tree;

void add_blocks(const Collection& collection, std::span<const Rank> sources, Bundle& bundle) {
  for (const Rank source : sources) bundle.add(collection.piece(source));
}

/// The blocks of all nodes outside the subtree.
Bundle blocks_for(const Collection& collection, const Tree& tree, Rank top) {
  const std::span<const Rank> all = tree.members(tree.root());
  const std::span<const Rank> below = tree.members(top);
  const auto before = static_cast<std::size_t>(below.data() - all.data());
  Bundle bundle;
  bundle.reserve(all.size() - below.size(), (all.size() - below.size()) * collection.block(tree.root()).size());
  add_blocks(collection, all.first(before), bundle);
  add_blocks(collection, all.subspan(before + below.size()), bundle);
  return bundle;
}

// All blocks go up to the root, which is in the middle of the machine, and then down to every node those that its
// subtree lacks. any-graph.md, Allgather.
Process allgather_bfs_tree(Processor<Bundle>& self, const Tree& tree, const Timing& timing, Collection& collection) {
  const Rank rank = self.rank();
  const std::span<const Port> ports = tree.ports(rank);
  self.hold(collection.words());
  for (std::size_t index = ports.size(); index > 0; --index) {
    const Rank child = tree.children(rank)[index - 1];
    Bundle came = co_await self.message(ports[index - 1]);
    if (came.size() != tree.size(child) || came[0].origin != child) {
      throw std::logic_error("the message is not of the subtree of node " + std::to_string(child));
    }
    collection.add(std::move(came));
    self.hold(collection.words());
  }
  if (rank != tree.root()) {
    co_await self.until(timing.up(rank));
    Bundle own;
    add_blocks(collection, tree.members(rank), own);
    self.send(tree.parent_port(rank), std::move(own));
    Bundle others = co_await self.message(tree.parent_port(rank));
    collection.add(std::move(others));
    self.hold(collection.words());
  }
  for (std::size_t index = 0; index < ports.size(); ++index) {
    if (index > 0 && !bfs::all_at_once(self.model())) co_await self.cycle();
    self.send(ports[index], blocks_for(collection, tree, tree.children(rank)[index]));
  }
}

Prediction predict_bfs_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (!bfs::is_searched(machine)) return {};
  const auto kept = bfs::kept_tree_from_middle(machine);
  const Tree& tree = *kept;
  const bool at_once = bfs::all_at_once(model);
  const Timing timing(tree, at_once);
  const Wide w = *settings.words;
  bfs::Traffic traffic;
  for (Rank node = 0; node < tree.nodes(); ++node) {
    if (node == tree.root()) continue;
    traffic.add(timing.up(node), w * tree.size(node));
    traffic.add(timing.steps() + timing.down(node), w * (tree.nodes() - tree.size(node)));
  }
  return traffic.prediction(model, "2 " + bfs::steps_formula(at_once), "2 (P - 1)", "P (P - 1) w");
}

// A message holds no more than its receiver keeps of it.
std::uint64_t bytes_with_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(bytes(machine, model, settings) + Tree::bytes(machine));
}

Outcome run_tree(const RunRequest& request) {
  const Tree tree(request.machine, bfs::middle(request.machine).rank);
  const Timing timing(tree, bfs::all_at_once(request.model));
  return run(request, [&](Processor<Bundle>& self, Collection& collection) {
    return allgather_bfs_tree(self, tree, timing, collection);
  });
}

}  // namespace
}  // namespace allgather

extern const Method allgather_bfs_tree_method = allgather::with_defaults({
    .name = "allgather/bfs-tree",
    .families = written::linked_families(),
    .source = "Lockstep's own (any-graph.md, Allgather)",
    .summary = "all blocks up a breadth-first tree of any connected machine, and down it what each subtree lacks",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_node,
    .predict = allgather::predict_bfs_tree,
    .bytes = allgather::bytes_with_tree,
    .run = allgather::run_tree,
});

}  // namespace lockstep
