#include <string>
#include <utility>

#include "method/predicted.hpp"
#include "parts/part_moves.hpp"
#include "parts/vectors.hpp"
#include "written/follow.hpp"

// Reduce-scatter and allreduce on any connected machine: the moves of allgather/rarest-first backwards bring every
// part's summands together, and forwards they spread the results (any-graph.md, Rarest first).
namespace lockstep {
namespace allreduce {
namespace {

using parts::PartMoves;
using parts::PartSchedule;

template <parts::Share share>
void resolve_rarest_first(const MachineSpec& machine, const Model& model, Settings& settings) {
  parts::refuse_unplanned(share == parts::Share::all ? "allreduce/rarest-first" : "reduce-scatter/rarest-first",
                          machine);
  parts::resolve_in_any_order(machine, model, settings);
}

template <parts::Share share>
Prediction predict_rarest_first(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr bool is_both = share == parts::Share::all;
  const auto gossip = parts::rarest_first_gossip(machine, model);
  const parts::Parts parts(*settings.words, static_cast<Rank>(machine.processors));
  const Wide p = machine.processors;
  method::StepLengths lengths(model.cost);
  for (int half = 0; half < (is_both ? 2 : 1); ++half) parts::add_moves(*gossip, parts, lengths);
  const Wide halves = is_both ? 2 : 1;
  const std::string twice = is_both ? "2 " : "";
  Prediction prediction = method::predicted(lengths, halves * p * (p - 1), halves * (p - 1) * *settings.words,
                                            {"as planned", twice + "P (P - 1)", twice + "(P - 1) m",
                                             "ceil(m/P) a step, or floor where no longer part moves"});
  parts::predict_operations(
      machine, settings, parts::most_combined(parts::reversed(*gossip), parts, static_cast<Rank>(machine.processors)),
      prediction);
  return prediction;
}

std::uint64_t bytes_rarest_first(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(Wide{parts::bytes(machine, model, settings)} + parts::bytes_of_gossip(machine, model));
}

template <parts::Share share>
Outcome run_rarest_first(const RunRequest& request) {
  const auto gossip = parts::rarest_first_gossip(request.machine, request.model);
  PartSchedule schedule = parts::schedule_of(request.machine, parts::reversed(*gossip), true);
  if (share == parts::Share::all) {
    schedule = std::move(schedule) + parts::schedule_of(request.machine, *gossip, false);
  }
  return parts::run(request, schedule, static_cast<Rank>(request.machine.processors), share);
}

template <parts::Share share>
Method rarest_first(Method own) {
  return parts::with_defaults(
      filled_in(std::move(own), {.families = written::linked_families(),
                                 .source = "Lockstep's own (any-graph.md, Rarest first)",
                                 .port_models = {PortModel::one, PortModel::all, PortModel::ring},
                                 .resolve = resolve_rarest_first<share>,
                                 .predict = predict_rarest_first<share>,
                                 .bytes = bytes_rarest_first,
                                 .run = run_rarest_first<share>}));
}

}  // namespace
}  // namespace allreduce

extern const Method allreduce_rarest_first_method = allreduce::rarest_first<parts::Share::all>({
    .name = "allreduce/rarest-first",
    .operation = "allreduce",
    .known_as = "allreduce",
    .summary = "reduce-scatter/rarest-first, and then allgather/rarest-first with the parts of the result",
});

extern const Method reduce_scatter_rarest_first_method = allreduce::rarest_first<parts::Share::part>({
    .name = "reduce-scatter/rarest-first",
    .operation = "reduce-scatter",
    .known_as = "reduce-scatter",
    .summary = "allgather/rarest-first backwards: the summands of every part come together on their way to its rank",
});

}  // namespace lockstep
