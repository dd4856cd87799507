#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lockstep/core/processor.hpp"
#include "method/step_lengths.hpp"
#include "operations/scatter/and_gather.hpp"
#include "plans/tree/drbt_schedule.hpp"
#include "plans/tree/drbt_subtrees.hpp"

namespace lockstep {
namespace scatter::tree {
namespace {

/// The tree of broadcast/drbt, by logical addresses, and when every node has the blocks of its subtree.
struct DrbtScatterPlan {
  explicit DrbtScatterPlan(const RunRequest& request)
      : rh(request.machine),
        root(request.root()),
        topology(request.topology),
        schedule(lockstep::tree::drbt_schedule(rh, topology, lockstep::tree::ChildOrder::longest_first)),
        subtrees(schedule, topology),
        arrived(schedule.arrivals(topology, sends_on_several_ports(request.model.ports))),
        steps(*std::ranges::max_element(arrived)) {}

  Rank node(Rank rank) const { return rh.unmove(rank, root); }
  Rank child(Rank node, Port port) const { return topology.peer(node, port).rank; }

  ReducedHypercube rh;
  Rank root;
  const Topology& topology;
  TreeSchedule schedule;
  lockstep::tree::SubtreeRuns subtrees;
  std::vector<std::uint32_t> arrived;
  Cycle steps;
};

/// Throws std::logic_error unless these are the blocks of that subtree.
void check_subtree(const DrbtScatterPlan& plan, Rank subtree, const Bundle& pieces, Reading reading) {
  const bool forwards = reading == Reading::forwards;
  if (pieces.size() != plan.subtrees.size(subtree))
    throw std::logic_error("a message of more or fewer blocks than due");
  check(pieces, [&](const Piece& piece) {
    const Rank own = forwards ? piece.destination : piece.origin;
    return (forwards ? piece.origin : piece.destination) == plan.root && plan.subtrees.has(subtree, plan.node(own));
  });
}

// A node waits for the blocks of its subtree, and sends every child those of the child's subtree.
Process scatter_down(Processor<Bundle>& self, const DrbtScatterPlan& plan, HeldBlocks& held) {
  const Rank node = plan.node(self.rank());
  const std::span<const Port> children = plan.schedule.children(node);
  if (const Port parent = plan.schedule.parent(node); parent != TreeSchedule::no_port) {
    held.pieces = co_await self.message(parent);
    check_subtree(plan, node, held.pieces, Reading::forwards);
    held.words += words(held.pieces);
  }
  self.hold(held.words);
  std::vector<Bundle> leaving(children.size());
  Bundle own;
  std::exchange(held.pieces, {}).deal([&](const Piece& piece) -> Bundle& {
    const Rank destination = plan.node(piece.destination);
    for (std::size_t index = 0; index < children.size(); ++index) {
      if (plan.subtrees.has(plan.child(node, children[index]), destination)) return leaving[index];
    }
    return own;
  });
  held.pieces = std::move(own);
  const bool at_once = sends_on_several_ports(self.model().ports);
  for (std::size_t index = 0; index < children.size(); ++index) {
    held.words -= words(leaving[index]);
    self.send(children[index], std::move(leaving[index]));
    if (!at_once) co_await self.cycle();
  }
}

// The same messages in reversed time.
Process gather_up(Processor<Bundle>& self, const DrbtScatterPlan& plan, HeldBlocks& held) {
  const Rank node = plan.node(self.rank());
  self.hold(held.words);
  const std::span<const Port> children = plan.schedule.children(node);
  for (std::size_t index = children.size(); index-- > 0;) {
    Bundle received = co_await self.message(children[index]);
    check_subtree(plan, plan.child(node, children[index]), received, Reading::backwards);
    held.words += words(received);
    held.pieces.add(std::move(received));
    self.hold(held.words);
  }
  const Port parent = plan.schedule.parent(node);
  if (parent == TreeSchedule::no_port) co_return;
  co_await self.until(plan.steps - plan.arrived[node]);
  held.words = 0;
  self.send(parent, std::exchange(held.pieces, {}));
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const ReducedHypercube rh(machine);
  const bool at_once = sends_on_several_ports(model.ports);
  const lockstep::tree::SubtreeMessages messages = lockstep::tree::subtree_messages(rh, at_once);
  const Wide w = *settings.words;
  method::StepLengths lengths(model.cost);
  for (const Wide blocks : messages.longest) lengths.add(1, blocks * w);
  return {
      .steps = exact_count(lengths.steps(),
                           lockstep::tree::drbt_steps(rh, at_once, lockstep::tree::ChildOrder::longest_first).formula),
      .messages = exact_count(machine.processors - 1, "N - 1"),
      .words = exact_count(messages.hops * w, "w times the depths of all nodes"),
      .longest_sum = exact_count(lengths.sum(), "w times the largest subtree of every step"),
      .longest_startups = lengths.startups()};
}

// A node has the blocks of its subtree, its children theirs, and so on: at any time all are at two places at most, in
// lists that grow by doubling their room.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide of_plan = Wide{lockstep::tree::drbt_schedule_bytes(machine.processors)} +
                       lockstep::tree::SubtreeRuns::bytes(machine.processors) +
                       machine.processors * sizeof(std::uint32_t);
  return saturated(of_plan + bytes_for(machine, model, settings, 4 * Wide{machine.processors}));
}

Outcome run_schedule(const RunRequest& request, Reading reading) {
  const DrbtScatterPlan plan(request);
  return run(request, reading, [&](Processor<Bundle>& self, HeldBlocks& held) {
    return reading == Reading::forwards ? scatter_down(self, plan, held) : gather_up(self, plan, held);
  });
}

}  // namespace
}  // namespace scatter::tree

extern const method::MethodPair scatter_tree_methods = scatter::and_gather<scatter::tree::run_schedule>(
    {
        .name = "scatter/tree",
        .families = {"rh"},
        .source = "down the tree of Mukherjee, chapter 2 (mukherjee.md, Scatter and gather)",
        .summary =
            "down the double-rooted trees of the broadcast: every node is given the blocks of its subtree at once",
        .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
        .strictest_duplex = Duplex::half_node,
        .predict = scatter::tree::predict,
        .bytes = scatter::tree::bytes,
    },
    {
        .name = "gather/tree",
        .source = "up the tree of Mukherjee, chapter 2 (mukherjee.md, Scatter and gather)",
        .summary = "up the double-rooted trees of the broadcast: every node gives the blocks of its subtree at once",
    });

}  // namespace lockstep
