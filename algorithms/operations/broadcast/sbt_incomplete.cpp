#include <optional>
#include <utility>
#include <vector>

#include "lockstep/core/spread.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/incomplete_hypercube.hpp"
#include "pipelined.hpp"

// Broadcasts on the incomplete hypercube, an N-cube with an M-cube (mukherjee.md, Incomplete hypercube).
namespace lockstep {
namespace broadcast {
namespace {

/// A processor's place in the tree: binomial in both cubes. From a root in the larger one the smaller gets the item
/// over the links between them, which its 2^M neighbours use last; a root in the smaller one uses its link first.
struct IncompleteTreePlace {
  std::optional<Port> parent;
  std::vector<Port> children;  // in the order in which they are served
};

IncompleteTreePlace place_of(const IncompleteHypercube& cube, Rank root, Rank rank) {
  const Port between = cube.n();
  const bool from_smaller = cube.is_in_smaller(root);
  const bool in_smaller = cube.is_in_smaller(rank);
  if (in_smaller && !from_smaller) return {.parent = between, .children = {}};
  const Rank relative = (rank ^ root) & ((Rank{1} << between) - 1);  // to the node of its cube that has the item first
  IncompleteTreePlace place;
  if (relative != 0) place.parent = highest_bit(relative);
  if (relative == 0 && in_smaller) place.children = {between};
  if (relative == 0 && from_smaller && !in_smaller) place.parent = between;
  for (Port port = width(relative); port < (in_smaller ? cube.m() : cube.n()); ++port) place.children.push_back(port);
  if (!from_smaller && cube.has_link(rank, between)) place.children.push_back(between);
  return place;
}

// As soon as a processor has the item it serves its children, all in one step or one a step.
Process broadcast_whole(Processor<Block>& self, IncompleteTreePlace place, Block& item) {
  if (place.parent) item = co_await self.message(*place.parent);
  self.hold(item.size());
  co_await spread(self, place.children, item);
}

/// Links to the farthest processor.
std::uint64_t eccentricity(const MachineSpec& machine, const Settings& settings) {
  const Rank root = root_of(settings);
  return one_bits(root ^ IncompleteHypercube(machine).farthest(root));
}

/// With one port holders double at best, so that 2^N + 2^M take N + 1 steps.
std::uint64_t least_steps(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return spreads_at_once(model) ? eccentricity(machine, settings) : machine.ports;
}

Prediction predict_whole(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t steps = least_steps(machine, model, settings);
  const std::uint64_t others = machine.processors - 1;
  const std::uint64_t w = *settings.words;
  const bool at_once = spreads_at_once(model);
  return {.steps = Count{steps, true, at_once ? "e, links to the farthest processor" : "N + 1"},
          .messages = Count{others, true, "k - 1"},
          .words = exact_count(Wide{others} * w, "(k - 1) m"),
          .longest_sum = exact_count(Wide{steps} * w, at_once ? "e m" : "(N + 1) m"),
          .message_words = w};
}

Outcome run_whole(const RunRequest& request) {
  const IncompleteHypercube cube(request.machine);
  const Rank root = request.root();
  return run(request, [&](Processor<Block>& self, Block& item) {
    return broadcast_whole(self, place_of(cube, root, self.rank()), item);
  });
}

void resolve_in_packets(const MachineSpec& machine, const Model& model, Settings& settings) {
  root_parameter.resolve(machine, settings);
  resolve_pipelined(machine, model, settings, eccentricity(machine, settings));
}

Prediction predict_in_packets(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_pipelined(machine, model, settings, eccentricity(machine, settings), "e");
}

Outcome run_in_packets(const RunRequest& request) {
  const IncompleteHypercube cube(request.machine);
  const Rank root = request.root();
  const auto relays = [&](Rank rank) {
    IncompleteTreePlace place = place_of(cube, root, rank);
    return std::vector{
        packets::Relay{.start = one_bits(rank ^ root), .from = place.parent, .to = std::move(place.children)}};
  };
  const std::uint64_t hops = eccentricity(request.machine, request.settings);
  return run_relays(request, 1, relays, interval(request.machine, request.model, hops));
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_incomplete_sbt_method = broadcast::with_defaults({
    .name = "broadcast/sbt",
    .aliases = {"SBT"},
    .families = {"incomplete-hypercube"},
    .source = "after Saad & Schultz 1985, section 2; Mukherjee, 1.2.1 (mukherjee.md, Incomplete hypercube)",
    .summary = "spanning binomial trees of both cubes, the smaller cube last, or from its link on",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .predict = broadcast::predict_whole,
    .run = broadcast::run_whole,
});

// A processor sends one packet on over up to N + 1 ports at once.
extern const Method broadcast_incomplete_sbt_pipelined_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/sbt-pipelined",
    .families = {"incomplete-hypercube"},
    .source = "after Saad & Schultz 1985, section 2, Prop. 2.2; Mukherjee, 1.2.1 (mukherjee.md, Incomplete hypercube)",
    .summary = "packet behind packet down the spanning binomial trees of both cubes",
    .defaults = {.multicast = true},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = broadcast::resolve_in_packets,
    .predict = broadcast::predict_in_packets,
    .run = broadcast::run_in_packets,
});

}  // namespace lockstep
