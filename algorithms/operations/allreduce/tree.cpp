#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "allreduce.hpp"
#include "finish.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/spread.hpp"
#include "operands/predicted_operations.hpp"
#include "operations/broadcast/sbt.hpp"
#include "operations/reduce/blocks.hpp"
#include "operations/reduce/in_packets.hpp"
#include "parts/vectors.hpp"
#include "plans/packets/relay.hpp"
#include "plans/tree/drbt_schedule.hpp"
#include "plans/tree/reduction_tree.hpp"

// Allreduce up the double-rooted tree of a hypercube or reduced hypercube and down again (collectives.md, Allreduce
// over links).
namespace lockstep {
namespace allreduce {
namespace {

using reduce::HeldPartials;
using reduce::Partial;
using reduce::UpwardTree;

constexpr PacketsOrWholeParameter packets_or_whole{
    "packets of the vector, each a word or more; several go up and down the double-rooted tree, not for matrix2 and "
    "concat"};

/// When the root, which has all packets by then, starts to send them down, and the cycles between packets.
struct WayDown {
  Cycle begin;
  Cycle interval;
};

template <class Value>
void check(const Processor<Partial<Value>>& self, const Partial<Value>& result) {
  if (result.first == 0 && result.count == self.processors()) return;
  throw std::logic_error("a partial result of " + std::to_string(result.count) + " ranks from " +
                         std::to_string(result.first) + " on has come as the result");
}

// Up the tree of reduce/tree, in the order of the ranks, to rank 0, and down the tree of the broadcast from there.
template <class Values>
Process reduce_and_spread(Processor<Partial<typename Values::Value>>& self, const Values& values,
                          const ReducedHypercube* rh, const TreeSchedule& schedule, Cycle begin,
                          HeldPartials<typename Values::Value>& held) {
  self.hold(words(held.own));
  co_await reduce::reduce_to_first(self, values, rh, self.rank(), held);
  if (schedule.parent(self.rank()) == TreeSchedule::no_port) {
    co_await self.until(begin);
  } else {
    held.own = co_await self.message(schedule.parent(self.rank()));
    check(self, held.own);
  }
  self.hold(words(held.own));
  co_await spread(self, schedule.children(self.rank()), held.own);
}

// Up and down the double-rooted tree.
Process reduce_and_spread_packets(Processor<Partial<Block>>& self, const operands::NumberValues& values,
                                  const UpwardTree& tree, WayDown way, const Split& packets,
                                  HeldPartials<Block>& held) {
  co_await reduce::reduce_in_packets(self, values, tree, self.rank(), packets, held);
  const Part whole{0, packets};
  const Port parent = tree.schedule().parent(self.rank());
  for (std::uint64_t packet = 0; packet < packets.pieces(); ++packet) {
    Partial<Block> result{.first = 0, .count = self.processors(), .value = {}};
    if (parent == TreeSchedule::no_port) {
      co_await self.until(way.begin + way.interval * packet);
      result.value = packets::cut(held.own.value, whole, packet);
    } else {
      result = co_await self.message(parent);
      check(self, result);
      packets::put(held.own.value, whole, packet, result.value);
    }
    co_await spread(self, tree.schedule().children(self.rank()), result);
  }
  held.own.first = 0;
  held.own.count = self.processors();
}

bool in_packets(const Settings& settings) { return *settings.packets > 1; }

void resolve(const MachineSpec& machine, const Model& model, Settings& settings) {
  parts::resolve_in_order(machine, model, settings);
  packets_or_whole.resolve(settings);
  if (in_packets(settings)) operands::require_commutative(settings);
}

/// On a cube the binomial tree takes the same number of steps down in every port model.
Count steps_down(const MachineSpec& machine, const Model& model) {
  if (is_hypercube(machine)) return {machine.ports, true, "v"};
  return tree::drbt_steps(machine, spreads_at_once(model), tree::ChildOrder::longest_first);
}

Prediction predict_whole(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const tree::ReductionTree up(machine);
  const Count down = steps_down(machine, model);
  const Wide steps = Wide{up.steps()} + down.value;
  const Wide messages = Wide{up.messages()} + machine.processors - 1;
  const Wide w = *settings.words;
  Prediction prediction{.steps = exact_count(steps, up.steps_formula() + " + " + down.formula),
                        .messages = exact_count(messages, up.messages_formula() + " + N - 1"),
                        .words = exact_count(messages * w, "messages w"),
                        .longest_sum = exact_count(steps * w, "steps w"),
                        .message_words = *settings.words};
  operands::predict_operations(settings, (machine.processors - 1) * w, "(N - 1) w", up.combinations() * w, prediction);
  return prediction;
}

Count sum_of(const Count& up, const Count& down) {
  const std::string formula =
      up.formula == down.formula ? "2 (" + up.formula + ")" : up.formula + " up, " + down.formula + " down";
  return {up.value + down.value, up.exact && down.exact, formula};
}

Prediction predict_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (!in_packets(settings)) return predict_whole(machine, model, settings);
  const Prediction up = reduce::predict_in_packets(machine, model, settings);
  const bool at_once = spreads_at_once(model);
  const Prediction down = tree::predict_tree_packets(
      machine, model, settings, tree::drbt_steps(machine, at_once, tree::ChildOrder::longest_first),
      tree::drbt_interval(machine, model, at_once));
  Prediction both{.steps = sum_of(*up.steps, *down.steps),
                  .messages = sum_of(*up.messages, *down.messages),
                  .words = sum_of(*up.words, *down.words),
                  .longest_sum = sum_of(*up.longest_sum, *down.longest_sum),
                  .message_words = up.message_words,
                  .most_operations = up.most_operations,
                  .operations = up.operations};
  if (up.longest_startups && down.longest_startups)
    both.longest_startups = *up.longest_startups + *down.longest_startups;
  return both;
}

template <class Value>
Wide bytes_of(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide p = machine.processors;
  return machine_bytes<Partial<Value>>(machine, model) + p * sizeof(HeldPartials<Value>) +
         operands::value_bytes(machine, settings) +
         operands::judged_bytes(machine, settings, p > 1 ? 1 : 0, 2 * (p - 1)) + UpwardTree::bytes(machine.processors);
}

std::uint64_t bytes_of_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (!operands::is_concat(settings)) return saturated(bytes_of<Block>(machine, model, settings));
  // In the end every processor has all strings.
  const Wide text = Wide{machine.processors} * operands::text_bytes(machine, settings);
  const Wide strings = Wide{machine.processors} * *settings.words * sizeof(std::string);
  return saturated(bytes_of<Strings>(machine, model, settings) + 2 * (text + strings));
}

template <class Values>
PerRank<HeldPartials<typename Values::Value>> initially_held(const RunRequest& request, const Values& values) {
  PerRank<HeldPartials<typename Values::Value>> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank].own = {rank, 1, values.value(rank)}; });
  return held;
}

