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
// steps with one port; links in half duplex do if s > 2.
Process two_pass(Processor<Bundle>& self, SquareTorus torus, Collection& collection) {
  self.hold(collection.words());
  self.phase("columns");
  const Bundle own(collection.piece(self.rank()));
  const RingPorts column_ports = ports_of(torus.y_axis());
  co_await circulate(self, column_ports, torus.side(), own, collection);

  self.phase("rows");
  Bundle column;
  for (Rank y = 0; y < torus.side(); ++y) {
    column.add(collection.piece(torus.rank(torus.x(self.rank()), y)));
  }
  const RingPorts row_ports = ports_of(torus.x_axis());
  co_await circulate(self, row_ports, torus.side(), column, collection);
}

Prediction predict_two_pass(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t s = SquareTorus(machine).side();
  const std::uint64_t k = machine.processors;
  const std::uint64_t m = *settings.words;
  StepLengths lengths(model.cost);
  lengths.add(s - 1, m);
  lengths.add(s - 1, s * m);
  return {.steps = exact_count(lengths.steps(), "2 (s - 1)"),
          .messages = Count{2 * k * (s - 1), true, "2 s^2 (s - 1)"},
          .words = exact_count(Wide{k} * (k - 1) * m, "s^2 (s^2 - 1) m"),
          .longest_sum = exact_count(lengths.sum(), "(s^2 - 1) m"),
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
    .strictest_duplex = Duplex::half_link,
    .resolve = allgather::resolve_on_torus,
    .predict = allgather::predict_two_pass,
    .lower_bound = allgather::lower_bound_on_torus,
    .bytes = allgather::bytes_of_two_pass,
    .run = allgather::run_two_pass,
});

}  // namespace lockstep
