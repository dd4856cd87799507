#include "drbt_schedule.hpp"

#include <algorithm>
#include <array>

#include "lockstep/algorithms/packets.hpp"
#include "lockstep/machines/double_rooted_tree.hpp"
#include "lockstep/machines/hypercube.hpp"

namespace lockstep::tree {
namespace {

// e(bb): the subblock in which the item enters a building block, 0 in block 0 (mukherjee.md, Entry and exit). Port m of
// the tree over the blocks is BB dimension m, and all links of that dimension lie in subblock m.
Rank entry(const DoubleRootedTree& blocks, Rank bb) { return blocks.is_root(bb) ? 0 : blocks.parent(bb); }

}  // namespace

TreeSchedule drbt_schedule_on_cube(Port v) {
  const DoubleRootedTree tree(v);
  TreeSchedule schedule(tree.nodes());
  std::vector<Port> children;
  for (Rank node = 0; node < tree.nodes(); ++node) {
    children.assign(tree.children(node).begin(), tree.children(node).end());
    schedule.add(tree.is_root(node) ? TreeSchedule::no_port : tree.parent(node), children);
  }
  return schedule;
}

TreeSchedule drbt_schedule(const ReducedHypercube& rh, const Topology& machine, ChildOrder order) {
  const Port c = rh.layer_dimensions();
  const DoubleRootedTree layers(c);
  const DoubleRootedTree blocks(rh.block_dimensions());
  const DoubleRootedTree subblocks(rh.n());

  TreeSchedule schedule(machine.processors());
  std::vector<Port> children;
  for (Rank x = 0; x < machine.processors(); ++x) {
    const Rank bb = rh.bb(x);
    const Rank from_entry = rh.sb(x) ^ entry(blocks, bb);  // place in the tree over the block's subblocks
    Port parent = TreeSchedule::no_port;
    children.clear();
    if (blocks.is_root(bb) && subblocks.is_root(from_entry)) {  // stage 1
      if (!layers.is_root(rh.lo(x))) parent = layers.parent(rh.lo(x));
      for (const Port port : layers.children(rh.lo(x))) children.push_back(port);
    } else {
      parent = subblocks.is_root(from_entry) ? rh.outer_port() : c + subblocks.parent(from_entry);
    }
    if (blocks.is_child(bb, rh.sb(x))) children.push_back(rh.outer_port());  // a node of exit
    for (const Port port : subblocks.children(from_entry)) children.push_back(c + port);
    schedule.add(parent, children);
  }
  if (order == ChildOrder::longest_first) schedule.serve_longest_first(machine);
  return schedule;
}

std::uint64_t stage_2_steps(unsigned n) {
  const DoubleRootedTree blocks(Port{1} << n);
  const DoubleRootedTree subblocks(n);
  // t(bb), the step in which the item enters the block: filled in from the root, parents before children.
  std::vector<std::uint64_t> entered(blocks.nodes());
  std::vector<Rank> reached{0};
  reached.reserve(blocks.nodes());
  for (std::size_t index = 0; index < reached.size(); ++index) {
    const Rank bb = reached[index];
    for (const Port port : blocks.children(bb)) {
      const Rank below = bb ^ (Rank{1} << port);
      entered[below] = entered[bb] + subblocks.depth(port ^ entry(blocks, bb)) + 1;
      reached.push_back(below);
    }
  }
  return n + *std::ranges::max_element(entered);
}

Count drbt_steps(const ReducedHypercube& rh, bool at_once, ChildOrder order) {
  // One-port steps of stage 2, computed (mukherjee.md, Broadcast).
  constexpr std::array<std::uint64_t, 5> cross_first_stage_2{1, 6, 15, 44, 96};
  const unsigned n = rh.n();
  const Port c = rh.layer_dimensions();
  if (at_once) return {c + stage_2_steps(n), true, "(k-n) + T(n), T = 1, 5, 12, 32, 76 for n = 0 to 4"};
  const std::uint64_t stage_1 = one_port_steps(c);
  if (order == ChildOrder::cross_first) {
    return {stage_1 + cross_first_stage_2[n], false, "B1(k-n) + 1, 6, 15, 44, 96 for n = 0 to 4"};
  }
  if (n == 0) return {stage_1 + 1, true, "B1(k) + 1"};
  return {stage_1 + (n + 1) * (std::uint64_t{1} << n) + 1, true, "B1(k-n) + (n+1) 2^n + 1"};
}

TreeSchedule drbt_schedule(const MachineSpec& machine, const Topology& topology, ChildOrder order) {
  if (is_hypercube(machine)) return drbt_schedule_on_cube(topology.ports());
  return drbt_schedule(ReducedHypercube(machine), topology, order);
}

Count drbt_steps(const MachineSpec& machine, bool at_once, ChildOrder order) {
  if (!is_hypercube(machine)) return drbt_steps(ReducedHypercube(machine), at_once, order);
  const auto v = static_cast<Port>(machine.ports);
  if (at_once) return {v, true, "v"};
  return {one_port_steps(v), true, v <= 1 ? "v" : "2 (v - 1)"};
}

std::uint64_t drbt_interval(const MachineSpec& machine, const Model& model, bool at_once) {
  if (at_once) return packet_interval(model, machine.processors - 1);
  const bool passes_on_alone = takes_turns(model) || model.ports == PortModel::one_strict;
  // The children of a double-rooted tree's root: two, or fewer in cubes of fewer dimensions.
  const auto root_children = [](std::uint64_t dimensions) { return std::min<std::uint64_t>(dimensions, 2); };
  if (is_hypercube(machine)) {
    const bool has_inner_nodes = machine.ports > 2;
    return root_children(machine.ports) + (passes_on_alone && has_inner_nodes ? 1 : 0);
  }
  const ReducedHypercube rh(machine);
  const std::uint64_t children = root_children(rh.layer_dimensions()) + 1 + root_children(rh.n());
  if (!passes_on_alone) return children;
  const std::uint64_t in_layers = children + (rh.layer_dimensions() > 2 ? 1 : 0);
  return rh.n() > 2 ? std::max<std::uint64_t>(in_layers, 4) : in_layers;
}

Prediction predict_tree_packets(const MachineSpec& machine, const Model& model, const Settings& settings,
                                const Count& steps, std::uint64_t interval) {
  const std::uint64_t others = machine.processors - 1;
  const std::uint64_t w = *settings.words;
  const std::uint64_t nu = *settings.packets;
  if (nu == 1) {
    return {.steps = steps,
            .messages = Count{others, true, "N - 1"},
            .words = Count{others * w, true, "(N - 1) w"},
            .longest_sum = Count{steps.value * w, steps.exact, "steps w"},
            .message_words = w};
  }
  const StepCounts counts = count_steps({steps.value, Split(w, nu), 0, interval}, model.cost);
  const std::string each = interval == 1 ? "" : std::to_string(interval) + " ";
  Prediction prediction{
      .steps = Count{counts.steps, steps.exact, each + "(nu - 1) + " + steps.formula},
      .messages = exact_count(Wide{others} * nu, "(N - 1) nu"),
      .words = exact_count(Wide{others} * w, "(N - 1) w"),
      .longest_sum = Count{counts.longest_sum, steps.exact, "(S - " + each + "nu) ceil(w/nu) + " + each + "w"},
      .longest_startups = counts.startups};
  if (w % nu == 0) prediction.message_words = w / nu;
  return prediction;
}

std::uint64_t drbt_schedule_bytes(std::uint64_t processors) {
  return TreeSchedule::bytes(processors) + DoubleRootedTree::bytes(processors);
}

}  // namespace lockstep::tree
