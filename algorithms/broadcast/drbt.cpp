#include "drbt.hpp"

#include <array>

#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/core/spread.hpp"
#include "lockstep/machines/double_rooted_tree.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "schedule/drbt_schedule.hpp"

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

constexpr std::array<std::string_view, 2> orders{"longest-first", "cross-first"};
constexpr ChoiceParameter order_parameter{
    {"order", "whom a node serves first under one port, on rh: longest-first or cross-first", "longest-first"},
    &Settings::order,
    orders};

void resolve(const MachineSpec& machine, const Model& model, Settings& settings) {
  broadcast::resolve(machine, model, settings);
  if (is_hypercube(machine)) {
    if (settings.order) throw InputError("--order is for rh; on a hypercube broadcast/drbt has one order only");
    return;
  }
  order_parameter.resolve(settings);
}

Count predicted_steps_on_cube(Port v, bool at_once) {
  if (at_once) return {v, true, "v"};
  return {one_port_steps(v), true, v <= 1 ? "v" : "2 (v - 1)"};
}

ChildOrder child_order(const Settings& settings) {
  return *settings.order == "cross-first" ? ChildOrder::cross_first : ChildOrder::longest_first;
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const bool at_once = spreads_at_once(model);
  const std::uint64_t others = machine.processors - 1;
  const std::uint64_t w = *settings.words;
  const Count steps = is_hypercube(machine) ? predicted_steps_on_cube(static_cast<Port>(machine.ports), at_once)
                                            : drbt_steps(ReducedHypercube(machine), at_once, child_order(settings));
  return {.steps = steps,
          .messages = Count{others, true, "N - 1"},
          .words = Count{others * w, true, "(N - 1) w"},
          .longest_sum = Count{steps.value * w, steps.exact, "steps w"},
          .message_words = w};
}

// The item has to reach the farthest processor; all are alike, so that is the diameter away (mukherjee.md, Machine). It
// is never less than the log2 N steps in which holders can double.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return broadcast::lower_bound(machine, model, settings);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return broadcast::bytes(machine, model, settings) + drbt_schedule_bytes(machine.processors);
}

// Runs the schedule that make_schedule() returns, each node under its logical address.
template <class MakePlan, class Logical>
Outcome run_planned(const RunRequest& request, const MakePlan& make_schedule, const Logical& logical) {
  const TreeSchedule schedule = make_schedule();
  return broadcast::run(request, [&](Processor<Block>& self, Block& item) {
    return broadcast::broadcast_drbt(self, schedule, logical(self.rank()), item);
  });
}

Outcome run(const RunRequest& request) {
  const auto root = static_cast<Rank>(*request.settings.root);
  if (is_hypercube(request.machine)) {
    return run_planned(
        request, [&] { return drbt_schedule_on_cube(request.topology.ports()); },
        [root](Rank rank) { return rank ^ root; });
  }
  const ReducedHypercube rh(request.machine);
  const ChildOrder order = child_order(request.settings);
  return run_planned(
      request, [&] { return drbt_schedule(rh, request.topology, order); },
      [&](Rank rank) { return rh.unmove(rank, root); });
}

}  // namespace

extern const Method broadcast_drbt_method = broadcast::with_defaults({
    .name = "broadcast/drbt",
    .aliases = {"DRBT"},
    .known_as = "broadcasting",
    .families = {"rh", "hypercube"},
    .source = "Mukherjee, chapter 2 (mukherjee.md, Double-rooted tree to Broadcast)",
    .summary = "double-rooted binary trees over layers, building blocks and subblocks",
    .parameters = {broadcast::words_parameter, broadcast::root_parameter, order_parameter, broadcast::input_parameter,
                   broadcast::output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = resolve,
    .predict = predict,
    .lower_bound = lower_bound,
    .bytes = bytes,
    .run = run,
});

}  // namespace lockstep
