#include <algorithm>
#include <utility>

#include "plans/routes/detour.hpp"
#include "switched.hpp"

namespace lockstep {
namespace send {
namespace {

std::vector<Path> paths(const MachineSpec& machine, const Settings& settings) {
  return disjoint_paths(machine, source(settings), destination(settings));
}

/// At least one, even without a path.
std::uint64_t parts(const std::vector<Path>& paths) { return std::max<std::uint64_t>(1, paths.size()); }

void resolve_disjoint(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_ends(machine, settings);
  const std::vector<Path> all = paths(machine, settings);
  words_parameter.resolve(settings, parts(all));
  const std::vector<std::uint64_t> hops = lengths(all);
  const Split split(*settings.words, parts(all));
  one_packet_if_through(model.cost, settings);
  packets_parameter.resolve(settings, parts(all), [&](std::uint64_t packets) {
    std::vector<Pipeline> pipelines;
    pipelines.reserve(hops.size());
    for (std::size_t part = 0; part < hops.size(); ++part) {
      pipelines.push_back({hops[part], Split(split.size(part), packets), 0, packet_interval(model, hops[part])});
    }
    return pipeline_time(pipelines, model.cost);
  });
}

Routes routes_disjoint_paths(const MachineSpec& machine, const Settings& settings) {
  const std::vector<Path> all = paths(machine, settings);
  return {.paths = all, .parts = split_in_parts(*settings.words, parts(all), *settings.packets)};
}

Prediction predict_disjoint(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict(model, routes_disjoint_paths(machine, settings),
                 {.steps = takes_turns(model) ? "S = L + 2 (nu - 1), L hops the longest path; nu if L = 1"
                                              : "S = nu - 1 + L, L hops the longest path",
                  .messages = "nu times the hops of all paths",
                  .words = "sum over the paths of hops times words",
                  .longest_sum = "sum of the longest packets; S N / (w nu) if w paths divide N evenly"});
}

std::uint64_t bytes_disjoint(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes(machine, model, settings, routes_disjoint_paths(machine, settings));
}

/// The ports of all hops, one after the other.
std::vector<Port> ports_of_disjoint_paths(const Path& path) {
  std::vector<Port> ports;
  for (const auto& [port, hops] : path) ports.insert(ports.end(), hops, port);
  return ports;
}

/// Sends the item in parts over the paths on which nothing fails; over all paths, if there are none.
Outcome run_disjoint(const RunRequest& request) {
  Routes all = routes_disjoint_paths(request.machine, request.settings);
  if (request.faults == nullptr || all.paths.empty()) return run(request, all);
  std::vector<Path> clear;
  for (const Path& path : all.paths) {
    if (routes::is_clear(request.topology, *request.faults, source(request.settings), ports_of_disjoint_paths(path)))
      clear.push_back(path);
  }
  const std::size_t failed = all.paths.size() - clear.size();
  if (!clear.empty() && failed > 0) {
    const std::size_t paths = clear.size();
    all = {.paths = std::move(clear),
           .parts = split_in_parts(*request.settings.words, paths, *request.settings.packets)};
  }
  Outcome outcome = run(request, all);
  outcome.measures.push_back({"failed_paths", failed});
  return outcome;
}

}  // namespace
}  // namespace send

// The item in equal parts over all links of the source at once, every part pipelined along a path of its own.
// All ports; processors that only send or only receive in a step have their turns.
extern const Method send_disjoint_paths_method{
    .name = "send/disjoint-paths",
    .operation = "send",
    .known_as = "one to one",
    .families = {"hypercube", "incomplete-hypercube", "ring", "torus", "mesh", "path"},
    .source =
        "Saad & Schultz 1985, Prop. 3.2; 1988, (3.6), (3.11) (saad-schultz-1985.md, Disjoint paths; "
        "saad-schultz-1988.md, Ring paths, Four paths, Paths on grids; mukherjee.md, Incomplete hypercube)",
    .summary = "equal parts over as many disjoint paths as a processor has links",
    .parameters = {send::words_parameter, send::packets_parameter, send::source_parameter, send::destination_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .knows_paths = true,
    .resolve = send::resolve_disjoint,
    .predict = send::predict_disjoint,
    .proven = send::lower_bound,
    .bytes = send::bytes_disjoint,
    .run = send::run_disjoint,
};

}  // namespace lockstep
