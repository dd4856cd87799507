#include <functional>

#include "finish.hpp"
#include "lockstep/algorithms/operation/reduce.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "on_bus.hpp"
#include "operands/predicted_operations.hpp"
#include "parts/through_memory.hpp"

// Reductions over a medium that takes every value to the root without a processor between (collectives.md, Through a
// bus or a memory).
namespace lockstep {
namespace reduce {

void predict_operations_on_bus(const MachineSpec& machine, const Settings& settings, Prediction& prediction) {
  const Wide all = Wide{machine.processors - 1} * *settings.words;
  operands::predict_operations(settings, all, "(k - 1) m", all, prediction);
}

std::uint64_t bytes_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings, Wide results) {
  const Wide k = machine.processors;
  const Wide values = operands::value_bytes(machine, settings);
  if (operands::is_concat(settings)) {
    const Wide text = operands::text_bytes(machine, settings) + k * *settings.words * sizeof(std::string);
    return saturated(machine_bytes<Partial<Strings>>(machine, model) + k * sizeof(HeldPartials<Strings>) + 2 * text +
                     2 * results * (text + *settings.words * sizeof(std::string)) + values);
  }
  // All share the result, and what is kept to be judged is the memory of the senders' values.
  constexpr std::uint64_t frame = 700;  // of the program, beyond that of a small one
  const Wide of_each = sizeof(HeldPartials<Block>) + frame;
  return saturated(machine_bytes<Partial<Block>>(machine, model) + k * of_each + results * sizeof(HeldPartials<Block>) +
                   values + operands::judged_bytes(machine, settings, 1, 0));
}

namespace {

using parts::Combined;

void resolve_at_root(const MachineSpec& machine, const Model&, Settings& settings) {
  operands::resolve(machine, settings);
  root_parameter.resolve(machine, settings);
}

void resolve_for_memory(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_at_root(machine, model, settings);
  parts::resolve_combiners(machine, model, settings, Combined::at_root);
}

Prediction predict_on_bus(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide others = machine.processors - 1;
  const Wide m = *settings.words;
  Prediction prediction{.steps = exact_count(others, "k - 1"),
                        .messages = exact_count(others, "k - 1"),
                        .words = exact_count(others * m, "(k - 1) m"),
                        .longest_sum = exact_count(others * m, "(k - 1) m"),
                        .message_words = *settings.words};
  predict_operations_on_bus(machine, settings, prediction);
  return prediction;
}

Prediction predict_at_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return parts::predict_through_memory(machine, model, settings, Combined::at_root);
}

std::uint64_t bytes_of_bus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_on_bus(machine, model, settings, 1);
}

std::uint64_t bytes_of_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return parts::bytes_through_memory(machine, model, settings, Combined::at_root);
}

template <class Values>
Outcome run_on_bus(const RunRequest& request, const Values& values) {
  using Payload = Partial<typename Values::Value>;
  const Rank root = request.root();
  auto held = values_before(request, values);
  Outcome outcome;
  outcome.report = run_program<Payload>(
      request, [&](Processor<Payload>& self) { return combine_on_bus(self, values, root, held[self.rank()]); });
  const auto on_the_way = [&] { judge_on_the_way(request, values, held, std::identity(), outcome); };
  finish(request, values, held, on_the_way, outcome);
  return outcome;
}

template <class Values>
Outcome run_at_memory(const RunRequest& request, const Values& values) {
  if (request.machine.processors == 1) return run_on_bus(request, values);
  const parts::MemoryCombining plan(request.machine, request.settings, Combined::at_root);
  auto held = parts::held_before<parts::HeldThroughMemory<typename Values::Value>>(request, values);
  Outcome outcome;
  outcome.report = parts::run_through_memory(request, values, plan, held);
  for_all_ranks(request, [&](Rank rank) { held[rank].own = std::move(held[rank].result); });
  const auto on_the_way = [&] { parts::judge_operands(request, values, plan, held, outcome); };
  finish(request, values, held, on_the_way, outcome);
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

}  // namespace
}  // namespace reduce

extern const Method reduce_direct_bus_method{
    .name = "reduce/direct",
    .operation = "reduce",
    .known_as = "reduction",
    .families = {"bus"},
    .source = "Lockstep's own (collectives.md, Through a bus or a memory)",
    .summary = "one after the other sends its value to the root, which combines them in order",
    .parameters = {operands::words_parameter, reduce::root_parameter, operands::operator_parameter,
                   operands::type_parameter, operands::input_parameter, reduce::output_parameter},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .resolve = reduce::resolve_at_root,
    .predict = reduce::predict_on_bus,
    .bytes = reduce::bytes_of_bus,
    .run = reduce::run_direct_on_bus,
};

extern const Method reduce_direct_shared_method{
    .name = "reduce/direct",
    .operation = "reduce",
    .known_as = "reduction",
    .families = {"shared"},
    .source = "Lockstep's own (collectives.md, Through a bus or a memory)",
    .summary = "everybody writes its value, and the root, or up to kstar processors part by part, read and combine all",
    .parameters = {operands::words_parameter, parts::combiners_parameter, reduce::root_parameter,
                   operands::operator_parameter, operands::type_parameter, operands::input_parameter,
                   reduce::output_parameter},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .resolve = reduce::resolve_for_memory,
    .predict = reduce::predict_at_memory,
    .bytes = reduce::bytes_of_memory,
    .run = reduce::run_direct_at_memory,
};

}  // namespace lockstep
