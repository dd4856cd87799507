#include "finish.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "operations/reduce/on_bus.hpp"
#include "parts/through_memory.hpp"
#include "parts/vectors.hpp"

// Allreduces over a medium that takes a result to all without a processor between (collectives.md, Through a bus or a
// memory).
namespace lockstep {
namespace allreduce {
namespace {

using operands::Partial;
using parts::Combined;
using reduce::HeldPartials;

// The values go to rank 0, which combines them and sends the result to all others in one transaction. k steps.
template <class Values>
Process combine_and_tell(Processor<Partial<typename Values::Value>>& self, const Values& values,
                         HeldPartials<typename Values::Value>& held) {
  co_await reduce::combine_on_bus(self, values, 0, held);
  if (self.rank() != 0) {
    held.own = co_await self.message(0);
  } else if (self.processors() > 1) {
    const std::vector<Rank> others = all_but(0, self.processors());
    self.send(others, held.own);
  }
}

void resolve_for_memory(const MachineSpec& machine, const Model& model, Settings& settings) {
  parts::resolve_in_order(machine, model, settings);
  parts::resolve_combiners(machine, model, settings, Combined::everywhere);
}

Prediction predict_on_bus(const MachineSpec& machine, const Model&, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  Prediction prediction{.steps = exact_count(k, "k"),
                        .messages = exact_count(k, "k"),
                        .words = exact_count(k * m, "k m"),
                        .longest_sum = exact_count(k * m, "k m"),
                        .message_words = *settings.words};
  reduce::predict_operations_on_bus(machine, settings, prediction);
  return prediction;
}

Prediction predict_at_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return parts::predict_through_memory(machine, model, settings, Combined::everywhere);
}

std::uint64_t bytes_of_bus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return reduce::bytes_on_bus(machine, model, settings, machine.processors);
}

std::uint64_t bytes_of_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return parts::bytes_through_memory(machine, model, settings, Combined::everywhere);
}

template <class Values>
Outcome run_on_bus(const RunRequest& request, const Values& values) {
  using Payload = Partial<typename Values::Value>;
  auto held = reduce::values_before(request, values);
  Outcome outcome;
  outcome.report = run_program<Payload>(
      request, [&](Processor<Payload>& self) { return combine_and_tell(self, values, held[self.rank()]); });
  finish(request, values, held, ReceivedForm::partials, outcome);
  return outcome;
}

template <class Values>
Outcome run_at_memory(const RunRequest& request, const Values& values) {
  if (request.machine.processors == 1) return run_on_bus(request, values);
  const parts::MemoryCombining plan(request.machine, request.settings, Combined::everywhere);
  auto held = parts::held_before<parts::HeldThroughMemory<typename Values::Value>>(request, values);
  Outcome outcome;
  outcome.report = parts::run_through_memory(request, values, plan, held);
  for_all_ranks(request, [&](Rank rank) { held[rank].own = std::move(held[rank].result); });
  finish(request, values, held, ReceivedForm::parts, outcome);
  parts::judge_operands(request, values, plan, held, outcome);
  return outcome;
}

Outcome run_direct_on_bus(const RunRequest& request) {
  if (operands::is_concat(request.settings)) return run_on_bus(request, operands::StringValues(request));
  return run_on_bus(request, operands::NumberValues(request));
}

Outcome run_direct_at_memory(const RunRequest& request) {
  if (operands::is_concat(request.settings)) return run_at_memory(request, operands::StringValues(request));
  return run_at_memory(request, operands::NumberValues(request));
}

Method direct(Method own) {
  return parts::with_defaults(
      filled_in(std::move(own), {.operation = "allreduce",
                                 .known_as = "allreduce",
                                 .source = "Lockstep's own (collectives.md, Through a bus or a memory)",
                                 .port_models = {PortModel::one},
                                 .resolve = parts::resolve_in_order}));
}

}  // namespace
}  // namespace allreduce

extern const Method allreduce_direct_bus_method = allreduce::direct({
    .name = "allreduce/direct",
    .families = {"bus"},
    .summary = "one after the other sends its value to rank 0, which combines them and tells all others the result",
    .defaults = {.multicast = true},
    .strictest_duplex = Duplex::half_node,
    .predict = allreduce::predict_on_bus,
    .bytes = allreduce::bytes_of_bus,
    .run = allreduce::run_direct_on_bus,
});

extern const Method allreduce_direct_shared_method = allreduce::direct({
    .name = "allreduce/direct",
    .families = {"shared"},
    .summary = "everybody writes its value, up to kstar processors combine a part each and write it, and all read",
    .parameters = {parts::words_parameter, parts::combiners_parameter, operands::operator_parameter,
                   operands::type_parameter, operands::input_parameter, parts::output_parameter},
    .strictest_duplex = Duplex::half_node,
    .resolve = allreduce::resolve_for_memory,
    .predict = allreduce::predict_at_memory,
    .bytes = allreduce::bytes_of_memory,
    .run = allreduce::run_direct_at_memory,
});

}  // namespace lockstep
