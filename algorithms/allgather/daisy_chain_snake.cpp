#include "daisy_chain.hpp"
#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/square_torus.hpp"

namespace lockstep {
namespace allgather {

// Saad & Schultz 1988, section 3.3(d) (saad-schultz-1988.md, Torus daisy chains): rows of even y go to the right, those
// of odd y back, all but their first place; column 0 leads back to the beginning.
//
//      y = 0    0 > 1 > 2 > 3
//               ^           v
//      y = 1   15   6 < 5 < 4      places on the ring
//               ^   v
//      y = 2   14   7 > 8 > 9
//               ^           v
//      y = 3   13 <12 <11 <10
RingNeighbours snake_ring(const MachineSpec& machine, Rank rank) {
  const SquareTorus torus(machine);
  const auto k = static_cast<Rank>(machine.processors);
  const Rank row = torus.side() - 1;  // places of a row that the snake takes on its way down
  const auto at = [&](Rank place) {
    if (place == 0) return torus.rank(0, 0);
    if (place > row * torus.side()) return torus.rank(0, k - place);
    const Rank y = (place - 1) / row;
    const Rank step = (place - 1) % row;
    return torus.rank(y % 2 == 0 ? 1 + step : row - step, y);
  };
  const Rank x = torus.x(rank);
  const Rank y = torus.y(rank);
  if (x == 0) return neighbours_at(y == 0 ? 0 : k - y, k, at);
  return neighbours_at(1 + y * row + (y % 2 == 0 ? x - 1 : row - x), k, at);
}

namespace {

void resolve_snake(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_on_torus(machine, model, settings);
  const Rank side = SquareTorus(machine).side();
  if (side % 2 != 0 && side != 1) {
    throw InputError(printable(machine.text) + " has sides of odd length: a snake without wrap-around needs even ones");
  }
}

Outcome run_snake(const RunRequest& request) { return daisy_chain::run(request, snake_ring); }

}  // namespace
}  // namespace allgather

extern const Method allgather_daisy_chain_snake_method = allgather::with_defaults({
    .name = "allgather/daisy-chain-snake",
    .families = {"torus"},
    .source = "Saad & Schultz 1988, section 3.3(d) (saad-schultz-1988.md, Torus daisy chains)",
    .summary = "all blocks go once round a snake through all rows, one a step, over no wrap-around link; even sides",
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = allgather::resolve_snake,
    .predict = allgather::daisy_chain::predict,
    .lower_bound = allgather::lower_bound_on_torus,
    .bytes = allgather::daisy_chain::bytes,
    .run = allgather::run_snake,
});

}  // namespace lockstep
