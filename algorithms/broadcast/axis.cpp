#include "axis.hpp"

#include <cstdlib>

#include "pipelined.hpp"

namespace lockstep {
namespace broadcast {

std::vector<Relay> axis_relays(const SquareTorus& torus, Rank root, Rank rank) {
  const std::int64_t x = torus.x_axis().offset(torus.x(root), torus.x(rank));
  const std::int64_t y = torus.y_axis().offset(torus.y(root), torus.y(rank));
  if (x != 0) return {along_axis(torus.x_axis(), x, static_cast<Cycle>(std::abs(y)))};
  Relay relay = along_axis(torus.y_axis(), y, 0);
  torus.x_axis().add_outward(0, relay.to);
  return {relay};
}

namespace {

void resolve_axis(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_pipelined(machine, model, settings, diameter(SquareTorus(machine)));
}

Prediction predict_axis(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_pipelined(machine, model, settings, diameter(SquareTorus(machine)), "2h");
}

LowerBound bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return lower_bound(machine, model, settings, diameter(SquareTorus(machine)));
}

Outcome run_axis(const RunRequest& request) {
  const SquareTorus torus(request.machine);
  const auto root = static_cast<Rank>(*request.settings.root);
  const auto relays = [&](Rank rank) { return axis_relays(torus, root, rank); };
  return run_relays(request, 1, relays, interval(request.machine, request.model, diameter(torus)));
}

}  // namespace
}  // namespace broadcast

// 2h + nu - 1 steps, h = floor(s/2); a processor sends one packet on up to four ports at once.
// Where processors only send or only receive in a step, 2h + 2 (nu - 1) steps.
extern const Method broadcast_axis_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/axis",
    .families = {"torus"},
    .source = "Saad & Schultz 1988, (3.18) (saad-schultz-1988.md, Axis broadcast)",
    .summary = "packet behind packet along the root's column and from it along the rows (square tori)",
    .defaults = {.ports = PortModel::one, .multicast = true},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = broadcast::resolve_axis,
    .predict = broadcast::predict_axis,
    .lower_bound = broadcast::bound,
    .run = broadcast::run_axis,
});

}  // namespace lockstep
