#include <chrono>
#include <stdexcept>
#include <string>

#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "method/switches.hpp"
#include "operands/predicted_operations.hpp"
#include "parts_of_values.hpp"
#include "plans/turns/port_to.hpp"
#include "scan.hpp"

// Scans in packets along the ranks, where each rank is a neighbour of the next (collectives.md, Scan).
namespace lockstep {
namespace scan {
namespace {

constexpr NumberParameter pipelined_words_parameter{
    {"words", "words of one vector, taken element by element; an element or more a packet",
     "an element a packet, or what --input has for each rank"},
    &Settings::words};
constexpr PacketsParameter pipelined_packets_parameter{"packets of every vector, each an element or more"};

/// What a rank has.
template <class Value>
struct PipelinedCollected {
  Partial<Value> own;         ///< its value
  Partial<Value> prefix{};    ///< in the end; of no ranks where it has none
  Partial<Value> received{};  ///< of all ranks before it, where that is judged
};

/// Elements in packets over that many hops.
Pipeline pipeline_of(const MachineSpec& machine, const Model& model, const Settings& settings, std::uint64_t hops) {
  return {hops, Split(*settings.words / element_words(settings), *settings.packets), 0,
          packet_interval(model, machine.processors - 1, machine.medium.has_value())};
}

/// The counts in words, where those of a pipeline are in elements.
StepCounts counts_over(const Pipeline& pipeline, const CostModel& cost, std::uint64_t words_of_element) {
  const StepCounts of_elements = count_steps(pipeline, cost);
  const std::uint64_t shortest = pipeline.packets.shortest();
  const std::uint64_t longer = of_elements.longest_sum - of_elements.steps * shortest;
  return {of_elements.steps, of_elements.longest_sum * words_of_element,
          longer * cost.startups((shortest + 1) * words_of_element) +
              (of_elements.steps - longer) * cost.startups(shortest * words_of_element)};
}

PartWords packets_of(const Settings& settings) {
  const std::uint64_t element = element_words(settings);
  return {parts::Parts(Split(*settings.words / element, *settings.packets)), element};
}

void resolve_pipelined(const MachineSpec& machine, const Model& model, Settings& settings) {
  const std::uint64_t element = operands::operator_parameter.resolve(settings).element_words;
  if (!settings.words && !settings.input) settings.words = settings.packets.value_or(1) * element;
  operands::resolve(machine, settings);
  Settings of_elements = settings;
  *of_elements.words /= element;
  pipelined_packets_parameter.resolve(of_elements, 1, [&](std::uint64_t packets) {
    Settings tried = settings;
    tried.packets = packets;
    CostModel cost = model.cost;
    cost.tau += cost.flop;  // every word of a step's longest message is combined
    return counts_over(pipeline_of(machine, model, tried, machine.processors - 1), cost, element).time(cost);
  });
  settings.packets = of_elements.packets;
}

template <class Values>
Process scan_along(Processor<Partial<typename Values::Value>>& self, const Values& values, const PartWords& packets,
                   Cycle interval, Prefix prefix, PipelinedCollected<typename Values::Value>& held) {
  using Payload = Partial<typename Values::Value>;
  const Rank rank = self.rank();
  const bool is_last = rank + 1 == self.processors();
  const bool is_exclusive = prefix == Prefix::exclusive;
  self.hold(words(held.own));
  if (rank > 0 || !is_exclusive) held.prefix = {0, is_exclusive ? rank : rank + 1, empty_value(held.own.value)};
  if (values.may_absorb() && rank > 0) held.received = {0, rank, empty_value(held.own.value)};
  for (Rank packet = 0; packet < packets.count(); ++packet) {
    const std::uint64_t first = packets.first(packet);
    Payload own{rank, 1, parts::words_from(held.own.value, first, packets.size(packet))};
    Payload before{0, 0, {}};
    if (rank > 0) {
      before = co_await self.message(turns::port_to(self, rank - 1));
      if (before.first != 0 || before.count != rank || words(before) != words(own)) {
        throw std::logic_error("a packet came that is not of the ranks before " + std::to_string(rank));
      }
      if (values.may_absorb()) put_part(held.received.value, first, before.value);
      if (is_exclusive) put_part(held.prefix.value, first, before.value);
      if (!is_last || !is_exclusive) append(self, values, before, own);
    } else {
      before = std::move(own);
    }
    if (!is_exclusive) put_part(held.prefix.value, first, before.value);
    if (is_last) continue;
    co_await self.until(rank + interval * packet);
    self.send(turns::port_to(self, rank + 1), std::move(before));
  }
  if (rank > 0) self.hold(words(held.own) + words(held.prefix));
}

template <Prefix prefix>
Prediction predict_along(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide hops = machine.processors - 1;
  const Wide m = *settings.words;
  const std::uint64_t element = element_words(settings);
  const Pipeline pipeline = pipeline_of(machine, model, settings, machine.processors - 1);
  const StepCounts counts = counts_over(pipeline, model.cost, element);
  const std::string each = pipeline.interval == 2 ? "2 " : "";
  const bool moves = hops > 0;
  Prediction prediction{
      .steps = Count{counts.steps, true, moves ? "p - 1 + " + each + "(n - 1)" : "0"},
      .messages = exact_count(hops * *settings.packets, "(p - 1) n"),
      .words = exact_count(hops * m, "(p - 1) m"),
      .longest_sum = Count{counts.longest_sum, true, moves ? "a packet, the longest that moves, a step" : "0"},
      .longest_startups = counts.startups};
  if (pipeline.packets.longer() == 0) prediction.message_words = pipeline.packets.shortest() * element;
  // The last rank needs no combination for an exclusive prefix.
  const bool leaves_out = prefix == Prefix::exclusive && moves;
  const std::uint64_t combining = machine.processors - 1 - (leaves_out ? 1 : 0);
  const Wide most =
      combining == 0 ? 0
                     : counts_over(pipeline_of(machine, model, settings, combining), model.cost, element).longest_sum;
  operands::predict_operations(settings, combining * m, leaves_out ? "(p - 2) m" : "(p - 1) m", most, prediction);
  return prediction;
}

std::uint64_t bytes_along(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return scan::bytes_with_totals(machine, model, settings, 1, Wide{machine.processors} * *settings.packets);
}

template <class Values>
Outcome run_along_with(const RunRequest& request, const Values& values, Prefix prefix) {
  using Value = typename Values::Value;
  const PartWords packets = packets_of(request.settings);
  const Cycle interval = pipeline_of(request.machine, request.model, request.settings, 1).interval;
  PerRank<PipelinedCollected<Value>> held(request);
  for_all_ranks(request, [&](Rank rank) {
    held[rank].own = {rank, 1, values.value(rank)};
    held[rank].prefix = {rank, 0, {}};
  });
  Outcome outcome;
  outcome.report = run_program<Partial<Value>>(request, [&](Processor<Partial<Value>>& self) {
    return scan_along(self, values, packets, interval, prefix, held[self.rank()]);
  });
  const auto start = std::chrono::steady_clock::now();
  operands::Judge<Values> judge(values, outcome.report.lost);
  held.for_each([&](Rank rank, const PipelinedCollected<Value>& one) {
    expect_result(judge, rank, prefix, one.prefix, outcome);
    if (values.may_absorb() && rank > 0) {
      judge.expect(rank, operands::Judge<Values>::Role::message, one.received, 0, rank);
    }
  });
  judge.judge(outcome);
  const auto prefix_of = [&](Rank rank) -> const Partial<Value>& { return held[rank].prefix; };
  finish_results(request, values, prefix, start, prefix_of, outcome);
  return outcome;
}

template <Prefix prefix>
Outcome run_along(const RunRequest& request) {
  if (operands::is_concat(request.settings)) return run_along_with(request, operands::StringValues(request), prefix);
  return run_along_with(request, operands::NumberValues(request), prefix);
}

template <Prefix prefix>
Method along(Method own) {
  own = filled_in(std::move(own), {.source = "a pipeline, as Saad & Schultz 1988, (3.22) (collectives.md, Scan)",
                                   .resolve = resolve_pipelined,
                                   .predict = predict_along<prefix>,
                                   .bytes = bytes_along,
                                   .run = run_along<prefix>});
  own.strictest_duplex = Duplex::half_node;
  own = with_output(std::move(own), prefix);
  own.parameters.front() = pipelined_words_parameter;
  own.parameters.insert(own.parameters.begin() + 1, pipelined_packets_parameter);
  return own;
}

template <Prefix prefix>
Method along_links(Method own) {
  own.families = {"complete", "path", "ring"};
  own.port_models = {PortModel::one, PortModel::all, PortModel::ring};
  return along<prefix>(std::move(own));
}

template <Prefix prefix>
Method along_switch(Method own) {
  own.families = method::all_switches();
  own.port_models = {PortModel::one};
  return along<prefix>(std::move(own));
}

}  // namespace
}  // namespace scan

extern const Method scan_pipelined_method = scan::along_links<scan::Prefix::inclusive>({
    .name = "scan/pipelined",
    .summary = "packet behind packet along the ranks, each of which adds its own; operands stay in order",
});

extern const Method scan_pipelined_on_switches_method = scan::along_switch<scan::Prefix::inclusive>(
    {.name = scan_pipelined_method.name, .summary = scan_pipelined_method.summary});

extern const Method exscan_pipelined_method = scan::along_links<scan::Prefix::exclusive>({
    .name = "exscan/pipelined",
    .summary = "scan/pipelined without a rank's own value",
});

extern const Method exscan_pipelined_on_switches_method = scan::along_switch<scan::Prefix::exclusive>(
    {.name = exscan_pipelined_method.name, .summary = exscan_pipelined_method.summary});

}  // namespace lockstep
