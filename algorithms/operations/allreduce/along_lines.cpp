#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "finish.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "method/predicted.hpp"
#include "operands/predicted_operations.hpp"
#include "parts/vectors.hpp"
#include "plans/turns/line_exchange.hpp"

// Allreduce by exchange of dimensions on rings, paths, tori and meshes (collectives.md, Allreduce over links).
namespace lockstep {
namespace allreduce {
namespace {

using WholeVector = operands::Partial<Block>;

turns::LineExchanges lines_of(const MachineSpec& machine) {
  return turns::line_exchanges(machine, turns::OddRing::open);
}

Wide messages_of(const MachineSpec& machine) {
  Wide messages = 0;
  for (const turns::LineExchange& line : lines_of(machine)) {
    messages += machine.processors / line.axis().side() * line.messages_with_values();
  }
  return messages;
}

/// What a processor holds: its value at first, in the end the result; and what it received, where that is judged.
struct HeldAlongLines {
  WholeVector own;
  std::vector<WholeVector> received;
};

/// own := own (+) other, which comes from a neighbour on the line. Throws std::logic_error unless the values of both
/// are neighbours too.
void join(Processor<WholeVector>& self, const operands::NumberValues& values, const GridAxis& axis, WholeVector& own,
          const WholeVector& other, bool from_next) {
  const Rank line = axis.side() * axis.stride();  // values of a whole line
  const Rank base = self.rank() - self.rank() % line;
  const Rank first = own.first - base;
  const Rank other_first = other.first - base;
  const bool is_next =
      from_next ? other_first == (first + own.count) % line : first == (other_first + other.count) % line;
  if (!is_next || other_first >= line || other.count == 0 || other.count > line - own.count) {
    throw std::logic_error("received " + std::to_string(other.count) + " values from node " +
                           std::to_string(other.first) + " on, which are not next to " + std::to_string(own.count) +
                           " from node " + std::to_string(own.first) + " on");
  }
  operands::combine(self, values, own.value, other.value);
  if (!from_next) own.first = other.first;
  own.count += other.count;
  if (own.count == line) own.first = base;
}

// At first a rank sends what it has to either side, its own value and, to the second side, what came from the first;
// from then on to one side what came last from the other. So it sends every value past every place once.
Process exchange_along_lines(Processor<WholeVector>& self, const operands::NumberValues& values,
                             const turns::LineExchanges& lines, HeldAlongLines& held) {
  const Rank rank = self.rank();
  WholeVector& own = held.own;
  self.hold(words(own));
  Cycle first = 0;
  for (const turns::LineExchange& line : lines) {
    const GridAxis& axis = line.axis();
    const Rank place = axis.position(rank);
    std::optional<WholeVector> came;  // in the step before
    for (Cycle step = 0; step < line.steps(); ++step) {
      const std::optional<bool> next = line.has_next(place, step);
      const std::optional<WholeVector> passed_on = std::exchange(came, {});
      if (!next) continue;
      const Port port = axis.towards(*next);
      co_await self.until(first + step);
      if (line.has_values(place, step, *next)) self.send(port, step < 2 ? own : passed_on.value());
      if (!line.has_values(line.neighbour(place, *next), step, !*next)) continue;
      came = co_await self.message(port);
      if (values.may_absorb()) held.received.push_back(*came);
      join(self, values, axis, own, *came, *next);
      self.hold(words(own) + words(*came));
    }
    first += line.steps();
  }
}

Prediction predict_along_lines(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t m = *settings.words;
  const Wide steps = turns::steps(lines_of(machine));
  const Wide messages = messages_of(machine);
  method::StepLengths lengths(model.cost);
  lengths.add(steps, m);
  Prediction prediction = method::predicted(
      lengths, messages, messages * m,
      {"S(a_1) + .. + S(a_d) for sides a_i", "p (M(a_1)/a_1 + .. + M(a_d)/a_d)", "messages m", "steps m"});
  prediction.message_words = m;
  operands::predict_operations(settings, messages * m, "messages m", steps * m, prediction);
  return prediction;
}

std::uint64_t bytes_along_lines(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide passed_on = machine.processors * Wide{2 * sizeof(WholeVector) + allocated_bytes(*settings.words)};
  return saturated(parts::bytes(machine, model, settings) + passed_on +
                   operands::judged_bytes(machine, settings, 1, messages_of(machine)));
}

Outcome run_along_lines(const RunRequest& request) {
  const operands::NumberValues values(request);
  const turns::LineExchanges lines = lines_of(request.machine);
  PerRank<HeldAlongLines> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank].own = {rank, 1, values.value(rank)}; });
  Outcome outcome;
  outcome.report = run_program<WholeVector>(request, [&](Processor<WholeVector>& self) {
    return exchange_along_lines(self, values, lines, held[self.rank()]);
  });
  finish(request, values, held, ReceivedForm::partials, outcome);
  return outcome;
}

}  // namespace
}  // namespace allreduce

extern const Method allreduce_dimension_exchange_on_grids_method = parts::with_defaults({
    .name = "allreduce/dimension-exchange",
    .aliases = {"allreduce/recursive-doubling"},
    .operation = "allreduce",
    .known_as = "allreduce",
    .families = {"ring", "path", "torus", "mesh"},
    .source = "Lockstep's own (collectives.md, Allreduce over links)",
    .summary =
        "along the lines of one dimension after the other neighbours exchange whole vectors in alternating pairs",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
    .resolve = parts::resolve_in_any_order,
    .predict = allreduce::predict_along_lines,
    .bytes = allreduce::bytes_along_lines,
    .run = allreduce::run_along_lines,
});

}  // namespace lockstep
