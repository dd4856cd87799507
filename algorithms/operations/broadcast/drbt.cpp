#include "drbt.hpp"

#include <array>
#include <functional>

#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/core/spread.hpp"
#include "lockstep/machines/double_rooted_tree.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "pipelined.hpp"
#include "plans/tree/drbt_schedule.hpp"

namespace lockstep {

// Double-rooted-tree broadcast: a node waits for the item from its parent and serves its children, all in the next step
// where the ports allow it, else one a step in the order of the schedule. Mukherjee, chapter 2 (mukherjee.md,
// Double-rooted tree to Broadcast). RH(k,n), c = k-n: c + T(n) steps with all ports, B1(c) + T1(n) with one; v-cube: v
// and B1(v). Any duplex mode, as a node receives once and sends later.
Process broadcast::broadcast_drbt(Processor<Block>& self, const TreeSchedule& schedule, Rank node, Block& item) {
  if (schedule.parent(node) != TreeSchedule::no_port) item = co_await self.message(schedule.parent(node));
  self.hold(item.size());
  co_await spread(self, schedule.children(node), item);
}

namespace {

// The root sends a packet every `interval` cycles, and the others forward what they receive; so every packet takes the
// first one's path, a multiple of `interval` later. mukherjee.md, Packets.
Process broadcast_in_packets(Processor<Block>& self, const TreeSchedule& schedule, Rank node, const Part& whole,
                             Cycle interval, Block& item) {
  const Port parent = schedule.parent(node);
  if (parent != TreeSchedule::no_port) item = Block(whole.packets.words());
  self.hold(item.size());
  for (std::uint64_t packet = 0; packet < whole.packets.pieces(); ++packet) {
    Block block;
    if (parent == TreeSchedule::no_port) {
      co_await self.until(interval * packet);
      block = packets::cut(item, whole, packet);
    } else {
      block = co_await self.message(parent);
      packets::put(item, whole, packet, block);
    }
    co_await spread(self, schedule.children(node), block);
  }
}

constexpr std::array<std::string_view, 2> orders{"longest-first", "cross-first"};
constexpr ChoiceParameter order_parameter{
    {"order", "whom a node serves first under one port, on rh: longest-first or cross-first", "longest-first"},
    &Settings::order,
    orders};

constexpr PacketsOrWholeParameter packets_or_whole{
    "packets of the item, each a word or more, which follow each other down the tree"};

void resolve_drbt(const MachineSpec& machine, const Model& model, Settings& settings) {
  broadcast::resolve_parts(machine, model, settings, 1);
  packets_or_whole.resolve(settings);
  if (is_hypercube(machine)) {
    if (settings.order) throw InputError("--order is for rh; on a hypercube broadcast/drbt has one order only");
    return;
  }
  order_parameter.resolve(settings);
}

tree::ChildOrder child_order(const Settings& settings) {
  return settings.order == "cross-first" ? tree::ChildOrder::cross_first : tree::ChildOrder::longest_first;
}

Prediction predict_drbt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const bool at_once = spreads_at_once(model);
  return tree::predict_tree_packets(machine, model, settings, tree::drbt_steps(machine, at_once, child_order(settings)),
                                    tree::drbt_interval(machine, model, at_once));
}

std::uint64_t bytes_drbt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return broadcast::pipelined_bytes(machine, model, settings) + tree::drbt_schedule_bytes(machine.processors);
}

/// The address of every rank where the root is 0.
std::function<Rank(Rank)> logical_addresses(const MachineSpec& machine, Rank root) {
  if (is_hypercube(machine)) return [root](Rank rank) { return rank ^ root; };
  return [rh = ReducedHypercube(machine), root](Rank rank) { return rh.unmove(rank, root); };
}

Outcome run_drbt(const RunRequest& request) {
  const auto logical = logical_addresses(request.machine, request.root());
  const TreeSchedule schedule = tree::drbt_schedule(request.machine, request.topology, child_order(request.settings));
  if (*request.settings.packets == 1) {
    return broadcast::run(request, [&](Processor<Block>& self, Block& item) {
      return broadcast::broadcast_drbt(self, schedule, logical(self.rank()), item);
    });
  }
  const Part whole{0, Split(*request.settings.words, *request.settings.packets)};
  const Cycle interval = tree::drbt_interval(request.machine, request.model, spreads_at_once(request.model));
  return broadcast::run(request, [&](Processor<Block>& self, Block& item) {
    return broadcast_in_packets(self, schedule, logical(self.rank()), whole, interval, item);
  });
}

}  // namespace

extern const Method broadcast_drbt_method = broadcast::with_defaults({
    .name = "broadcast/drbt",
    .aliases = {"DRBT"},
    .known_as = "broadcasting",
    .families = {"rh", "hypercube"},
    .source = "Mukherjee, chapter 2 (mukherjee.md, Double-rooted tree to Broadcast)",
    .summary = "double-rooted binary trees over layers, building blocks and subblocks",
    .parameters = {broadcast::packets_words_parameter, packets_or_whole, broadcast::root_parameter, order_parameter,
                   broadcast::input_parameter, broadcast::output_parameter},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = resolve_drbt,
    .predict = predict_drbt,
    .bytes = bytes_drbt,
    .run = run_drbt,
});

}  // namespace lockstep
