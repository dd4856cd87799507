#include "msbt.hpp"

#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "lockstep/core/spread.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "pipelined.hpp"
#include "scheduled.hpp"

// Packets down k spanning binomial trees of a k-cube in turn, rotated against each other. Johnsson & Ho 1989
// (collectives.md, Broadcast on a hypercube).
namespace lockstep {
namespace broadcast {
namespace {

/// A link from one node to another belongs to one tree.
struct TreeArc {
  Port tree;        ///< tree j has the child 2^j of the root
  std::uint64_t e;  ///< steps from a packet's departure at the root until it crosses the link
};

/// The link of a node v over that dimension, the root being 0. Tree j goes from 2^j over the dimensions j+1, j+2, ..
/// cyclically to j-1, and over j last; so a dimension in which v has a zero is in the tree of v's next one bit.
std::optional<TreeArc> arc(Rank node, Port dimension, Port k) {
  if (node == 0) return TreeArc{dimension, 0};
  if (has_bit(node, dimension)) {
    if (node == Rank{1} << dimension) return {};  // back to the root
    return TreeArc{dimension, k};
  }
  const Rank from_dimension = (node >> dimension) | (dimension == 0 ? 0 : node << (k - dimension));
  const auto above = static_cast<Port>(std::countr_zero(from_dimension));
  return TreeArc{(dimension + above) % k, k - above};
}

/// The packet, of n, that crosses the arc in that step.
std::optional<std::uint64_t> packet_over(const std::optional<TreeArc>& arc, Cycle step, std::uint64_t n, Port k,
                                         bool at_once) {
  if (!arc || step < arc->e) return {};
  const std::uint64_t packet = at_once ? (step - arc->e) * k + arc->tree : step - arc->e;
  return packet < n ? std::optional(packet) : std::nullopt;
}

bool uses_all_ports(const Model& model) { return model.ports == PortModel::all; }

}  // namespace

parts::PartSchedule msbt_schedule(Port k, std::uint64_t n, bool at_once) {
  const std::uint64_t way = k > 1 ? k : 0;  // steps from a packet's first to its last
  const Cycle steps = k == 0 ? 0 : at_once ? (n + k - 1) / k + way : n + way;
  const Cycle lanes = at_once && k > 0 ? k : 1;
  const auto at = [=](Rank node, Cycle number) {
    const Cycle step = number / lanes;
    const auto dimension = static_cast<Port>(at_once ? number % lanes : step % k);
    const Rank other = node ^ (Rank{1} << dimension);
    parts::PartStep one;
    if (const auto packet = packet_over(arc(node, dimension, k), step, n, k, at_once)) {
      one.to = other;
      one.sent.push_back(static_cast<Rank>(*packet));
    }
    if (const auto packet = packet_over(arc(other, dimension, k), step, n, k, at_once)) {
      one.from = other;
      one.received.push_back(static_cast<Rank>(*packet));
    }
    return one;
  };
  return {steps, at, lanes};
}

namespace {

/// Over a single link only the root sends.
bool is_in_turns(std::uint64_t k, const Model& model) { return k > 1 && model.duplex != Duplex::full; }

/// Every step in two turns: neighbours differ in the parity of their addresses, and first the even ones send. Left out
/// are those in which none would: the second of the first step, where only the root sends; with packets down one tree
/// or one for each the first of the next; and on a square the last, as the corner opposite to the root is even.
parts::PartSchedule in_turns(parts::PartSchedule schedule, Port k) {
  const Cycle lanes = schedule.lanes;
  const Cycle left_out = schedule.steps == Cycle{1} + k ? 2 : 1;
  const Cycle turns = 2 * schedule.steps - left_out - (k == 2 ? 1 : 0);
  const auto at = [schedule = std::move(schedule), left_out](Rank node, Cycle number) {
    const Cycle cycle = number / schedule.lanes;
    const Cycle turn = cycle == 0 ? 0 : cycle + left_out;
    parts::PartStep one = schedule.at(node, turn / 2 * schedule.lanes + number % schedule.lanes);
    if ((static_cast<Cycle>(std::popcount(node)) + turn) % 2 == 0) {
      one.from = no_rank;
      one.received.clear();
    } else {
      one.to = no_rank;
      one.sent.clear();
    }
    return one;
  };
  return {turns, at, lanes};
}

/// The turns of a packet's way: those with a sender. Down tree 0 the root, 1, all that differ from it in one dimension,
/// ..; from the second step on, of both parities in more than two dimensions.
packets::PacketFlow flow_in_turns(std::uint64_t k, bool at_once) {
  std::vector<std::uint64_t> turns{0, 3};
  for (std::uint64_t e = 2; e <= k; ++e) {
    turns.push_back(2 * e);
    if (k > 2) turns.push_back(2 * e + 1);
  }
  return packets::flow_down_trees(2, std::vector(at_once ? k : 1, turns));
}

/// A packet is on its way in each of the k + 1 steps from its first.
packets::PacketFlow flow(const MachineSpec& machine, const Model& model) {
  const std::uint64_t k = machine.ports;
  if (is_in_turns(machine.ports, model)) return flow_in_turns(k, uses_all_ports(model));
  const std::uint64_t hops = k > 1 ? k + 1 : k;
  if (!uses_all_ports(model) || k < 2) return packets::flow_over_hops(hops);
  return [k, hops](std::uint64_t, std::uint64_t first) { return (first + k - 1) / k + hops - 1; };
}

void resolve_msbt(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_packets(machine, model, settings, flow(machine, model));
}

Prediction predict_msbt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::string steps = uses_all_ports(model) ? "ceil(n/k) + k" : "n + k";
  return predict_packets(machine, model, settings, flow(machine, model),
                         machine.ports == 1                  ? "n"
                         : is_in_turns(machine.ports, model) ? "turns with a sender, two for each of " + steps
                                                             : steps);
}

/// Every tree that has a packet has links of its own.
std::uint64_t bytes_of_msbt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide trees = std::min(*settings.words, machine.ports);
  return pipelined_bytes_over(machine, model, settings, trees * machine.processors);
}

Outcome run_msbt(const RunRequest& request) {
  const Rank root = request.root();
  const Split packets(*request.settings.words, *request.settings.packets);
  const auto relative = [root](Rank rank) { return rank ^ root; };
  parts::PartSchedule own = msbt_schedule(request.topology.ports(), packets.pieces(), uses_all_ports(request.model));
  if (is_in_turns(request.topology.ports(), request.model)) own = in_turns(std::move(own), request.topology.ports());
  return run_schedule(request, parts::moved(std::move(own), relative, relative), parts::Parts(packets));
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_msbt_method = broadcast::scheduled_with_defaults({
    .name = "broadcast/msbt",
    .families = {"hypercube"},
    .source = "Johnsson & Ho 1989 (collectives.md, Broadcast on a hypercube)",
    .summary = "packets in turn down as many rotated binomial trees as there are dimensions, which share no link",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = broadcast::resolve_msbt,
    .predict = broadcast::predict_msbt,
    .bytes = broadcast::bytes_of_msbt,
    .run = broadcast::run_msbt,
});

}  // namespace lockstep
