#include "../media.hpp"
#include "pipelined.hpp"

// Pipelines round a ring, one way and both ways, and round the ranks of a switch, which need no links. Saad & Schultz
// 1988, (3.16), (3.17) and (3.22) (SS 2.4, 6).
namespace lockstep {
namespace broadcast {
namespace {

RingAxis ring_of(const MachineSpec& machine) { return {static_cast<Rank>(machine.processors), 0}; }

std::uint64_t once_round(const MachineSpec& machine) { return machine.processors - 1; }
std::uint64_t half_round(const MachineSpec& machine) { return machine.processors / 2; }

void resolve_one_way(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_pipelined(machine, model, settings, once_round(machine));
}

void resolve_two_way(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_pipelined(machine, model, settings, half_round(machine));
}

Prediction predict_one_way(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_pipelined(machine, model, settings, once_round(machine), "k - 1");
}

Prediction predict_two_way(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_pipelined(machine, model, settings, half_round(machine), "floor(k/2)");
}

LowerBound bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return lower_bound(machine, model, settings, half_round(machine));
}

LowerBound bound_of_switch(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return lower_bound(machine, model, settings, doublings(machine.processors));
}

/// `towards` gives the port of a rank that leads to the next one, or back.
Outcome run_once_round(const RunRequest& request, const std::function<Port(Rank rank, bool forth)>& towards) {
  const Rank k = request.topology.processors();
  const auto root = static_cast<Rank>(*request.settings.root);
  return run_relays(request, 1, [&](Rank rank) {
    Relay relay{.start = offset_from(root, rank, k)};
    if (relay.start != 0) relay.from = towards(rank, false);
    if (relay.start + 1 < k) relay.to.push_back(towards(rank, true));
    return std::vector{relay};
  });
}

Outcome run_one_way(const RunRequest& request) {
  const RingAxis ring = ring_of(request.machine);
  return run_once_round(request, [&](Rank, bool forth) { return ring.towards(forth); });
}

Outcome run_over_switch(const RunRequest& request) {
  const Rank k = request.topology.processors();
  return run_once_round(request, [&](Rank rank, bool forth) { return shifted(rank, forth ? 1 : k - 1, k); });
}

Outcome run_two_way(const RunRequest& request) {
  const RingAxis ring = ring_of(request.machine);
  const auto root = static_cast<Rank>(*request.settings.root);
  return run_relays(request, 1, [&](Rank rank) { return std::vector{along_axis(ring, ring.offset(root, rank), 0)}; });
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_one_way_method{
    .name = "broadcast/one-way",
    .operation = "broadcast",
    .known_as = "one to all",
    .families = {"ring"},
    .source = "Saad & Schultz 1988, (3.16) (SS 2.4)",
    .summary = "packet behind packet once round the ring",
    .parameters = {broadcast::packets_words_parameter, broadcast::packets_parameter, broadcast::root_parameter,
                   broadcast::input_parameter, broadcast::output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = broadcast::resolve_one_way,
    .predict = broadcast::predict_one_way,
    .lower_bound = broadcast::bound,
    .bytes = broadcast::pipelined_bytes,
    .run = broadcast::run_one_way,
};

extern const Method broadcast_two_way_method{
    .name = "broadcast/two-way",
    .operation = "broadcast",
    .known_as = "one to all",
    .families = {"ring"},
    .source = "Saad & Schultz 1988, (3.17) (SS 2.4)",
    .summary = "the same packets both ways round the ring",
    .parameters = {broadcast::packets_words_parameter, broadcast::packets_parameter, broadcast::root_parameter,
                   broadcast::input_parameter, broadcast::output_parameter},
    .defaults = {.ports = PortModel::one, .multicast = true},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = broadcast::resolve_two_way,
    .predict = broadcast::predict_two_way,
    .lower_bound = broadcast::bound,
    .bytes = broadcast::pipelined_bytes,
    .run = broadcast::run_two_way,
};

extern const Method broadcast_ring_method{
    .name = "broadcast/ring",
    .operation = "broadcast",
    .known_as = "one to all",
    .families = {"switch", "omega"},
    .source = "Saad & Schultz 1988, (3.22) (SS 6)",
    .summary = "packet behind packet once round all ranks",
    .parameters = {broadcast::packets_words_parameter, broadcast::packets_parameter, broadcast::root_parameter,
                   broadcast::input_parameter, broadcast::output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one},
    .resolve = broadcast::resolve_one_way,
    .predict = broadcast::predict_one_way,
    .lower_bound = broadcast::bound_of_switch,
    .bytes = broadcast::pipelined_bytes,
    .run = broadcast::run_over_switch,
};

}  // namespace lockstep
