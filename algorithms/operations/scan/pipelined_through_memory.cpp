#include <algorithm>
#include <limits>
#include <utility>

#include "in_memory.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/predicted.hpp"
#include "operands/predicted_operations.hpp"

// Scans from rank to rank through a shared memory (collectives.md, Through a bus or a memory).
namespace lockstep {
namespace scan {
namespace {

using parts::ElementParts;

constexpr Parameter chain_packets_parameter{
    "packets", "packets of every value that follow each other: at most kstar, or as many as there are banks",
    fallback_packets};

std::uint64_t element_words(const Settings& settings) { return find_operator(*settings.operator_name).element_words; }

Split packets_in_memory(const Settings& settings) {
  return {*settings.words / element_words(settings), *settings.packets};
}

// A packet of rank r is in slot j when all packets before it are in theirs: rank r reads what rank r - 1 has written
// there and, in the next cycle, writes that and its own. So packet j is on its way in every cycle from 2j on, and no
// two of at most kstar packets use a slot, or a bank, in one cycle. 2 (k + packets - 2) steps.
template <class Values>
Process scan_along_chain(Processor<Partial<typename Values::Value>>& self, const Values& values, Prefix prefix,
                         const ElementParts& packets, HeldInMemoryScan<typename Values::Value>& held) {
  using Payload = Partial<typename Values::Value>;
  const Rank rank = self.rank();
  const bool writes = rank + 1 < self.processors();
  const std::uint64_t size = words(held.own);
  self.hold(2 * size);
  if (rank > 0) {
    held.result.count = rank;
    parts::make_room(size, held.result.value);
  }
  if (rank > 0 || prefix == Prefix::inclusive) {
    held.prefix.count = prefix == Prefix::inclusive ? rank + 1 : rank;
    parts::make_room(size, held.prefix.value);
  }
  for (Rank packet = 0; packet < packets.count(); ++packet) {
    const Cycle writing = 2 * (Cycle{rank} + packet);
    Payload up_to_here{.first = rank, .value = packets.cut(held.own.value, packet)};
    if (rank > 0) {
      co_await self.until(writing - 1);
      Message<Payload> found = co_await self.read(packet);
      Payload before{.count = rank, .value = parts::take_found(found, rank, packets.size(packet))};
      packets.put(before.value, packet, held.result.value);
      if (prefix == Prefix::exclusive) packets.put(before.value, packet, held.prefix.value);
      if (writes || prefix == Prefix::inclusive) prepend(self, values, std::move(before), up_to_here);
    }
    if (prefix == Prefix::inclusive) packets.put(up_to_here.value, packet, held.prefix.value);
    if (!writes) continue;
    co_await self.until(writing);
    self.write(packet, Payload{packet, rank + 1, std::move(up_to_here.value)});
  }
}

/// Adds the steps in which `ranks` ranks, one after the other, move the packets: the longest message of a step is the
/// first packet that is still on its way.
void add_moves(const Split& packets, Wide ranks, Wide element, method::StepLengths& lengths) {
  const Wide with_longer = packets.longer() > 0 ? ranks + packets.longer() - 1 : 0;
  lengths.add(with_longer, packets.longest() * element);
  lengths.add(ranks + packets.pieces() - 1 - with_longer, packets.shortest() * element);
}

template <Prefix prefix>
Prediction predict_chain(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  const Split packets = packets_in_memory(settings);
  const Wide element = element_words(settings);
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  method::StepLengths lengths(model.cost);
  for (int access = 0; access < 2; ++access) add_moves(packets, k - 1, element, lengths);
  Prediction prediction =
      method::predicted(lengths, 2 * (k - 1) * packets.pieces(), 2 * (k - 1) * m,
                        {"2 (k + n - 2), n packets", "2 (k - 1) n", "2 (k - 1) m", "2 (k + n - 2) m/n if n divides m"});
  const Wide adding = prefix == Prefix::inclusive ? k - 1 : k - 2;
  method::StepLengths added(model.cost);
  if (adding > 0) add_moves(packets, adding, element, added);
  operands::predict_operations(settings, adding * m, prefix == Prefix::inclusive ? "(k - 1) m" : "(k - 2) m",
                               added.sum(), prediction);
  return prediction;
}

template <Prefix prefix>
void resolve_chain(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve(machine, model, settings);
  const std::uint64_t elements = *settings.words / element_words(settings);
  const std::uint64_t most = std::min(users_at_once(*machine.medium), elements);
  if (settings.packets) {
    whole_number("packets", *settings.packets, 1, most);
    return;
  }
  settings.packets = cheapest(TurningPoints{.words = {elements}, .packets = {most}}, most, [&](std::uint64_t packets) {
    Settings cut = settings;
    cut.packets = packets;
    const auto time = synchronous_time(predict_chain<prefix>(machine, model, cut), model.cost);
    return time ? time->value : std::numeric_limits<double>::max();
  });
}

std::uint64_t bytes_of_chain(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (operands::is_concat(settings)) {
    return parts::bytes_through_memory(machine, model, settings, parts::Combined::before_each);
  }
  // A value, a prefix, and as much in packets.
  const std::uint64_t slots = ElementParts(settings, packets_in_memory(settings)).count();
  return saturated(machine_bytes<Partial<Block>>(machine, model, slots) +
                   machine.processors * Wide{sizeof(HeldInMemoryScan<Block>)} +
                   3 * Wide{operands::value_bytes(machine, settings)} +
                   operands::judged_bytes(machine, settings, 2, machine.processors));
}

template <class Values>
Outcome run_with_packets(const RunRequest& request, const Values& values, Prefix prefix) {
  using Payload = Partial<typename Values::Value>;
  const ElementParts packets(request.settings, packets_in_memory(request.settings));
  auto held = parts::held_before<HeldInMemoryScan<typename Values::Value>>(request, values);
  Outcome outcome;
  outcome.report = run_program<Payload>(
      request,
      [&](Processor<Payload>& self) { return scan_along_chain(self, values, prefix, packets, held[self.rank()]); },
      packets.count());
  finish_in_memory(request, values, prefix, held, outcome);
  return outcome;
}

template <Prefix prefix>
Outcome run_chain(const RunRequest& request) {
  if (operands::is_concat(request.settings)) {
    return run_with_packets(request, operands::StringValues(request), prefix);
  }
  return run_with_packets(request, operands::NumberValues(request), prefix);
}

template <Prefix prefix>
Method chain(std::string_view name) {
  Method method = with_output({.name = name,
                               .families = {"shared"},
                               .source = "Lockstep's own (collectives.md, Through a bus or a memory)",
                               .summary = "rank after rank reads what those before it have written, and adds its own, "
                                          "up to kstar packets at a time",
                               .port_models = {PortModel::one},
                               .strictest_duplex = Duplex::half_node,
                               .predict = predict_chain<prefix>,
                               .bytes = bytes_of_chain,
                               .run = run_chain<prefix>},
                              prefix);
  method.parameters.insert(method.parameters.begin() + 1, chain_packets_parameter);
  method.resolve = resolve_chain<prefix>;
  return method;
}

}  // namespace
}  // namespace scan

extern const Method scan_pipelined_through_memory_method = scan::chain<scan::Prefix::inclusive>("scan/pipelined");
extern const Method exscan_pipelined_through_memory_method = scan::chain<scan::Prefix::exclusive>("exscan/pipelined");

}  // namespace lockstep