template <class Values>
Outcome run_whole(const RunRequest& request, const Values& values) {
  using Payload = Partial<typename Values::Value>;
  std::optional<ReducedHypercube> rh;
  if (!is_hypercube(request.machine)) rh = ReducedHypercube(request.machine);
  const TreeSchedule down = rh ? tree::drbt_schedule(*rh, request.topology, tree::ChildOrder::longest_first)
                               : broadcast::sbt_schedule(request.topology.ports());
  const Cycle begin = tree::ReductionTree(request.machine).steps();
  auto held = initially_held(request, values);
  Outcome outcome;
  outcome.report = run_program<Payload>(request, [&](Processor<Payload>& self) {
    return reduce_and_spread(self, values, rh ? &*rh : nullptr, down, begin, held[self.rank()]);
  });
  finish(request, values, held, ReceivedForm::partials, outcome);
  return outcome;
}

Outcome run_in_packets(const RunRequest& request, const operands::NumberValues& values) {
  const UpwardTree tree(request.machine, request.topology, request.model);
  const Split packets(*request.settings.words, *request.settings.packets);
  const WayDown down{reduce::predict_in_packets(request.machine, request.model, request.settings).steps->value,
                     tree::drbt_interval(request.machine, request.model, spreads_at_once(request.model))};
  auto held = initially_held(request, values);
  Outcome outcome;
  outcome.report = run_program<Partial<Block>>(request, [&](Processor<Partial<Block>>& self) {
    return reduce_and_spread_packets(self, values, tree, down, packets, held[self.rank()]);
  });
  finish(request, values, held, ReceivedForm::parts, outcome);
  reduce::judge_packets_on_the_way(request, values, tree, held, std::identity(), outcome);
  return outcome;
}

Outcome run_tree(const RunRequest& request) {
  if (operands::is_concat(request.settings)) return run_whole(request, operands::StringValues(request));
  const operands::NumberValues values(request);
  return in_packets(request.settings) ? run_in_packets(request, values) : run_whole(request, values);
}

}  // namespace
}  // namespace allreduce

extern const Method allreduce_tree_method = allreduce::over_links({
    .name = "allreduce/tree",
    .families = {"rh", "hypercube"},
    .source = "after Mukherjee, chapters 2 and 3 (collectives.md, Allreduce over links)",
    .summary = "reduction to rank 0 up a tree, operands in order, and a broadcast from there",
    .parameters = {parts::words_parameter, allreduce::packets_or_whole, operands::operator_parameter,
                   operands::type_parameter, operands::input_parameter, parts::output_parameter},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = allreduce::resolve,
    .predict = allreduce::predict_tree,
    .bytes = allreduce::bytes_of_tree,
    .run = allreduce::run_tree,
});

}  // namespace lockstep
