#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "permute.hpp"
#include "plans/packets/packet_moves.hpp"

namespace lockstep {
namespace permute {
namespace {

// Bits i and n-1-i change places for i < floor(n/2). Johnsson & Ho, section 7 (johnsson-ho.md, Permutations).
SwapRound reversal(Port n) {
  SwapRound swaps;
  for (Port i = 0; i < n / 2; ++i) swaps.push_back({n - 1 - i, i});
  return swaps;
}

DimensionPermutation reversed_dimensions(const MachineSpec& machine) {
  DimensionPermutation delta;
  for (auto i = static_cast<Port>(machine.ports); i-- > 0;) delta.push_back(i);
  return delta;
}

packets::NodePermutation reversed_address(const RunRequest& request) {
  return [n = static_cast<Port>(request.machine.ports)](Rank x) { return reversed(x, n); };
}

std::uint64_t longest_path(const MachineSpec& machine) { return machine.ports / 2 * 2; }

void resolve_bit_reversal(const MachineSpec&, const Model&, Settings& settings) { words_parameter.resolve(settings); }

void resolve_pipelined(const MachineSpec& machine, const Model& model, Settings& settings) {
  words_parameter.resolve(settings);
  packets::resolve_packet_words(settings, longest_path(machine), *settings.words, model.cost);
}

Prediction predict_bit_reversal(const MachineSpec& machine, const Model&, const Settings& settings) {
  return predict_swaps(machine, settings, machine.ports / 2, "floor(n/2)");
}

Prediction predict_pipelined(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t k = *settings.words;
  const std::uint64_t b = *settings.packet_words;
  const StepCounts counts = packets::full_packet_counts(longest_path(machine), k, b, model.cost);
  const std::string steps = "ceil(K/B) + 2 floor(n/2) - 1";
  const Wide hops = Wide{machine.ports / 2} * machine.processors;
  Prediction prediction{
      .steps = Count{counts.steps, true, steps},
      .messages = exact_count(hops * packets::PacketCut::full(k, b).packets(), "ceil(K/B) floor(n/2) 2^n"),
      .words = exact_count(hops * k, "floor(n/2) 2^n K"),
      .longest_sum =
          Count{counts.longest_sum, true, "(ceil(K/B) + 2 floor(n/2) - 2) B + b, the last packet of b words"}};
  if (k % b == 0) prediction.message_words = b;
  prediction.longest_startups = counts.startups;
  prediction.asynchronous = synchronous_time(prediction, model.cost);  // packets wait only for each other
  return prediction;
}

LowerBound lower_bound_bit_reversal(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return distance_bound(machine, model, settings, reversed_dimensions(machine));
}

std::uint64_t bytes_pipelined(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return packets::bytes_of_packets(machine, model, *settings.words, *settings.packet_words, 1);
}

Outcome run_bit_reversal(const RunRequest& request) {
  return run_swaps(request, {reversal(static_cast<Port>(request.machine.ports))}, reversed_address(request));
}

// Packets do not wait for the turn of bits that are right already; two never need the same link, as in SPT
// (johnsson-ho.md, Two dimensions).
packets::PacketPath way_from(Rank origin, const SwapRound& swaps) {
  std::vector<Port> dimensions;
  dimensions.reserve(2 * swaps.size());
  for (const auto& [g, f] : swaps) {
    if (has_bit(origin, g) != has_bit(origin, f)) dimensions.insert(dimensions.end(), {g, f});
  }
  return packets::without_waits(dimensions);
}

Outcome run_pipelined(const RunRequest& request) {
  const SwapRound swaps = reversal(static_cast<Port>(request.machine.ports));
  const packets::PacketCut packets = packets::PacketCut::full(*request.settings.words, *request.settings.packet_words);
  const packets::PacketSchedule plan{.streams = [](Rank) { return 1; },
                                     .stream =
                                         [&](Rank origin, std::uint32_t) {
                                           return packets::PacketStream{.path = way_from(origin, swaps),
                                                                        .packets = packets};
                                         }};
  PerRank<LabelledBlock> held = generated_blocks(request, reversed_address(request));
  Outcome outcome;
  outcome.report = packets::move_packets(request, plan, held);
  verify(request, reversed_address(request), held, outcome);
  return outcome;
}

}  // namespace
}  // namespace permute

extern const Method permute_bit_reversal_method = permute::with_defaults({
    .name = "permute/bit-reversal",
    .mapping = "bit reversal",
    .source = "Johnsson & Ho, section 7 (johnsson-ho.md, Permutations)",
    .summary = "every block to the processor whose address is its own read backwards: bits i and n-1-i change places",
    .parameters = {permute::words_parameter},
    .strictest_duplex = Duplex::half_node,
    .resolve = permute::resolve_bit_reversal,
    .predict = permute::predict_bit_reversal,
    .proven = permute::lower_bound_bit_reversal,
    .bytes = permute::bytes_of_swaps,
    .run = permute::run_bit_reversal,
});

extern const Method permute_bit_reversal_pipelined_method = permute::with_defaults({
    .name = "permute/bit-reversal-pipelined",
    .mapping = "bit reversal",
    .source = "Johnsson & Ho, section 7 (johnsson-ho.md, Permutations)",
    .summary = "as bit-reversal, packet behind packet, each over the dimensions in which it has to move",
    .parameters = {permute::words_parameter, packets::packet_words_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = permute::resolve_pipelined,
    .predict = permute::predict_pipelined,
    .proven = permute::lower_bound_bit_reversal,
    .bytes = permute::bytes_pipelined,
    .run = permute::run_pipelined,
});

}  // namespace lockstep
