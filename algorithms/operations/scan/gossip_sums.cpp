#include <chrono>
#include <string>

#include "lockstep/algorithms/per_rank.hpp"
#include "parts/gossip_sums_program.hpp"
#include "scan.hpp"
#include "written/follow.hpp"

// Scans on any connected machine in the fewest steps of a gossip (any-graph.md, Gossip of sums).
namespace lockstep {
namespace scan {
namespace {

template <Prefix prefix>
constexpr parts::SumNeeded needed =
    prefix == Prefix::inclusive ? parts::SumNeeded::up_to_own : parts::SumNeeded::before_own;

template <Prefix prefix>
void resolve_gossip_sums(const MachineSpec& machine, const Model& model, Settings& settings) {
  parts::refuse_unplanned(prefix == Prefix::inclusive ? "scan/gossip-sums" : "exscan/gossip-sums", machine);
  resolve(machine, model, settings);
}

template <class Values>
Outcome run_gossip_sums_with(const RunRequest& request, const Values& values, Prefix prefix, parts::SumNeeded of_rank) {
  using Held = parts::GossipSumsHeld<typename Values::Value>;
  PerRank<Held> held(request);
  Outcome outcome = parts::run_gossip_sums(request, values, of_rank, held);
  const auto start = std::chrono::steady_clock::now();
  operands::Judge<Values> judge(values, outcome.report.lost);
  held.for_each([&](Rank rank, const Held& one) { expect_result(judge, rank, prefix, one.own, outcome); });
  judge.judge(outcome);
  const auto result_of = [&](Rank rank) -> const Partial<typename Values::Value>& { return held[rank].own; };
  finish_results(request, values, prefix, start, result_of, outcome);
  return outcome;
}

template <Prefix prefix>
Outcome run_gossip_sums(const RunRequest& request) {
  if (operands::is_concat(request.settings)) {
    return run_gossip_sums_with(request, operands::StringValues(request), prefix, needed<prefix>);
  }
  return run_gossip_sums_with(request, operands::NumberValues(request), prefix, needed<prefix>);
}

template <Prefix prefix>
Method by_gossip_sums(Method own) {
  own = filled_in(std::move(own), {.families = written::linked_families(),
                                   .source = "Lockstep's own (any-graph.md, Gossip of sums)",
                                   .port_models = {PortModel::one, PortModel::all, PortModel::ring},
                                   .resolve = resolve_gossip_sums<prefix>,
                                   .predict =
                                       [](const MachineSpec& machine, const Model& model, const Settings& settings) {
                                         return parts::predict_gossip_sums(machine, model, settings, needed<prefix>);
                                       },
                                   .bytes =
                                       [](const MachineSpec& machine, const Model& model, const Settings& settings) {
                                         return parts::bytes_of_gossip_sums(machine, model, settings, needed<prefix>);
                                       },
                                   .run = run_gossip_sums<prefix>});
  return with_output(std::move(own), prefix);
}

}  // namespace
}  // namespace scan

extern const Method scan_gossip_sums_method = scan::by_gossip_sums<scan::Prefix::inclusive>({
    .name = "scan/gossip-sums",
    .summary = "the messages of allgather/gossip, with the values combined that their receivers need combined",
});

extern const Method exscan_gossip_sums_method = scan::by_gossip_sums<scan::Prefix::exclusive>({
    .name = "exscan/gossip-sums",
    .summary = "scan/gossip-sums without a rank's own value",
});

}  // namespace lockstep
