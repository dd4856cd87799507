#include "catalogue/step_lengths.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "rotate_drop.hpp"

namespace lockstep {
namespace alltoall {
namespace {

// All blocks go once round the rows, to the columns of their destinations, and then once round the columns.
// Correction of Saad & Schultz 1988, section 3.5(d) (saad-schultz-1988.md, Torus alltoall): two phases of s - 1 steps.
Process two_phase(Processor<Bundle>& self, const SquareTorus& torus, Bundle& held) {
  const RingLines rows = rows_of(torus);
  const RingLines columns = columns_of(torus);
  co_await rotate_and_drop(self, rows, held);
  check(held, [&](const Piece& piece) {
    return torus.y(piece.origin) == torus.y(self.rank()) && torus.x(piece.destination) == torus.x(self.rank());
  });
  co_await rotate_and_drop(self, columns, held);
}

void resolve_on_torus(const MachineSpec& machine, const Model& model, Settings& settings) {
  const SquareTorus torus(machine);
  resolve(machine, model, settings);
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide s = SquareTorus(machine).side();
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  StepLengths lengths(model.cost);
  for (int phase = 0; phase < 2; ++phase) lengths.add_multiples(s - 1, s * b);  // s blocks fewer in every step
  return {.steps = exact_count(lengths.steps(), "2 (s - 1)"),
          .messages = exact_count(2 * k * (s - 1), "2 s^2 (s - 1)"),
          .words = exact_count(k * (s * s * (s - 1)) * b, "s^4 (s - 1) b"),
          .longest_sum = exact_count(lengths.sum(), "s^2 (s - 1) b"),
          .message_words = {},
          .longest_startups = lengths.startups()};
}

// What has been dropped makes its room as it comes.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{3} * machine.processors * machine.processors);
}

Outcome run_on_torus(const RunRequest& request) {
  const SquareTorus torus(request.machine);
  return run(request, [&](Processor<Bundle>& self, Bundle& held) { return two_phase(self, torus, held); });
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_two_phase_method = alltoall::with_defaults({
    .name = "alltoall/two-phase",
    .families = {"torus"},
    .source = "Saad & Schultz 1988, section 3.5(d), corrected (saad-schultz-1988.md, Torus alltoall)",
    .summary = "the blocks of every processor go once round its row and then, from where they were dropped, its column "
               "(square tori)",
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = alltoall::resolve_on_torus,
    .predict = alltoall::predict,
    .lower_bound = alltoall::lower_bound,
    .bytes = alltoall::bytes,
    .run = alltoall::run_on_torus,
});

}  // namespace lockstep
