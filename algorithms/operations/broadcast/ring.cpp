#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/switches.hpp"
#include "pipelined.hpp"
#include "scheduled.hpp"

// A pipeline once round the ranks of a switch, which needs no links. Saad & Schultz 1988, (3.22) (saad-schultz-1988.md,
// Switch).
namespace lockstep {
namespace broadcast {
namespace {

std::uint64_t once_round_ring(const MachineSpec& machine) { return machine.processors - 1; }

void resolve_ring(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_pipelined(machine, model, settings, once_round_ring(machine));
}

Prediction predict_ring(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_pipelined(machine, model, settings, once_round_ring(machine), "k - 1");
}

std::vector<std::string_view> families() {
  std::vector<std::string_view> all = method::all_switches();
  all.push_back("complete");
  return all;
}

Outcome run_ring(const RunRequest& request) {
  const Rank k = request.topology.processors();
  return run_once_round(request, [&](Rank rank, bool forth) {
    const Rank other = shifted(rank, forth ? 1 : k - 1, k);
    return request.machine.medium ? other : place_without(rank, other);
  });
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_ring_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/ring",
    .aliases = {"broadcast/chain"},
    .families = broadcast::families(),
    .source = "Saad & Schultz 1988, (3.22) (saad-schultz-1988.md, Switch)",
    .summary = "packet behind packet once round all ranks",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .resolve = broadcast::resolve_ring,
    .predict = broadcast::predict_ring,
    .run = broadcast::run_ring,
});

}  // namespace lockstep
