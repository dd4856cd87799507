#include "pipelined.hpp"

// A pipeline once round a ring. Saad & Schultz 1988, (3.16) (saad-schultz-1988.md, Ring broadcast).
namespace lockstep {
namespace broadcast {
namespace {

GridAxis ring_of(const MachineSpec& machine) { return Grid(machine).axis(0); }

std::uint64_t once_round_one_way(const MachineSpec& machine) { return machine.processors - 1; }

void resolve_one_way(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_pipelined(machine, model, settings, once_round_one_way(machine));
}

Prediction predict_one_way(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_pipelined(machine, model, settings, once_round_one_way(machine), "k - 1");
}

Outcome run_one_way(const RunRequest& request) {
  const GridAxis ring = ring_of(request.machine);
  return run_once_round(request, [&](Rank, bool forth) { return ring.towards(forth); });
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_one_way_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/one-way",
    .families = {"ring"},
    .source = "Saad & Schultz 1988, (3.16) (saad-schultz-1988.md, Ring broadcast)",
    .summary = "packet behind packet once round the ring",
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_node,
    .resolve = broadcast::resolve_one_way,
    .predict = broadcast::predict_one_way,
    .run = broadcast::run_one_way,
});

}  // namespace lockstep
