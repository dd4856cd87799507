#include "axis.hpp"
#include "pipelined.hpp"

// A phase per dimension: when all packets have gone both ways along the root's column, each of its processors sends
// them along its row, and so on. Saad & Schultz 1988, (3.20) (saad-schultz-1988.md, Two phases).
namespace lockstep {
namespace broadcast {
namespace {

/// A phase an axis: the pipeline both ways along its lines.
std::vector<PipelinePhase> phases_of(const MachineSpec& machine, const Model& model, Rank root) {
  std::vector<PipelinePhase> phases;
  const Grid grid(machine);
  for (const GridAxis& axis : grid.axes()) {
    const std::uint64_t hops = axis.reach(axis.position(root));
    phases.push_back({hops, interval(machine, model, hops)});
  }
  return phases;
}

void resolve_two_phase(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_parts(machine, model, settings, 1);  // the root, which the phases need
  resolve_phases(machine, model, settings, phases_of(machine, model, root_of(settings)));
}

Prediction predict_two_phase(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const bool in_turns = model.duplex == Duplex::half_node;
  const StepCounts counts =
      count_phases(phases_of(machine, model, root_of(settings)), Split(*settings.words, *settings.packets), model.cost);
  return predict_parts(machine, settings, 1, counts,
                       in_turns ? "sum of 2 (nu - 1) + h over the phases, nu for h = 1, h links each way"
                                : "sum of nu - 1 + h over the phases, h links each way",
                       in_turns ? "sum of (h - 2) ceil(N/nu) + 2 N over the phases, N for h = 1"
                                : "sum of (h - 1) ceil(N/nu) + N over the phases");
}

/// The relays of a rank: it receives in the phase of the last dimension in which it differs from the root, and begins
/// in every later one. `starts`: the first cycle of every phase; `intervals`: the cycles between its packets.
std::vector<packets::Relay> two_phase_relays(const Grid& grid, Rank root, Rank rank, const std::vector<Cycle>& starts,
                                             const std::vector<Cycle>& intervals) {
  std::vector<packets::Relay> relays;
  for (std::size_t phase = 0; phase < grid.dimensions(); ++phase) {
    const GridAxis& axis = grid.axis(phase);
    if (axis.position(rank) != axis.position(root)) relays.clear();
    relays.push_back(along_axis(axis, root, rank, starts[phase]));
    relays.back().interval = intervals[phase];
  }
  return relays;
}

Outcome run_two_phase(const RunRequest& request) {
  const Grid grid(request.machine);
  const Rank root = request.root();
  const Split packets(*request.settings.words, *request.settings.packets);
  std::vector<Cycle> starts;
  std::vector<Cycle> intervals;
  Cycle start = 0;
  for (const PipelinePhase& phase : phases_of(request.machine, request.model, root)) {
    starts.push_back(start);
    intervals.push_back(phase.interval);
    start += count_phases({&phase, 1}, packets, request.model.cost).steps;
  }
  return run_relays(request, 1, [&](Rank rank) { return two_phase_relays(grid, root, rank, starts, intervals); });
}

}  // namespace
}  // namespace broadcast

// nu - 1 + h steps per phase, h links to the end of the longer way; a processor sends one packet on up to two ports at
// once. Half-duplex links. Where processors only send or only receive in a step, 2 (nu - 1) + h for h > 1.
extern const Method broadcast_two_phase_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/two-phase",
    .families = {"torus", "mesh", "path"},
    .source = "Saad & Schultz 1988, (3.20) (saad-schultz-1988.md, Two phases)",
    .summary = "all packets along the root's column, then all along the rows: a phase a dimension",
    .defaults = {.multicast = true},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = broadcast::resolve_two_phase,
    .predict = broadcast::predict_two_phase,
    .run = broadcast::run_two_phase,
});

}  // namespace lockstep
