#include "daisy_chain.hpp"
#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/grid_tours.hpp"

namespace lockstep {
namespace allgather {

// Saad & Schultz 1988, section 3.3(d) (saad-schultz-1988.md, Torus daisy chains).
RingNeighbours snake_ring(const MachineSpec& machine, Rank rank) {
  const SnakeRing ring{Grid(machine)};
  return neighbours_at(ring.place(rank), static_cast<Rank>(machine.processors),
                       [&](Rank place) { return ring.at(place); });
}

namespace {

void resolve_snake(const MachineSpec& machine, const Model& model, Settings& settings) {
  if (!SnakeRing::exists(Grid(machine))) {
    throw InputError(printable(machine.text) +
                     " has no ring through all processors: a mesh needs a side of even length beside another; "
                     "allgather/daisy-chain goes both ways along a path");
  }
  resolve(machine, model, settings);
}

Outcome run_snake(const RunRequest& request) { return daisy_chain::run(request, snake_ring); }

}  // namespace
}  // namespace allgather

extern const Method allgather_daisy_chain_snake_method = allgather::with_defaults({
    .name = "allgather/daisy-chain-snake",
    .families = {"torus", "mesh"},
    .source = "Saad & Schultz 1988, section 3.3(d) (saad-schultz-1988.md, Torus daisy chains)",
    .summary =
        "all blocks go once round a snake through all rows, one a step, over no wrap-around link where a side is even",
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = allgather::resolve_snake,
    .predict = allgather::daisy_chain::predict,
    .bytes = allgather::daisy_chain::bytes,
    .run = allgather::run_snake,
});

}  // namespace lockstep
