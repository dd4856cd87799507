#include <utility>

#include "switched.hpp"

namespace lockstep {
namespace send {
namespace {

void resolve_pipelined(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_ends(machine, settings);
  words_parameter.resolve(settings, 1);
  const std::uint64_t hops = length(shortest_path(machine, source(settings), destination(settings)));
  one_packet_if_through(model.cost, settings);
  packets_parameter.resolve(settings, 1, [&](std::uint64_t packets) {
    const Pipeline pipeline{hops, Split(*settings.words, packets), 0, packet_interval(model, hops)};
    return pipeline_time({&pipeline, 1}, model.cost);
  });
}

void resolve_store_and_forward(const MachineSpec& machine, const Model&, Settings& settings) {
  resolve_ends(machine, settings);
  words_parameter.resolve(settings, 1);
}

/// One path; without --packets in one packet.
Routes routes_pipelined(const MachineSpec& machine, const Settings& settings) {
  return {.paths = {shortest_path(machine, source(settings), destination(settings))},
          .parts = split_in_parts(*settings.words, 1, settings.packets.value_or(1))};
}

Prediction predict_pipelined(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Routes path = routes_pipelined(machine, settings);
  method::Formulas formulas{
      .steps = "d + nu - 1, d hops", .messages = "d nu", .words = "d N", .longest_sum = "(d - 1) ceil(N/nu) + N"};
  if (packet_interval(model, length(path.paths.front())) == 2) {
    formulas.steps = "d + 2 (nu - 1), d hops";
    formulas.longest_sum = "(d - 2) ceil(N/nu) + 2 N";
  }
  return predict(model, path, std::move(formulas));
}

Prediction predict_store_and_forward(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict(model, routes_pipelined(machine, settings),
                 {.steps = "d hops", .messages = "d", .words = "d N", .longest_sum = "d N"});
}

std::uint64_t bytes_along_path(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes(machine, model, settings, routes_pipelined(machine, settings));
}

Outcome run_along_path(const RunRequest& request) {
  return run(request, routes_pipelined(request.machine, request.settings));
}

}  // namespace
}  // namespace send

// One path, packet behind packet: interior nodes receive one and send the one before in the same step, L + nu - 1 steps
// with one port and half-duplex links; or in turns where a processor only sends or only receives, L + 2 (nu - 1).
extern const Method send_pipelined_method{
    .name = "send/pipelined",
    .operation = "send",
    .known_as = "one to one",
    .families = {"hypercube", "incomplete-hypercube", "ring", "torus", "mesh", "path"},
    .source =
        "Saad & Schultz 1985, (3.1); 1988, (3.5), (3.8), (3.14) (saad-schultz-1985.md, One path; saad-schultz-1988.md, "
        "Ring paths, Torus path; mukherjee.md, Incomplete hypercube)",
    .summary = "packet behind packet along a shortest path",
    .parameters = {send::words_parameter, send::packets_parameter, send::source_parameter, send::destination_parameter},
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_node,
    .knows_paths = true,
    .resolve = send::resolve_pipelined,
    .predict = send::predict_pipelined,
    .proven = send::lower_bound,
    .bytes = send::bytes_along_path,
    .run = send::run_along_path,
};

// The whole item in one packet.
extern const Method send_store_and_forward_method{
    .name = "send/store-and-forward",
    .operation = "send",
    .known_as = "one to one",
    .families = {"hypercube", "incomplete-hypercube", "ring", "torus", "mesh", "path"},
    .source =
        "Saad & Schultz 1988, (3.3) (saad-schultz-1985.md, One path; saad-schultz-1988.md, Ring paths, Torus path; "
        "mukherjee.md, Incomplete hypercube)",
    .summary = "the whole item from processor to processor along a shortest path",
    .parameters = {send::words_parameter, send::source_parameter, send::destination_parameter},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_node,
    .knows_paths = true,
    .resolve = send::resolve_store_and_forward,
    .predict = send::predict_store_and_forward,
    .proven = send::lower_bound,
    .bytes = send::bytes_along_path,
    .run = send::run_along_path,
};

}  // namespace lockstep
