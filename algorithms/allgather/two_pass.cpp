#include "catalogue/step_lengths.hpp"
#include "daisy_chain.hpp"
#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/machines/square_torus.hpp"

namespace lockstep {
namespace allgather {
namespace {

RingPorts ports_of(const RingAxis& axis) { return {axis.towards(true), axis.towards(false)}; }

// Saad & Schultz 1988, section 3.3(d), (3.31) (saad-schultz-1988.md, Two passes): a daisy chain in +y round every
// column, one block a message, and then one in +x round every row, whose messages are the blocks of a column. 2 (s-1)
// steps with one port, or twice those of a ring by turns.
Process two_pass(Processor<Bundle>& self, SquareTorus torus, Collection& collection) {
  self.hold(collection.words());
  self.phase("columns");
  const Bundle own(collection.piece(self.rank()));
  const Rank side = torus.side();
  const bool by_turns = circulates_by_turns(self.model(), false, side);
  const RingPorts column_ports = ports_of(torus.y_axis());
  const RingPlace in_column{torus.y(self.rank()), side, by_turns, 0};
  co_await circulate(self, column_ports, in_column, own, collection);

  self.phase("rows");
  Bundle column;
  for (Rank y = 0; y < torus.side(); ++y) {
    column.add(collection.piece(torus.rank(torus.x(self.rank()), y)));
  }
  const RingPorts row_ports = ports_of(torus.x_axis());
  const RingPlace in_row{torus.x(self.rank()), side, by_turns, circulation_steps(side, by_turns)};
  co_await circulate(self, row_ports, in_row, column, collection);
}

Prediction predict_two_pass(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t s = SquareTorus(machine).side();
  const std::uint64_t k = machine.processors;
  const std::uint64_t m = *settings.words;
  const auto side = static_cast<Rank>(s);
  const bool by_turns = circulates_by_turns(model, false, side);
  const std::uint64_t steps = circulation_steps(side, by_turns);
  StepLengths lengths(model.cost);
  lengths.add(steps, m);
  lengths.add(steps, s * m);
  return {.steps = exact_count(lengths.steps(), !by_turns     ? "2 (s - 1)"
                                                : s % 2 == 0 ? "4 (s - 1), s even"
                                                             : "4 s, s odd and not 1"),
          .messages = Count{2 * k * (s - 1), true, "2 s^2 (s - 1)"},
          .words = exact_count(Wide{k} * (k - 1) * m, "s^2 (s^2 - 1) m"),
          .longest_sum = exact_count(lengths.sum(), by_turns ? "S/2 (s + 1) m" : "(s^2 - 1) m"),
          .message_words = {},
          .longest_startups = lengths.startups()};
}

// The blocks of a column that every processor sends on its way, and those that are on theirs.
std::uint64_t bytes_of_two_pass(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes(machine, model, settings, Wide{2} * machine.processors * SquareTorus(machine).side());
}

Outcome run_two_pass(const RunRequest& request) {
  const SquareTorus torus(request.machine);
  return run(request,
             [&](Processor<Bundle>& self, Collection& collection) { return two_pass(self, torus, collection); });
}

}  // namespace
}  // namespace allgather

extern const Method allgather_two_pass_method = allgather::with_defaults({
    .name = "allgather/two-pass",
    .families = {"torus"},
    .source = "Saad & Schultz 1988, section 3.3(d) (saad-schultz-1988.md, Two passes)",
    .summary = "blocks go round their columns, then those of whole columns round the rows; square tori",
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = allgather::resolve_on_torus,
    .predict = allgather::predict_two_pass,
    .lower_bound = allgather::lower_bound_on_torus,
    .bytes = allgather::bytes_of_two_pass,
    .run = allgather::run_two_pass,
});

}  // namespace lockstep
