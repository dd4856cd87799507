#include "daisy_chain.hpp"
#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/machines/grid.hpp"
#include "method/step_lengths.hpp"

namespace lockstep {
namespace allgather {
namespace {

std::string pass_name(const Grid& grid, std::size_t dimension) {
  if (grid.dimensions() == 2) return dimension == 0 ? "columns" : "rows";
  return "dimension " + std::to_string(dimension);
}

/// The processor's blocks when all dimensions before this one are done: those of the ranks that differ from its own in
/// these only.
Bundle gathered_before(const GridAxis& axis, Rank rank, Rank processors, const Collection& collection) {
  const Wide apart = Wide{axis.stride()} * axis.side();
  Bundle gathered;
  for (Wide source = rank % apart; source < processors; source += apart) {
    gathered.add(collection.piece(static_cast<Rank>(source)));
  }
  return gathered;
}

// Saad & Schultz 1988, section 3.3(d), (3.31) (saad-schultz-1988.md, Two passes): a daisy chain in +y round every
// column, one block a message, and then one in +x round every row, whose messages are the blocks of a column; a pass
// per dimension. Both ways along lines that are not closed.
Process two_pass(Processor<Bundle>& self, const Grid& grid, bool at_once, Collection& collection) {
  self.hold(collection.words());
  Cycle begin = 0;
  for (std::size_t dimension = 0; dimension < grid.dimensions(); ++dimension) {
    const GridAxis& line = grid.axis(dimension);
    if (line.side() == 1) continue;
    self.phase(pass_name(grid, dimension));
    const Bundle own = gathered_before(line, self.rank(), self.processors(), collection);
    const RingPorts ports{line.towards(true), line.towards(false)};
    if (line.is_ring()) {
      const bool by_turns = circulates_by_turns(self.model(), false, line.side());
      const RingPlace place{line.position(self.rank()), line.side(), by_turns, begin};
      co_await circulate(self, ports, place, own, collection);
      begin += circulation_steps(line.side(), by_turns);
    } else {
      const turns::PathPlace here{line.position(self.rank()), line.side(), ports.next, ports.previous};
      co_await spread_along(self, here, at_once, own, collection);
    }
  }
}

Prediction predict_two_pass(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  const bool is_closed = machine.family == "torus";
  const std::uint64_t turns = is_closed ? 1 : turns::turns_of_both_ways(model);
  method::StepLengths lengths(model.cost);
  Wide gathered = 1;  // blocks, before the pass
  Wide hops = 0;
  bool any_by_turns = false;
  const Grid grid(machine);
  for (const GridAxis& line : grid.axes()) {
    const bool by_turns = is_closed && circulates_by_turns(model, false, line.side());
    const Wide steps = is_closed ? Wide{circulation_steps(line.side(), by_turns)} : Wide{turns} * (line.side() - 1);
    lengths.add(steps, gathered * m);
    gathered *= line.side();
    hops += line.side() - 1;
    any_by_turns = any_by_turns || by_turns;
  }
  const std::string sum = "sum of a - 1 over the sides a";
  const std::string twice = turns == 1 ? "" : "2 ";
  const std::string in_turns = "sum of 2 (a - 1), a even, and 2 a, a odd and not 1, over the sides a";
  return {.steps = exact_count(lengths.steps(), any_by_turns ? in_turns : twice + sum),
          .messages = exact_count(k * hops, "k " + sum),
          .words = exact_count(k * (k - 1) * m, "k (k - 1) m"),
          .longest_sum =
              exact_count(lengths.sum(), any_by_turns ? "steps of each pass, times its blocks m" : twice + "(k - 1) m"),
          .longest_startups = lengths.startups()};
}

// In the last pass every processor has the blocks that it sends in a message of its own, which goes along its line.
std::uint64_t bytes_of_two_pass(const MachineSpec& machine, const Model& model, const Settings& settings) {
  Wide most = 1;  // blocks that are sent together
  Wide gathered = 1;
  Wide messages = 0;
  const Grid grid(machine);
  for (const GridAxis& line : grid.axes()) {
    if (line.side() > 1) most = gathered;
    gathered *= line.side();
    messages += line.side() - 1;
  }
  return bytes_where_shared(machine, model, settings, messages, machine.processors * most);
}

Outcome run_two_pass(const RunRequest& request) {
  const Grid grid(request.machine);
  const bool at_once = turns::goes_both_ways_at_once(request.model);
  return run(request, [&](Processor<Bundle>& self, Collection& collection) {
    return two_pass(self, grid, at_once, collection);
  });
}

}  // namespace
}  // namespace allgather

extern const Method allgather_two_pass_torus_method = allgather::with_defaults({
    .name = "allgather/two-pass",
    .families = {"torus"},
    .source = "Saad & Schultz 1988, section 3.3(d) (saad-schultz-1988.md, Two passes)",
    .summary = "blocks go round their columns, then those of whole columns round the rows; a pass a dimension",
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .predict = allgather::predict_two_pass,
    .bytes = allgather::bytes_of_two_pass,
    .run = allgather::run_two_pass,
});

extern const Method allgather_two_pass_path_method = allgather::with_defaults({
    .name = "allgather/two-pass",
    .families = {"mesh", "path"},
    .source = "Saad & Schultz 1988, section 3.3(d), without wrap-around (saad-schultz-1988.md, Two passes)",
    .summary = "blocks go along their columns, both ways, then those of whole columns along the rows; a pass a "
               "dimension",
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .predict = allgather::predict_two_pass,
    .bytes = allgather::bytes_of_two_pass,
    .run = allgather::run_two_pass,
});

}  // namespace lockstep
