#include <chrono>
#include <utility>

#include "in_memory.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "method/entry_parts.hpp"
#include "operands/predicted_operations.hpp"

// Scans over a medium between any two processors (collectives.md, Through a bus or a memory).
namespace lockstep {
namespace scan {
namespace {

using parts::Combined;

/// What a rank has on a bus.
template <class Value>
struct HeldOnBus {
  Partial<Value> own;                      ///< its value
  Partial<Value> prefix;                   ///< its result in the end
  std::vector<Partial<Value>> received{};  ///< where it is judged
};

// One after the other the ranks send the next one all up to themselves. k - 1 steps.
template <class Values>
Process scan_on_bus(Processor<Partial<typename Values::Value>>& self, const Values& values, Prefix prefix,
                    HeldOnBus<typename Values::Value>& held) {
  using Payload = Partial<typename Values::Value>;
  const Rank rank = self.rank();
  self.hold(words(held.own));
  Payload before{.count = 0};
  if (rank > 0) {
    before = co_await self.message(rank - 1);
    if (values.may_absorb()) held.received.push_back(before);
    self.hold(words(held.own) + words(before));
  }
  held.prefix = before;
  const bool sends = rank + 1 < self.processors();
  if (!sends && prefix == Prefix::exclusive) co_return;
  Payload up_to_here = held.own;
  if (rank > 0) prepend(self, values, std::move(before), up_to_here);
  if (prefix == Prefix::inclusive) held.prefix = up_to_here;
  if (sends) self.send(rank + 1, std::move(up_to_here));
}

// Every rank reads the combined values of those before it. If it is to have its own, too, it adds that itself.
template <class Values>
Process scan_at_memory(Processor<Partial<typename Values::Value>>& self, const Values& values, Prefix prefix,
                       const parts::MemoryCombining& plan, HeldInMemoryScan<typename Values::Value>& held) {
  co_await parts::combine_through_memory(self, values, plan, held);
  held.prefix = held.result;
  if (prefix == Prefix::exclusive) co_return;
  if (self.rank() == 0) {
    held.prefix = held.own;
  } else {
    append(self, values, held.prefix, held.own);
  }
}

void resolve_for_memory(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve(machine, model, settings);
  parts::resolve_combiners(machine, model, settings, Combined::before_each);
}

template <Prefix prefix>
Prediction predict_on_bus(const MachineSpec& machine, const Model&, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  const Wide others = machine.processors - 1;
  const Wide m = *settings.words;
  Prediction prediction{.steps = exact_count(others, "k - 1"),
                        .messages = exact_count(others, "k - 1"),
                        .words = exact_count(others * m, "(k - 1) m"),
                        .longest_sum = exact_count(others * m, "(k - 1) m"),
                        .message_words = *settings.words};
  const Wide all = (prefix == Prefix::inclusive ? others : others - 1) * m;
  operands::predict_operations(settings, all, prefix == Prefix::inclusive ? "(k - 1) m" : "(k - 2) m", all, prediction);
  return prediction;
}

template <Prefix prefix>
Prediction predict_at_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return parts::predict_through_memory(machine, model, settings, Combined::before_each, prefix == Prefix::inclusive);
}

std::uint64_t bytes_of_bus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_with_totals(machine, model, settings, 1, machine.processors);
}

std::uint64_t bytes_of_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return parts::bytes_through_memory(machine, model, settings, Combined::before_each);
}

template <class Values>
Outcome run_on_bus(const RunRequest& request, const Values& values, Prefix prefix) {
  using Payload = Partial<typename Values::Value>;
  PerRank<HeldOnBus<typename Values::Value>> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank].own = {rank, 1, values.value(rank)}; });
  Outcome outcome;
  outcome.report = run_program<Payload>(
      request, [&](Processor<Payload>& self) { return scan_on_bus(self, values, prefix, held[self.rank()]); });
  const auto start = std::chrono::steady_clock::now();
  operands::Judge<Values> judge(values, outcome.report.lost);
  held.for_each([&](Rank rank, const auto& one) {
    expect_result(judge, rank, prefix, one.prefix, outcome);
    judge.received(rank, one.received);
  });
  judge.judge(outcome);
  const auto prefix_of = [&](Rank rank) -> const Payload& { return held[rank].prefix; };
  finish_results(request, values, prefix, start, prefix_of, outcome);
  return outcome;
}

template <class Values>
Outcome run_at_memory(const RunRequest& request, const Values& values, Prefix prefix) {
  using Payload = Partial<typename Values::Value>;
  if (request.machine.processors == 1) return run_on_bus(request, values, prefix);
  const parts::MemoryCombining plan(request.machine, request.settings, Combined::before_each);
  auto held = parts::held_before<HeldInMemoryScan<typename Values::Value>>(request, values);
  Outcome outcome;
  outcome.report = run_program<Payload>(
      request, [&](Processor<Payload>& self) { return scan_at_memory(self, values, prefix, plan, held[self.rank()]); },
      plan.slots());
  finish_in_memory(request, values, prefix, held, outcome);
  parts::judge_operands(request, values, plan, held, outcome);
  return outcome;
}

template <Prefix prefix>
Outcome run_direct_on_bus(const RunRequest& request) {
  if (operands::is_concat(request.settings)) return run_on_bus(request, operands::StringValues(request), prefix);
  return run_on_bus(request, operands::NumberValues(request), prefix);
}

template <Prefix prefix>
Outcome run_direct_at_memory(const RunRequest& request) {
  if (operands::is_concat(request.settings)) return run_at_memory(request, operands::StringValues(request), prefix);
  return run_at_memory(request, operands::NumberValues(request), prefix);
}

template <Prefix prefix>
Method direct_on_bus(std::string_view name) {
  return with_output({.name = name,
                      .families = {"bus"},
                      .source = "Lockstep's own (collectives.md, Through a bus or a memory)",
                      .summary = "one after the other sends the next rank what it has of the ranks up to itself",
                      .port_models = {PortModel::one},
                      .strictest_duplex = Duplex::half_node,
                      .predict = predict_on_bus<prefix>,
                      .bytes = bytes_of_bus,
                      .run = run_direct_on_bus<prefix>},
                     prefix);
}

template <Prefix prefix>
Method direct_at_memory(std::string_view name) {
  Method method = with_output({.name = name,
                               .families = {"shared"},
                               .source = "Lockstep's own (collectives.md, Through a bus or a memory)",
                               .summary = "everybody writes its value, up to kstar processors combine a part each for "
                                          "every rank, and all read theirs",
                               .port_models = {PortModel::one},
                               .strictest_duplex = Duplex::half_node,
                               .predict = predict_at_memory<prefix>,
                               .bytes = bytes_of_memory,
                               .run = run_direct_at_memory<prefix>},
                              prefix);
  method.parameters.insert(method.parameters.begin() + 1, parts::combiners_parameter);
  method.resolve = resolve_for_memory;
  return method;
}

}  // namespace
}  // namespace scan

extern const Method scan_direct_bus_method = scan::direct_on_bus<scan::Prefix::inclusive>("scan/direct");
extern const Method exscan_direct_bus_method = scan::direct_on_bus<scan::Prefix::exclusive>("exscan/direct");
extern const Method scan_direct_shared_method = scan::direct_at_memory<scan::Prefix::inclusive>("scan/direct");
extern const Method exscan_direct_shared_method = scan::direct_at_memory<scan::Prefix::exclusive>("exscan/direct");

}  // namespace lockstep
