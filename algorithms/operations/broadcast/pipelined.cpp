#include "pipelined.hpp"

#include <cstdlib>
#include <utility>

#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep::broadcast {
namespace {

// Every packet is forwarded, as a multicast, in the step after its receipt (saad-schultz-1985.md, Pipelines, Pipelined
// broadcast; saad-schultz-1988.md, Axis broadcast).
Process broadcast_pipelined(Processor<Block>& self, std::vector<packets::Relay> relays, const std::vector<Part>& parts,
                            Block& item) {
  co_await packets::relay(self, relays, parts, item);
  self.hold(item.size());
}

}  // namespace

Method pipelined_with_defaults(Method own) {
  return with_defaults(filled_in(std::move(own), {.parameters = {packets_words_parameter, packets_parameter,
                                                                 root_parameter, input_parameter, output_parameter},
                                                  .bytes = pipelined_bytes}));
}

void resolve_parts(const MachineSpec& machine, const Model& model, Settings& settings, std::uint64_t parts) {
  if (!settings.input) packets_words_parameter.resolve(settings, parts);
  resolve(machine, model, settings);
  packets_words_parameter.resolve(settings, parts);  // a file may have too few
}

std::uint64_t interval(const MachineSpec& machine, const Model& model, std::uint64_t hops) {
  return packet_interval(model, hops, machine.medium.has_value());
}

StepCounts count_phases(std::span<const PipelinePhase> phases, const Split& packets, const CostModel& cost) {
  StepCounts all;
  for (const auto& [hops, interval] : phases) all = all + count_steps({hops, packets, 0, interval}, cost);
  return all;
}

void resolve_phases(const MachineSpec& machine, const Model& model, Settings& settings,
                    std::span<const PipelinePhase> phases) {
  resolve_parts(machine, model, settings, 1);
  const std::uint64_t words = *settings.words;
  packets_parameter.resolve(
      settings, 1,
      [&](std::uint64_t packets) { return count_phases(phases, Split(words, packets), model.cost).time(model.cost); },
      [&](std::uint64_t packets) {
        std::uint64_t steps = 0;
        for (const auto& [hops, interval] : phases) steps += hops == 0 ? 0 : hops + interval * (packets - 1);
        return least_time(steps, words / packets, model.cost);
      });
}

void resolve_pipelined(const MachineSpec& machine, const Model& model, Settings& settings, std::uint64_t hops) {
  const PipelinePhase phase{hops, interval(machine, model, hops)};
  resolve_phases(machine, model, settings, {&phase, 1});
}

Prediction predict_pipelined(const MachineSpec& machine, const Model& model, const Settings& settings,
                             std::uint64_t hops, const std::string& hops_text) {
  const Split packets(*settings.words, *settings.packets);
  const Pipeline pipeline{hops, packets, 0, interval(machine, model, hops)};
  const bool in_turns = pipeline.interval == 2;
  return predict_parts(machine, settings, 1, count_steps(pipeline, model.cost),
                       hops_text + (in_turns ? " + 2 (nu - 1)" : " + nu - 1"),
                       "(" + hops_text + (in_turns ? " - 2) ceil(N/nu) + 2 N" : " - 1) ceil(N/nu) + N"));
}

Prediction predict_parts(const MachineSpec& machine, const Settings& settings, std::uint64_t parts,
                         const StepCounts& counts, std::string steps_formula, std::string longest_sum_formula) {
  if (counts.steps == 0) steps_formula = longest_sum_formula = std::string("0");
  const Wide others = machine.processors - 1;
  const std::uint64_t packets = parts * *settings.packets;
  const std::string each = parts == 1 ? "" : std::to_string(parts) + " ";
  Prediction prediction{.steps = Count{counts.steps, true, std::move(steps_formula)},
                        .messages = exact_count(others * packets, each + "(k - 1) nu"),
                        .words = exact_count(others * *settings.words, "(k - 1) N"),
                        .longest_sum = Count{counts.longest_sum, true, std::move(longest_sum_formula)},
                        .longest_startups = counts.startups};
  if (*settings.words % packets == 0) prediction.message_words = *settings.words / packets;
  return prediction;
}

packets::Relay along_axis(const GridAxis& axis, Rank root, Rank rank, Cycle start) {
  const Rank from = axis.position(root);
  const std::int64_t offset = axis.offset(from, axis.position(rank));
  packets::Relay relay{.start = start + static_cast<Cycle>(std::abs(offset))};
  if (offset != 0) relay.from = axis.inward(offset);
  axis.add_outward(from, offset, relay.to);
  return relay;
}

std::uint64_t pipelined_bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return pipelined_bytes_over(machine, model, settings, machine.processors);
}

std::uint64_t pipelined_bytes_over(const MachineSpec& machine, const Model& model, const Settings& settings,
                                   Wide directions) {
  // A processor has a relay or two per part; of several packets it makes an item of its own.
  const std::uint64_t neighbours = machine.medium ? 1 : machine.ports;
  const Wide item = *settings.packets > 1 ? allocated_bytes(*settings.words) : 0;
  const Wide a_processor = 4 * (sizeof(packets::Relay) + neighbours * sizeof(Port)) + item;
  return saturated(Wide{bytes_over(machine, model, settings, directions)} + machine.processors * a_processor);
}

Outcome run_relays(const RunRequest& request, std::uint64_t parts,
                   const std::function<std::vector<packets::Relay>(Rank)>& relays, std::optional<Cycle> interval) {
  const std::vector<Part> all = split_in_parts(*request.settings.words, parts, *request.settings.packets);
  return run(request, [&](Processor<Block>& self, Block& item) {
    std::vector<packets::Relay> own = relays(self.rank());
    if (interval) {
      for (packets::Relay& relay : own) relay.interval = *interval;
    }
    return broadcast_pipelined(self, std::move(own), all, item);
  });
}

Outcome run_once_round(const RunRequest& request, const std::function<Port(Rank rank, bool forth)>& towards) {
  const Rank k = request.topology.processors();
  const Rank root = request.root();
  const auto relays = [&](Rank rank) {
    packets::Relay relay{.start = offset_from(root, rank, k)};
    if (relay.start != 0) relay.from = towards(rank, false);
    if (relay.start + 1 < k) relay.to.push_back(towards(rank, true));
    return std::vector{relay};
  };
  return run_relays(request, 1, relays, interval(request.machine, request.model, k - 1));
}

}  // namespace lockstep::broadcast
