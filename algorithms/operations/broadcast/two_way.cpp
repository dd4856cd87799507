#include "pipelined.hpp"

// Pipelines both ways round a ring. Saad & Schultz 1988, (3.17) (saad-schultz-1988.md, Ring broadcast).
namespace lockstep {
namespace broadcast {
namespace {

GridAxis ring_of(const MachineSpec& machine) { return Grid(machine).axis(0); }

std::uint64_t half_round(const MachineSpec& machine) { return machine.processors / 2; }

void resolve_two_way(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_pipelined(machine, model, settings, half_round(machine));
}

Prediction predict_two_way(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_pipelined(machine, model, settings, half_round(machine), "floor(k/2)");
}

Outcome run_two_way(const RunRequest& request) {
  const GridAxis ring = ring_of(request.machine);
  const Rank root = request.root();
  const auto relays = [&](Rank rank) { return std::vector{along_axis(ring, root, rank, 0)}; };
  return run_relays(request, 1, relays, interval(request.machine, request.model, half_round(request.machine)));
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_two_way_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/two-way",
    .families = {"ring"},
    .source = "Saad & Schultz 1988, (3.17) (saad-schultz-1988.md, Ring broadcast)",
    .summary = "the same packets both ways round the ring",
    .defaults = {.multicast = true},
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_node,
    .resolve = broadcast::resolve_two_way,
    .predict = broadcast::predict_two_way,
    .run = broadcast::run_two_way,
});

}  // namespace lockstep
