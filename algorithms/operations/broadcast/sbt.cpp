#include "sbt.hpp"

#include <numeric>
#include <vector>

#include "drbt.hpp"
#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/core/spread.hpp"
#include "plans/tree/group_tree.hpp"

namespace lockstep {

TreeSchedule broadcast::sbt_schedule(Port dimensions) {
  std::vector<Port> ports(dimensions);
  std::iota(ports.begin(), ports.end(), Port{0});
  TreeSchedule schedule(Rank{1} << dimensions);
  for (Rank node = 0; node < Rank{1} << dimensions; ++node) {
    schedule.add(node == 0 ? TreeSchedule::no_port : highest_bit(node), std::span(ports).subspan(width(node)));
  }
  return schedule;
}

namespace broadcast {
namespace {

// A processor outside the group forwards the item, and keeps nothing (saad-schultz-1985.md, Subgroups).
Process broadcast_to_group(Processor<Block>& self, const TreeSchedule& schedule, Rank node, bool is_member,
                           Block& item) {
  co_await broadcast_drbt(self, schedule, node, item);
  if (!is_member) item = Block();
}

Prediction predict_for_group(const MachineSpec& machine, const Model& model, const Settings& settings,
                             const method::Group& group) {
  const tree::GroupTree tree = tree::group_tree(machine, root_of(settings), group);
  const std::uint64_t m = *settings.words;
  const Wide steps = spreads_at_once(model) ? tree.depth : tree.one_port_steps;
  const Wide others = tree.nodes - 1;
  return {.steps = exact_count(steps, "steps of the tree that leads to the group; its d if it is a d-cube"),
          .messages = exact_count(others, "t - 1, t processors on the tree"),
          .words = exact_count(others * m, "(t - 1) m"),
          .longest_sum = exact_count(steps * m, "steps m"),
          .message_words = m};
}

Outcome run_for_group(const RunRequest& request, const method::Group& group) {
  const Rank root = request.root();
  const tree::GroupTree tree = tree::group_tree(request.machine, root, group);
  return run(request, [&](Processor<Block>& self, Block& item) {
    return broadcast_to_group(self, tree.schedule, self.rank() ^ root, group.has(self.rank()), item);
  });
}

}  // namespace
}  // namespace broadcast

namespace {

void resolve_sbt(const MachineSpec& machine, const Model& model, Settings& settings) {
  method::resolve_root_in_group(machine, settings);
  broadcast::resolve(machine, model, settings);
}

Prediction predict_sbt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (const auto group = method::group_of(machine, settings)) {
    return broadcast::predict_for_group(machine, model, settings, *group);
  }
  const std::uint64_t n = machine.ports;
  const std::uint64_t others = machine.processors - 1;
  const std::uint64_t m = *settings.words;
  return {.steps = Count{n, true, "n"},
          .messages = Count{others, true, "2^n - 1"},
          .words = Count{others * m, true, "(2^n - 1) m"},
          .longest_sum = Count{n * m, true, "n m"},
          .message_words = m};
}

// For a group, also the tree.
std::uint64_t bytes_sbt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide of_tree = settings.group ? tree::GroupTree::bytes(machine.processors) : 0;
  return saturated(broadcast::bytes(machine, model, settings) + of_tree);
}

Outcome run_sbt(const RunRequest& request) {
  if (const auto group = method::group_of(request.machine, request.settings))
    return broadcast::run_for_group(request, *group);
  const Rank root = request.root();
  return broadcast::run(request, [root](Processor<Block>& self, Block& item) {
    return broadcast::broadcast_sbt(self, self.rank() ^ root, self.ports(), item);
  });
}

}  // namespace

extern const Method broadcast_sbt_method = broadcast::with_defaults({
    .name = "broadcast/sbt",
    .aliases = {"SBT"},
    .families = {"hypercube"},
    .source = "Saad & Schultz 1985, section 2 (saad-schultz-1985.md, Broadcast)",
    .summary = "spanning binomial tree: the holders double every step",
    .parameters = {broadcast::words_parameter, broadcast::root_parameter, method::group_parameter,
                   broadcast::input_parameter, broadcast::output_parameter},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = resolve_sbt,
    .predict = predict_sbt,
    .bytes = bytes_sbt,
    .run = run_sbt,
});

}  // namespace lockstep
