#include <algorithm>
#include <stdexcept>

#include "operations/scatter/and_gather.hpp"
#include "plans/bfs/timing.hpp"
#include "written/follow.hpp"

namespace lockstep {
namespace scatter::bfs_tree {
namespace {

using bfs::Timing;
using bfs::Tree;

/// Throws std::logic_error unless the bundle has as many pieces as the subtree, the first of which is its top's.
void check_subtree(const Bundle& bundle, const Tree& tree, Rank top, Rank Piece::*whose) {
  if (bundle.size() != tree.size(top) || bundle[0].*whose != top) {
    throw std::logic_error("the message is not of the subtree of node " + std::to_string(top));
  }
}

// A node receives the blocks of its subtree in one message, its own first, and sends each child those of the child's
// subtree. any-graph.md, Scatter and gather.
Process scatter_down(Processor<Bundle>& self, const Tree& tree, HeldBlocks& held) {
  const Rank rank = self.rank();
  if (rank != tree.root()) {
    held.pieces = co_await self.message(tree.parent_port(rank));
    check_subtree(held.pieces, tree, rank, &Piece::destination);
    held.words = held.pieces.words();
  }
  self.hold(held.words);
  const std::span<const Port> ports = tree.ports(rank);
  const std::span<const Rank> children = tree.children(rank);
  for (std::size_t index = 0; index < ports.size(); ++index) {
    if (index > 0 && !bfs::all_at_once(self.model())) co_await self.cycle();
    const Rank child = children[index];
    Bundle leaving = held.pieces.take([&](const Piece& piece) { return tree.is_below(piece.destination, child); });
    held.words -= leaving.words();
    self.send(ports[index], std::move(leaving));
  }
}

/// Sorts the root's blocks in the order of subtrees, which the other nodes receive.
void sort_by_subtrees(const Tree& tree, Bundle& blocks) {
  std::vector<std::uint64_t> place(tree.nodes());
  for (std::uint64_t index = 0; const Piece& piece : blocks.pieces()) place[piece.destination] = index++;
  Bundle sorted;
  for (const Rank node : tree.members(tree.root())) sorted.add_piece(blocks, place[node]);
  blocks = std::move(sorted);
}

// The same messages in reversed time.
Process gather_up(Processor<Bundle>& self, const Tree& tree, const Timing& timing, HeldBlocks& held) {
  const Rank rank = self.rank();
  self.hold(held.words);
  const std::span<const Port> ports = tree.ports(rank);
  const std::span<const Rank> children = tree.children(rank);
  for (std::size_t index = ports.size(); index > 0; --index) {
    Bundle came = co_await self.message(ports[index - 1]);
    check_subtree(came, tree, children[index - 1], &Piece::origin);
    held.words += came.words();
    held.pieces.add(std::move(came));
    self.hold(held.words);
  }
  if (rank == tree.root()) co_return;
  co_await self.until(timing.up(rank));
  held.words = 0;
  self.send(tree.parent_port(rank), std::move(held.pieces));
  held.pieces.clear();
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (!bfs::is_searched(machine)) return {};
  const auto kept = bfs::kept_tree(machine, root_of(settings));
  const Tree& tree = *kept;
  const bool at_once = bfs::all_at_once(model);
  const Timing timing(tree, at_once);
  bfs::Traffic traffic;
  for (Rank node = 0; node < tree.nodes(); ++node) {
    if (node != tree.root()) traffic.add(timing.down(node), Wide{tree.size(node)} * *settings.words);
  }
  return traffic.prediction(model, bfs::steps_formula(at_once), "P - 1",
                            "w times the sum of the distances from the root");
}

// Whole subtrees are on their way; those of the same depth have no block twice.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(bytes_for(machine, model, settings, 4 * Wide{machine.processors}) + Tree::bytes(machine));
}

Outcome run_schedule(const RunRequest& request, Reading reading) {
  const Tree tree(request.machine, request.root());
  const Timing timing(tree, bfs::all_at_once(request.model));
  return run(request, reading, [&](Processor<Bundle>& self, HeldBlocks& held) {
    if (reading == Reading::backwards) return gather_up(self, tree, timing, held);
    if (self.rank() == tree.root()) sort_by_subtrees(tree, held.pieces);
    return scatter_down(self, tree, held);
  });
}

}  // namespace
}  // namespace scatter::bfs_tree

extern const method::MethodPair scatter_bfs_tree_methods = scatter::and_gather<scatter::bfs_tree::run_schedule>(
    {
        .name = "scatter/bfs-tree",
        .families = written::linked_families(),
        .source = "Lockstep's own (any-graph.md, Scatter and gather)",
        .summary = "down a breadth-first tree of any connected machine, to each child all that is for its subtree",
        .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
        .strictest_duplex = Duplex::half_node,
        .predict = scatter::bfs_tree::predict,
        .bytes = scatter::bfs_tree::bytes,
    },
    {
        .name = "gather/bfs-tree",
        .summary = "up a breadth-first tree of any connected machine, from each child all that its subtree has",
    });

}  // namespace lockstep
