#include "finish.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "parts/gossip_sums_program.hpp"
#include "parts/vectors.hpp"
#include "written/follow.hpp"

// Allreduce on any connected machine in the fewest steps of a gossip (any-graph.md, Gossip of sums).
namespace lockstep {
namespace allreduce {
namespace {

void resolve_gossip_sums(const MachineSpec& machine, const Model& model, Settings& settings) {
  parts::refuse_unplanned("allreduce/gossip-sums", machine);
  parts::resolve_in_order(machine, model, settings);
}

Prediction predict_gossip_sums(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return parts::predict_gossip_sums(machine, model, settings, parts::SumNeeded::all);
}

std::uint64_t bytes_of_gossip_sums(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return parts::bytes_of_gossip_sums(machine, model, settings, parts::SumNeeded::all);
}

template <class Values>
Outcome run_gossip_sums_with(const RunRequest& request, const Values& values) {
  PerRank<parts::GossipSumsHeld<typename Values::Value>> held(request);
  Outcome outcome = parts::run_gossip_sums(request, values, parts::SumNeeded::all, held);
  finish(request, values, held, ReceivedForm::parts, outcome);
  return outcome;
}

Outcome run_gossip_sums(const RunRequest& request) {
  if (operands::is_concat(request.settings)) return run_gossip_sums_with(request, operands::StringValues(request));
  return run_gossip_sums_with(request, operands::NumberValues(request));
}

}  // namespace
}  // namespace allreduce

extern const Method allreduce_gossip_sums_method = parts::with_defaults({
    .name = "allreduce/gossip-sums",
    .operation = "allreduce",
    .known_as = "allreduce",
    .families = written::linked_families(),
    .source = "Lockstep's own (any-graph.md, Gossip of sums)",
    .summary = "the messages of allgather/gossip, with the values combined that their receivers need not tell apart",
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .resolve = allreduce::resolve_gossip_sums,
    .predict = allreduce::predict_gossip_sums,
    .bytes = allreduce::bytes_of_gossip_sums,
    .run = allreduce::run_gossip_sums,
});

}  // namespace lockstep
