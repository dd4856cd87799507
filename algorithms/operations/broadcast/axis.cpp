#include "axis.hpp"

#include <algorithm>
#include <numeric>

#include "pipelined.hpp"

namespace lockstep {
namespace broadcast {

packets::Relay down_tree(const Grid& grid, Rank root, Rank rank, std::span<const std::size_t> dimensions, Cycle start) {
  const auto offset = [&](const GridAxis& axis) { return axis.offset(axis.position(root), axis.position(rank)); };
  packets::Relay relay{.start = start + static_cast<Cycle>(grid.distance(root, rank))};
  std::size_t ahead = dimensions.size();  // from here on rank and root are in the same position
  while (ahead > 0 && offset(grid.axis(dimensions[ahead - 1])) == 0) --ahead;
  if (ahead > 0) {
    const GridAxis& axis = grid.axis(dimensions[ahead - 1]);
    relay.from = axis.inward(offset(axis));
    axis.add_outward(axis.position(root), offset(axis), relay.to);
  }
  for (const std::size_t dimension : dimensions.subspan(ahead)) {
    const GridAxis& axis = grid.axis(dimension);
    axis.add_outward(axis.position(root), 0, relay.to);
  }
  return relay;
}

packets::Relay axis_relay(const Grid& grid, Rank root, Rank rank) {
  std::vector<std::size_t> dimensions(grid.dimensions());
  std::iota(dimensions.begin(), dimensions.end(), std::size_t{0});
  return down_tree(grid, root, rank, dimensions, 0);
}

namespace {

/// The default of --packets depends on the root, whose range is checked here.
std::uint64_t reach_of_root(const MachineSpec& machine, Settings& settings) {
  root_parameter.resolve(machine, settings);
  return Grid(machine).eccentricity(root_of(settings));
}

void resolve_axis(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_pipelined(machine, model, settings, reach_of_root(machine, settings));
}

Prediction predict_axis(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t hops = Grid(machine).eccentricity(root_of(settings));
  Prediction prediction = predict_pipelined(machine, model, settings, hops, "e");
  if (hops > 0) prediction.steps->formula += ", e links to the farthest";
  return prediction;
}

Outcome run_axis(const RunRequest& request) {
  const Grid grid(request.machine);
  const Rank root = request.root();
  const auto relays = [&](Rank rank) { return std::vector{axis_relay(grid, root, rank)}; };
  return run_relays(request, 1, relays, interval(request.machine, request.model, grid.eccentricity(root)));
}

}  // namespace
}  // namespace broadcast

// e + nu - 1 steps, e links to the farthest processor; a processor sends one packet on up to all ports at once.
// Half-duplex links. Where processors only send or only receive in a step, e + 2 (nu - 1) steps.
extern const Method broadcast_axis_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/axis",
    .families = {"torus", "mesh", "path"},
    .source = "Saad & Schultz 1988, (3.18) (saad-schultz-1988.md, Axis broadcast)",
    .summary = "packet behind packet along the root's column and from it along the rows, dimension after dimension",
    .defaults = {.multicast = true},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = broadcast::resolve_axis,
    .predict = broadcast::predict_axis,
    .run = broadcast::run_axis,
});

}  // namespace lockstep
