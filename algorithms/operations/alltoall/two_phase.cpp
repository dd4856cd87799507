#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "method/step_lengths.hpp"
#include "rotate_drop.hpp"

namespace lockstep {
namespace alltoall {
namespace {

/// Whether the piece can be at the rank when the dimensions down to this one have been served, the last one first: the
/// rank agrees with the destination in these, and with the origin in the others.
bool is_on_its_line(const Piece& piece, Rank rank, const GridAxis& served) {
  const Wide apart = Wide{served.stride()} * served.side();
  return piece.destination % apart == rank % apart && piece.origin / apart == rank / apart;
}

// All blocks go once round the rows, to the columns of their destinations, and then once round the columns: a phase per
// dimension. Correction of Saad & Schultz 1988, section 3.5(d) (saad-schultz-1988.md, Torus alltoall): phases of s - 1
// steps. Along lines that are not closed they go both ways.
Process two_phase(Processor<Bundle>& self, const Grid& grid, bool at_once, Bundle& held) {
  for (std::size_t dimension = grid.dimensions(); dimension-- > 0;) {
    const GridAxis& line = grid.axis(dimension);
    if (line.side() == 1) continue;
    if (line.is_ring()) {
      const allgather::RingPorts ring{line.towards(true), line.towards(false)};
      co_await rotate_and_drop(self, line, ring, held);
    } else {
      co_await drop_both_ways(self, line, at_once, held);
    }
    if (dimension == 0) continue;  // the oracle checks that
    check(held, [&](const Piece& piece) { return is_on_its_line(piece, self.rank(), line); });
  }
}

Prediction predict_two_phase(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  const bool is_closed = machine.family == "torus";
  const std::uint64_t turns = is_closed ? 1 : turns::turns_of_both_ways(model);
  method::StepLengths lengths(model.cost);
  Wide hops = 0;
  Wide blocks = 0;  // times links
  const Grid grid(machine);
  for (const GridAxis& line : grid.axes()) {
    const Wide a = line.side();
    const Wide lines = k / a;
    for (std::uint64_t turn = 0; turn < turns; ++turn) lengths.add_multiples(a - 1, lines * b);
    hops += a - 1;
    blocks += lines * lines * (is_closed ? a * (a * (a - 1) / 2) : a * (a - 1) * (a + 1) / 3);
  }
  const std::string twice = turns == 1 ? "" : "2 ";
  return {.steps = exact_count(lengths.steps(), twice + "sum of a - 1 over the sides a"),
          .messages = exact_count(k * hops, "k sum of a - 1 over the sides a"),
          .words = exact_count(blocks * b, is_closed ? "k^2 sum of (a - 1)/2 b" : "k^2 sum of (a - 1/a)/3 b"),
          .longest_sum =
              exact_count(lengths.sum(), std::string(turns == 1 ? "k sum of (a - 1)/2 b" : "k sum of (a - 1) b")),
          .longest_startups = lengths.startups()};
}

// Dropped blocks get their room as they come.
std::uint64_t bytes_two_phase(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{3} * machine.processors * machine.processors);
}

Outcome run_two_phase(const RunRequest& request) {
  const Grid grid(request.machine);
  const bool at_once = turns::goes_both_ways_at_once(request.model);
  return run(request, [&](Processor<Bundle>& self, Bundle& held) { return two_phase(self, grid, at_once, held); });
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_two_phase_method = alltoall::with_defaults({
    .name = "alltoall/two-phase",
    .families = {"torus", "mesh", "path"},
    .source = "Saad & Schultz 1988, section 3.5(d), corrected (saad-schultz-1988.md, Torus alltoall)",
    .summary =
        "the blocks of every processor go round or along its row and then, from where they were dropped, its column; a "
        "phase a dimension",
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .predict = alltoall::predict_two_phase,
    .bytes = alltoall::bytes_two_phase,
    .run = alltoall::run_two_phase,
});

}  // namespace lockstep
