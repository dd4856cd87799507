#include <vector>

#include "allreduce.hpp"
#include "finish.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/predicted.hpp"
#include "method/switches.hpp"
#include "operands/predicted_operations.hpp"
#include "parts/fold.hpp"
#include "parts/vectors.hpp"
#include "plans/turns/port_to.hpp"

namespace lockstep {
namespace allreduce {
namespace {

using operands::Partial;
using parts::Fold;

/// What a processor holds: its value at first, in the end the result; and what it received, where that is judged.
template <class Value>
struct HeldInOrder {
  Partial<Value> own;
  std::vector<Partial<Value>> received;
};

/// own := own (+) other, which has just been received, in the order of the ranks that they stand for.
template <class Values>
void join(Processor<Partial<typename Values::Value>>& self, const Values& values,
          HeldInOrder<typename Values::Value>& held, Partial<typename Values::Value> other) {
  if (values.may_absorb()) held.received.push_back(other);
  if (other.first < held.own.first) {
    operands::prepend(self, values, std::move(other), held.own);
  } else {
    operands::append(self, values, held.own, other);
  }
}

// Partners at distances 1, 2, 4, .. among the participants exchange all that they have, which always stands for
// consecutive ranks, so that the order of operands is kept. Thakur, Rabenseifner, Gropp 2005 (collectives.md,
// Allreduce).
template <class Values>
Process double_recursively(Processor<Partial<typename Values::Value>>& self, const Values& values, const Fold& fold,
                           HeldInOrder<typename Values::Value>& held) {
  using Payload = Partial<typename Values::Value>;
  const Rank rank = self.rank();
  Payload& own = held.own;
  self.hold(words(own));
  if (!fold.takes_part(rank)) {
    self.send(turns::port_to(self, rank + 1), own);
    own = co_await self.message(turns::port_to(self, rank + 1));
    co_return;
  }
  if (fold.is_paired(rank)) join<Values>(self, values, held, co_await self.message(turns::port_to(self, rank - 1)));
  const Cycle first = fold.rest() > 0 ? 1 : 0;
  Cycle step = 0;
  for (Rank distance = 1; distance < fold.participants(); distance *= 2, ++step) {
    const Port port = turns::port_to(self, fold.at(fold.place(rank) ^ distance));
    co_await self.until(first + step);
    Payload other = co_await self.exchange(port, own);
    join(self, values, held, std::move(other));
  }
  if (fold.is_paired(rank)) {
    co_await self.until(first + step);
    self.send(turns::port_to(self, rank - 1), own);
  }
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Fold fold(static_cast<Rank>(machine.processors));
  const std::uint64_t q = doublings(fold.participants());
  const std::uint64_t r = fold.rest();
  const std::uint64_t m = *settings.words;
  method::StepLengths lengths(model.cost);
  lengths.add(q + (r > 0 ? 2 : 0), m);
  const Wide messages = Wide{fold.participants()} * q + 2 * r;
  Prediction prediction = method::predicted(lengths, messages, messages * m,
                                            {r > 0 ? "Q + 2, Q = floor(log2 p)" : "log2 p",
                                             r > 0 ? "Q 2^Q + 2 r, r = p - 2^Q" : "p log2 p", "messages m", "steps m"});
  prediction.message_words = m;
  operands::predict_operations(settings, (Wide{fold.participants()} * q + r) * m,
                               r > 0 ? "(Q 2^Q + r) m" : "p log2(p) m", Wide{q + (r > 0 ? 1 : 0)} * m, prediction);
  return prediction;
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide messages = Wide{machine.processors} * doublings(machine.processors);
  if (!operands::is_concat(settings)) {
    // Half of all vectors are in messages.
    constexpr std::uint64_t frame = 700;  // of the program, beyond that of a small one
    const Wide of_each = frame + sizeof(Partial<Block>) + allocated_bytes(*settings.words) / 2;
    return saturated(machine_bytes<Partial<Block>>(machine, model) + machine.processors * of_each +
                     operands::value_bytes(machine, settings) +
                     operands::judged_bytes(machine, settings, machine.processors > 1 ? 1 : 0, messages));
  }
  // In the end every processor has all strings.
  const Wide text = Wide{machine.processors} * operands::text_bytes(machine, settings);
  const Wide strings = Wide{machine.processors} * *settings.words * sizeof(std::string);
  return saturated(machine_bytes<Partial<Strings>>(machine, model) + 2 * (text + strings) +
                   operands::value_bytes(machine, settings));
}

template <class Values>
Outcome run_with(const RunRequest& request, const Values& values) {
  using Payload = Partial<typename Values::Value>;
  const Fold fold(request.topology.processors());
  PerRank<HeldInOrder<typename Values::Value>> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank].own = {rank, 1, values.value(rank)}; });
  Outcome outcome;
  outcome.report = run_program<Payload>(
      request, [&](Processor<Payload>& self) { return double_recursively(self, values, fold, held[self.rank()]); });
  finish(request, values, held, ReceivedForm::partials, outcome);
  return outcome;
}

Outcome run(const RunRequest& request) {
  if (operands::is_concat(request.settings)) return run_with(request, operands::StringValues(request));
  return run_with(request, operands::NumberValues(request));
}

}  // namespace
}  // namespace allreduce

namespace allreduce {
namespace {

Method doubling(Method own) {
  return parts::with_defaults(
      filled_in(std::move(own), {.operation = "allreduce",
                                 .known_as = "allreduce",
                                 .families = method::switches_and_complete(),
                                 .source = "Thakur, Rabenseifner, Gropp 2005 (collectives.md, Allreduce)",
                                 .port_models = {PortModel::one},
                                 .resolve = parts::resolve_in_order,
                                 .predict = predict,
                                 .bytes = bytes,
                                 .run = run}));
}

}  // namespace
}  // namespace allreduce

extern const Method allreduce_recursive_doubling_method = allreduce::doubling({
    .name = "allreduce/recursive-doubling",
    .summary = "partners at doubling distances give each other whole results; operands stay in order",
});

extern const Method allreduce_dimension_exchange_method = method::on_hypercubes(allreduce::doubling({
    .name = "allreduce/dimension-exchange",
    .aliases = {"allreduce/recursive-doubling"},
    .summary = "dimension by dimension neighbours give each other whole results; operands stay in order",
}));

}  // namespace lockstep
