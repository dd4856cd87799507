#include <algorithm>

#include "lockstep/algorithms/operation/broadcast.hpp"
#include "pipelined.hpp"
#include "plans/bfs/timing.hpp"
#include "plans/tree/drbt_schedule.hpp"
#include "written/follow.hpp"

namespace lockstep {
namespace broadcast {
namespace {

using bfs::Tree;

Process spread_down(Processor<Block>& self, const Tree& tree, const Block& block) {
  const std::span<const Port> ports = tree.ports(self.rank());
  if (ports.empty()) co_return;
  if (bfs::serves_children_at_once(self.model())) {
    self.send(ports, block);
    co_return;
  }
  for (std::size_t index = 0; index < ports.size(); ++index) {
    if (index > 0) co_await self.cycle();
    self.send(ports[index], block);
  }
}

// A node waits for the item from its parent and serves its children. any-graph.md, Broadcast.
Process broadcast_whole(Processor<Block>& self, const Tree& tree, Block& item) {
  if (self.rank() != tree.root()) item = co_await self.message(tree.parent_port(self.rank()));
  self.hold(item.size());
  co_await spread_down(self, tree, item);
}

// As above packet by packet, of which the root sends one every `interval` cycles.
Process broadcast_in_packets(Processor<Block>& self, const Tree& tree, const Part& whole, Cycle interval, Block& item) {
  const bool is_root = self.rank() == tree.root();
  if (!is_root) item = Block(whole.packets.words());
  self.hold(item.size());
  for (std::uint64_t packet = 0; packet < whole.packets.pieces(); ++packet) {
    Block block;
    if (is_root) {
      co_await self.until(interval * packet);
      block = packets::cut(item, whole, packet);
    } else {
      block = co_await self.message(tree.parent_port(self.rank()));
      packets::put(item, whole, packet, block);
    }
    co_await spread_down(self, tree, block);
  }
}

/// Cycles from a packet to the next: those that the busiest node needs, which sends to its children and receives,
/// unless it can do both at once.
Cycle interval_of(const Tree& tree, const Model& model) {
  if (bfs::serves_children_at_once(model)) return packet_interval(model, tree.height());
  const bool receives_apart = takes_turns(model) || model.ports == PortModel::one_strict;
  const Cycle below = tree.most_children_below_root();
  const Cycle of_root = tree.children(tree.root()).size();
  return std::max({Cycle{1}, of_root, below > 0 && receives_apart ? below + 1 : below});
}

constexpr PacketsOrWholeParameter packets_or_whole{
    "packets of the item, each a word or more, which follow each other down the tree"};

void resolve_packets_of_bfs_tree(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_parts(machine, model, settings, 1);
  packets_or_whole.resolve(settings);
}

Prediction predict_bfs_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (!bfs::is_searched(machine)) return {};
  const auto kept = bfs::kept_tree(machine, root_of(settings));
  const Tree& tree = *kept;
  const bool at_once = bfs::serves_children_at_once(model);
  return tree::predict_tree_packets(machine, model, settings, {tree.steps(at_once), true, bfs::steps_formula(at_once)},
                                    interval_of(tree, model));
}

std::uint64_t bytes_with_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(pipelined_bytes(machine, model, settings) + Tree::bytes(machine));
}

Outcome run_down(const RunRequest& request) {
  const Tree tree(request.machine, request.root());
  if (*request.settings.packets == 1) {
    return run(request, [&](Processor<Block>& self, Block& item) { return broadcast_whole(self, tree, item); });
  }
  const Part whole{0, Split(*request.settings.words, *request.settings.packets)};
  const Cycle interval = interval_of(tree, request.model);
  return run(request, [&](Processor<Block>& self, Block& item) {
    return broadcast_in_packets(self, tree, whole, interval, item);
  });
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_bfs_tree_method = broadcast::with_defaults({
    .name = "broadcast/bfs-tree",
    .families = written::linked_families(),
    .source = "Lockstep's own (any-graph.md, Broadcast)",
    .summary = "down a breadth-first tree of any connected machine, to the child first whose subtree needs longest",
    .parameters = {broadcast::packets_words_parameter, broadcast::packets_or_whole, broadcast::root_parameter,
                   broadcast::input_parameter, broadcast::output_parameter},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_node,
    .resolve = broadcast::resolve_packets_of_bfs_tree,
    .predict = broadcast::predict_bfs_tree,
    .bytes = broadcast::bytes_with_tree,
    .run = broadcast::run_down,
});

}  // namespace lockstep
