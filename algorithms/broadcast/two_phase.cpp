#include "axis.hpp"
#include "pipelined.hpp"

// A phase a dimension: when all packets have gone both ways along the root's column, each of its processors does the
// same along its row, and so on. Saad & Schultz 1988, (3.20) (saad-schultz-1988.md, Two phases).
namespace lockstep {
namespace broadcast {
namespace {

/// Of a phase: the pipeline both ways along the lines of the axis.
StepCounts phase_counts(const GridAxis& axis, Rank root, std::uint64_t words, std::uint64_t packets,
                        const CostModel& cost) {
  return count_steps({axis.reach(axis.position(root)), Split(words, packets)}, cost);
}

StepCounts counts(const Grid& grid, const Settings& settings, std::uint64_t packets, const CostModel& cost) {
  StepCounts all;
  for (const GridAxis& axis : grid.axes()) {
    all = all + phase_counts(axis, static_cast<Rank>(*settings.root), *settings.words, packets, cost);
  }
  return all;
}

void resolve_two_phase(const MachineSpec& machine, const Model& model, Settings& settings) {
  const Grid grid(machine);
  resolve_parts(machine, model, settings, 1);
  packets_parameter.resolve(
      settings, 1, [&](std::uint64_t packets) { return counts(grid, settings, packets, model.cost).time(model.cost); });
}

Prediction predict_two_phase(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_parts(machine, settings, 1, counts(Grid(machine), settings, *settings.packets, model.cost),
                       "sum of nu - 1 + h over the phases, h links each way",
                       "sum of (h - 1) ceil(N/nu) + N over the phases");
}

/// The relays of a rank: it receives in the phase of the last dimension in which it differs from the root, and begins
/// in every later one. `starts`: the first cycle of every phase.
std::vector<Relay> two_phase_relays(const Grid& grid, Rank root, Rank rank, const std::vector<Cycle>& starts) {
  std::vector<Relay> relays;
  for (std::size_t phase = 0; phase < grid.dimensions(); ++phase) {
    const GridAxis& axis = grid.axis(phase);
    if (axis.position(rank) != axis.position(root)) relays.clear();
    relays.push_back(along_axis(axis, root, rank, starts[phase]));
  }
  return relays;
}

Outcome run_two_phase(const RunRequest& request) {
  const Grid grid(request.machine);
  const auto root = static_cast<Rank>(*request.settings.root);
  std::vector<Cycle> starts;
  Cycle start = 0;
  for (const GridAxis& axis : grid.axes()) {
    starts.push_back(start);
    start += phase_counts(axis, root, *request.settings.words, *request.settings.packets, request.model.cost).steps;
  }
  return run_relays(request, 1, [&](Rank rank) { return two_phase_relays(grid, root, rank, starts); });
}

}  // namespace
}  // namespace broadcast

// nu - 1 + h steps a phase, h links to the end of the longer way; a processor sends one packet on up to two ports at
// once. Half-duplex links.
extern const Method broadcast_two_phase_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/two-phase",
    .families = {"torus", "mesh", "path"},
    .source = "Saad & Schultz 1988, (3.20) (saad-schultz-1988.md, Two phases)",
    .summary = "all packets along the root's column, then all along the rows: a phase a dimension",
    .defaults = {.ports = PortModel::one, .multicast = true},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = broadcast::resolve_two_phase,
    .predict = broadcast::predict_two_phase,
    .lower_bound = broadcast::bound_on_grid,
    .run = broadcast::run_two_phase,
});

}  // namespace lockstep
