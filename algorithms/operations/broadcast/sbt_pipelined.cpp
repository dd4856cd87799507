#include "sbt_pipelined.hpp"

#include "lockstep/machines/hypercube.hpp"
#include "pipelined.hpp"

namespace lockstep {
namespace broadcast {

std::vector<packets::Relay> sbt_relays(Port n, Rank relative) {
  packets::Relay relay{.start = one_bits(relative)};
  if (relative != 0) relay.from = highest_bit(relative);
  for (Port dimension = width(relative); dimension < n; ++dimension) relay.to.push_back(dimension);
  return {relay};
}

namespace {

void resolve_sbt(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_pipelined(machine, model, settings, machine.ports);
}

Prediction predict_sbt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_pipelined(machine, model, settings, machine.ports, "n");
}

Outcome run_sbt(const RunRequest& request) {
  const Rank root = request.root();
  const Port n = request.topology.ports();
  const auto relays = [&](Rank rank) { return sbt_relays(n, rank ^ root); };
  return run_relays(request, 1, relays, interval(request.machine, request.model, n));
}

}  // namespace
}  // namespace broadcast

// n + nu - 1 steps; a processor sends one packet on up to n ports at once.
// Where processors only send or only receive in a step, n + 2 (nu - 1) steps.
extern const Method broadcast_sbt_pipelined_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/sbt-pipelined",
    .families = {"hypercube"},
    .source = "Saad & Schultz 1985, section 2, Prop. 2.2 (saad-schultz-1985.md, Pipelined broadcast)",
    .summary = "packet behind packet down the spanning binomial tree",
    .defaults = {.multicast = true},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = broadcast::resolve_sbt,
    .predict = broadcast::predict_sbt,
    .run = broadcast::run_sbt,
});

}  // namespace lockstep
