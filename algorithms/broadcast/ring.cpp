#include "pipelined.hpp"

// Pipelines round a ring, one way and both ways. Saad & Schultz 1988, (3.16) and (3.17) (SS 2.4).
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

Prediction predict_one_way(const MachineSpec& machine, const Model&, const Settings& settings) {
  return predict_pipelined(machine, settings, once_round(machine), "k - 1");
}

Prediction predict_two_way(const MachineSpec& machine, const Model&, const Settings& settings) {
  return predict_pipelined(machine, settings, half_round(machine), "floor(k/2)");
}

LowerBound bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return lower_bound(machine, model, settings, half_round(machine));
}

Outcome run_one_way(const RunRequest& request) {
  const RingAxis ring = ring_of(request.machine);
  const auto root = static_cast<Rank>(*request.settings.root);
  return run_relays(request, 1, [&](Rank rank) {
    Relay relay{.start = rank >= root ? rank - root : ring.side() - (root - rank)};
    if (relay.start != 0) relay.from = ring.towards(false);
    if (relay.start + 1 < ring.side()) relay.to.push_back(ring.towards(true));
    return std::vector{relay};
  });
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
    .resolve = broadcast::resolve_two_way,
    .predict = broadcast::predict_two_way,
    .lower_bound = broadcast::bound,
    .bytes = broadcast::pipelined_bytes,
    .run = broadcast::run_two_way,
};

}  // namespace lockstep
