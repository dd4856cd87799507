#include <algorithm>
#include <cmath>

#include "send.hpp"

namespace lockstep {
namespace send {
namespace {

/// Packets that go the short way; the others go the long way round. The least steps that any sharing takes (SS 2.3).
/// A ring of two has no long way.
std::uint64_t packets_on_short_arc(std::uint64_t packets, std::uint64_t nodes, std::uint64_t distance) {
  if (packets <= nodes - 2 * distance || nodes == 2) return packets;
  const std::uint64_t steps = (packets + nodes - 1) / 2;  // ceil((P + k - 2) / 2)
  return packets - std::min(packets, steps - (nodes - distance) + 1);
}

/// The first packets over the short arc and the last ones over the other.
Routes routes_of(const MachineSpec& machine, const Settings& settings, std::uint64_t packets) {
  const Split all(*settings.words, packets);
  Routes routes{.paths = disjoint_paths(machine, source(settings), destination(settings)), .parts = {{0, all}}};
  if (routes.paths.empty()) return routes;
  const std::uint64_t nearer = packets_on_short_arc(packets, machine.processors, length(routes.paths.front()));
  if (nearer == packets) {
    routes.paths.resize(1);
    return routes;
  }
  const std::uint64_t border = all.first(nearer);
  routes.parts = {{border, Split(all.words() - border, packets - nearer)}};
  if (nearer == 0) {
    routes.paths.erase(routes.paths.begin());
  } else {
    routes.parts.insert(routes.parts.begin(), {0, Split(border, nearer)});
  }
  return routes;
}

Routes routes(const MachineSpec& machine, const Settings& settings) {
  return routes_of(machine, settings, *settings.packets);
}

StepCounts counts(const Routes& routes) {
  const Prediction prediction = predict(routes, {});
  return {prediction.steps->value, prediction.longest_sum->value};
}

// Section 7's rule for the exact counts: up to P = k - 2d the pipeline over the short arc, of d hops; past that
// S = (P + k - 2) / 2, up to rounding half of what a pipeline of k - 1 hops takes. Each has its optimum.
std::uint64_t best_packets(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t nodes = machine.processors;
  const std::uint64_t distance = length(shortest_path(machine, source(settings), destination(settings)));
  if (distance == 0) return 1;
  const CostModel& cost = model.cost;
  const auto count = [&](std::uint64_t packets) { return counts(routes_of(machine, settings, packets)); };
  const auto best = [&](std::uint64_t hops) {
    const double optimum =
        std::sqrt(static_cast<double>(hops - 1) * static_cast<double>(*settings.words) * cost.tau / cost.beta);
    return better_packets(optimum, *settings.words, cost, count);
  };
  const std::uint64_t border = std::max<std::uint64_t>(1, nodes - 2 * distance);
  const std::uint64_t one_arc = std::min(best(distance), border);
  const std::uint64_t both_arcs = std::max(best(nodes - 1), std::min(border, *settings.words));
  return count(both_arcs).cheaper_than(count(one_arc), cost) ? both_arcs : one_arc;
}

void resolve_balanced(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_ends(machine, settings);
  resolve_words(settings, 1);
  if (!settings.packets) settings.packets = best_packets(machine, model, settings);
  resolve_packets(settings, 1, 1, model.cost);
}

Prediction predict_balanced(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Routes ways = routes(machine, settings);
  return predict(ways, {.steps = ways.paths.size() == 2 ? "S = ceil((P + k - 2) / 2)" : "S = P - 1 + hops of the way",
                        .messages = "sum over the ways of hops times packets",
                        .words = "sum over the ways of hops times words",
                        .longest_sum = "sum of the longest packets; S N / P if P divides N"});
}

std::uint64_t bytes_balanced(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes(machine, model, settings, routes(machine, settings));
}

Outcome run_balanced(const RunRequest& request) { return run(request, routes(request.machine, request.settings)); }

constexpr Parameter packets_in_total{"packets", "packets of both ways together, each a word or more",
                                     "as many as take the least time, of the better neighbours of the optima"};

}  // namespace
}  // namespace send

// Both arcs of a ring finish together: the longer has fewer packets. Half-duplex links, all ports.
extern const Method send_disjoint_paths_balanced_method{
    .name = "send/disjoint-paths-balanced",
    .operation = "send",
    .known_as = "one to one",
    .families = {"ring"},
    .source = "after Saad & Schultz 1988, (3.6) (SS 2.3)",
    .summary = "equal packets both ways round, so many each way that all arrive soonest",
    .parameters = {send::words_parameter, send::packets_in_total, send::source_parameter, send::destination_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .resolve = send::resolve_balanced,
    .predict = send::predict_balanced,
    .lower_bound = send::lower_bound,
    .bytes = send::bytes_balanced,
    .run = send::run_balanced,
};

}  // namespace lockstep
