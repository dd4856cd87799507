#include "parts/gossip.hpp"

#include <optional>
#include <string>
#include <utility>

#include "method/predicted.hpp"
#include "parts/vectors.hpp"
#include "written/follow.hpp"

// Reduce-scatter and allreduce on any connected machine: the moves of a gossip backwards bring every part's summands
// together, and forwards they spread the results (any-graph.md, Rarest first; Gossip).
namespace lockstep {
namespace allreduce {
namespace {

using parts::GossipMessage;
using parts::PartSchedule;

template <parts::Share share, GossipMessage message>
void resolve_gossip(const MachineSpec& machine, const Model& model, Settings& settings) {
  const std::string operation = share == parts::Share::all ? "allreduce" : "reduce-scatter";
  parts::refuse_unplanned(operation + (message == GossipMessage::all ? "/gossip" : "/rarest-first"), machine);
  parts::resolve_in_any_order(machine, model, settings);
}

template <parts::Share share, GossipMessage message>
Prediction predict_gossip(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr bool is_both = share == parts::Share::all;
  const auto gossip = parts::gossip(machine, model, message);
  const parts::Parts parts(*settings.words, static_cast<Rank>(machine.processors));
  const Wide p = machine.processors;
  method::StepLengths lengths(model.cost);
  const Wide messages = parts::add_moves(*gossip, parts, lengths).count;
  if (is_both) parts::add_moves(*gossip, parts, lengths);
  const Wide halves = is_both ? 2 : 1;
  const std::string twice = is_both ? "2 " : "";
  constexpr bool is_rarest = message == GossipMessage::rarest;
  Prediction prediction =
      method::predicted(lengths, halves * messages, halves * (p - 1) * *settings.words,
                        {"as planned", is_rarest ? twice + "P (P - 1)" : "as planned", twice + "(P - 1) m",
                         is_rarest ? "ceil(m/P) a step, or floor where no longer part moves" : "the longest messages"});
  const auto most =
      model.cost.flop == 0 ? std::nullopt : std::optional(parts::most_combined_in_reverse(*gossip, parts));
  parts::predict_operations(machine, settings, most, prediction);
  return prediction;
}

template <GossipMessage message>
std::uint64_t bytes_of_gossip(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(Wide{parts::bytes(machine, model, settings)} + parts::bytes_of_gossip(machine, model, message));
}

template <parts::Share share, GossipMessage message>
Outcome run_gossip(const RunRequest& request) {
  const auto gossip = parts::gossip(request.machine, request.model, message);
  PartSchedule schedule = parts::schedule_of(request.machine, parts::reversed(*gossip), true);
  if (share == parts::Share::all) {
    schedule = std::move(schedule) + parts::schedule_of(request.machine, *gossip, false);
  }
  return parts::run(request, schedule, static_cast<Rank>(request.machine.processors), share);
}

template <parts::Share share, GossipMessage message>
Method of_gossip(Method own) {
  return parts::with_defaults(
      filled_in(std::move(own), {.families = written::linked_families(),
                                 .port_models = {PortModel::one, PortModel::all, PortModel::ring},
                                 .resolve = resolve_gossip<share, message>,
                                 .predict = predict_gossip<share, message>,
                                 .bytes = bytes_of_gossip<message>,
                                 .run = run_gossip<share, message>}));
}

}  // namespace
}  // namespace allreduce

extern const Method allreduce_rarest_first_method =
    allreduce::of_gossip<parts::Share::all, parts::GossipMessage::rarest>({
        .name = "allreduce/rarest-first",
        .operation = "allreduce",
        .known_as = "allreduce",
        .source = "Lockstep's own (any-graph.md, Rarest first)",
        .summary = "reduce-scatter/rarest-first, and then allgather/rarest-first with the parts of the result",
    });

extern const Method allreduce_gossip_method = allreduce::of_gossip<parts::Share::all, parts::GossipMessage::all>({
    .name = "allreduce/gossip",
    .operation = "allreduce",
    .known_as = "allreduce",
    .source = "Lockstep's own (any-graph.md, Gossip)",
    .summary = "reduce-scatter/gossip, and then allgather/gossip with the parts of the result",
});

extern const Method reduce_scatter_rarest_first_method =
    allreduce::of_gossip<parts::Share::part, parts::GossipMessage::rarest>({
        .name = "reduce-scatter/rarest-first",
        .operation = "reduce-scatter",
        .known_as = "reduce-scatter",
        .source = "Lockstep's own (any-graph.md, Rarest first)",
        .summary =
            "allgather/rarest-first backwards: the summands of every part come together on their way to its rank",
    });

extern const Method reduce_scatter_gossip_method = allreduce::of_gossip<parts::Share::part, parts::GossipMessage::all>({
    .name = "reduce-scatter/gossip",
    .operation = "reduce-scatter",
    .known_as = "reduce-scatter",
    .source = "Lockstep's own (any-graph.md, Gossip)",
    .summary = "allgather/gossip backwards: the summands of every part come together on their way to its rank",
});

}  // namespace lockstep
