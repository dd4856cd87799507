#include "msbt.hpp"

#include <bit>
#include <optional>

#include "lockstep/core/spread.hpp"
#include "lockstep/machines/hypercube.hpp"
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

/// A packet is on its way in each of the k + 1 steps from its first.
packets::PacketFlow flow(const MachineSpec& machine, const Model& model) {
  const std::uint64_t k = machine.ports;
  const std::uint64_t hops = k > 1 ? k + 1 : k;
  if (!uses_all_ports(model) || k < 2) return packets::flow_over_hops(hops);
  return [k, hops](std::uint64_t, std::uint64_t first) { return (first + k - 1) / k + hops - 1; };
}

void resolve_msbt(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_packets(machine, model, settings, flow(machine, model));
}

Prediction predict_msbt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::string steps = uses_all_ports(model) ? "ceil(n/k) + k" : "n + k";
  return predict_packets(machine, model, settings, flow(machine, model), machine.ports == 1 ? "n" : steps);
}

Outcome run_msbt(const RunRequest& request) {
  const Rank root = request.root();
  const Split packets(*request.settings.words, *request.settings.packets);
  const auto relative = [root](Rank rank) { return rank ^ root; };
  parts::PartSchedule own = msbt_schedule(request.topology.ports(), packets.pieces(), uses_all_ports(request.model));
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
    .resolve = broadcast::resolve_msbt,
    .predict = broadcast::predict_msbt,
    .run = broadcast::run_msbt,
});

}  // namespace lockstep
