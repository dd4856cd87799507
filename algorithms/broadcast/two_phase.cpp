#include "axis.hpp"
#include "pipelined.hpp"

namespace lockstep {
namespace broadcast {
namespace {

/// One phase: the pipeline both ways along a ring of `side` processors.
StepCounts phase_counts(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t h = SquareTorus(machine).reach();
  const Split packets(*settings.words, *settings.packets);
  return count_steps({h, packets, 0, interval(machine, model, h)}, model.cost);
}

void resolve_two_phase(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_pipelined(machine, model, settings, SquareTorus(machine).reach());
}

Prediction predict_two_phase(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const StepCounts phase = phase_counts(machine, model, settings);
  const bool in_turns = interval(machine, model, SquareTorus(machine).reach()) == 2;
  return predict_parts(machine, settings, 1, phase + phase, in_turns ? "2 (2 (nu - 1) + h)" : "2 (nu - 1 + h)",
                       in_turns ? "2 ((h - 2) ceil(N/nu) + 2 N)" : "2 ((h - 1) ceil(N/nu) + N)");
}

LowerBound bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return lower_bound(machine, model, settings, diameter(SquareTorus(machine)));
}

// The root's column first, in both senses; when its last packet has arrived, each of its processors does the same along
// its row.
std::vector<Relay> two_phase_relays(const SquareTorus& torus, Rank root, Rank rank, Cycle second_phase) {
  const std::int64_t x = torus.x_axis().offset(torus.x(root), torus.x(rank));
  const std::int64_t y = torus.y_axis().offset(torus.y(root), torus.y(rank));
  const Relay along_row = along_axis(torus.x_axis(), x, second_phase);
  if (x != 0) return {along_row};
  return {along_axis(torus.y_axis(), y, 0), along_row};
}

Outcome run_two_phase(const RunRequest& request) {
  const SquareTorus torus(request.machine);
  const auto root = static_cast<Rank>(*request.settings.root);
  const Cycle second_phase = phase_counts(request.machine, request.model, request.settings).steps;
  const auto relays = [&](Rank rank) { return two_phase_relays(torus, root, rank, second_phase); };
  return run_relays(request, 1, relays, interval(request.machine, request.model, torus.reach()));
}

}  // namespace
}  // namespace broadcast

// 2 (nu - 1 + h) steps, h = floor(s/2); a processor sends one packet on up to two ports at once.
// Where processors only send or only receive in a step, 2 (h + 2 (nu - 1)) for h > 1.
extern const Method broadcast_two_phase_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/two-phase",
    .families = {"torus"},
    .source = "Saad & Schultz 1988, (3.20) (saad-schultz-1988.md, Two phases)",
    .summary = "all packets along the root's column, then all along the rows (square tori)",
    .defaults = {.ports = PortModel::one, .multicast = true},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = broadcast::resolve_two_phase,
    .predict = broadcast::predict_two_phase,
    .lower_bound = broadcast::bound,
    .run = broadcast::run_two_phase,
});

}  // namespace lockstep
