#include <algorithm>
#include <numeric>

#include "send.hpp"

namespace lockstep {
namespace send {
namespace {

// Ways of L hops are given S + 1 - L packets, which all arrive in step S, the least in which all packets do: then no
// sharing takes fewer steps. Of packets that are not alike the longer ones are shared in the same way among
// themselves, and go first; so no sharing has a smaller longest sum either (saad-schultz-1988.md, Ring paths).

/// The least S with sum of max(0, S + 1 - hops) >= packets. `hops` ascend.
std::uint64_t least_steps(const std::vector<std::uint64_t>& hops, std::uint64_t packets) {
  std::uint64_t steps = 0;
  std::uint64_t waits = 0;  // steps before the first arrivals, of the paths in use
  for (std::size_t paths = 0; packets > 0 && paths < hops.size() && (paths == 0 || hops[paths] <= steps); ++paths) {
    waits += hops[paths] - 1;
    steps = (packets + waits + paths) / (paths + 1);
  }
  return steps;
}

/// Packets over each path; those that there is room for in the last step, but that there are not, are missing from the
/// first paths, one each.
std::vector<std::uint64_t> share(const std::vector<std::uint64_t>& hops, std::uint64_t packets) {
  const std::uint64_t steps = least_steps(hops, packets);
  std::vector<std::uint64_t> shares;
  std::uint64_t room = 0;
  for (const std::uint64_t each : hops) room += shares.emplace_back(steps + 1 - std::min(steps + 1, each));
  for (std::size_t path = 0; path < room - packets; ++path) --shares[path];
  return shares;
}

/// The item's words in the order of the paths, as many on each as its packets have; paths without packets are left out.
Routes routes(const MachineSpec& machine, const Settings& settings) {
  const Split all(*settings.words, *settings.packets);
  const std::vector<Path> paths = disjoint_paths(machine, source(settings), destination(settings));
  if (paths.empty()) return {.paths = {}, .parts = {{0, all}}};
  const std::vector<std::uint64_t> hops = lengths(paths);
  const std::vector<std::uint64_t> packets = share(hops, all.pieces());
  const std::vector<std::uint64_t> longer = share(hops, all.longer());
  Routes routes;
  std::uint64_t first = 0;
  for (std::size_t path = 0; path < paths.size(); ++path) {
    if (packets[path] == 0) continue;
    const std::uint64_t words = packets[path] * all.shortest() + longer[path];
    routes.paths.push_back(paths[path]);
    routes.parts.push_back({first, Split(words, packets[path])});
    first += words;
  }
  return routes;
}

// With w paths in use by all packets, and by the longer ones, w packets more take a step more, and the time changes
// evenly. It turns where another path comes into use, by all packets or by the longer ones, and where the packets have
// a word less. Where there are many numbers between one path's coming into use and the next one's, as over a ring, that
// holds for every r-th number only if r is a multiple of w.
Turns turns(const std::vector<std::uint64_t>& hops, std::uint64_t words) {
  Turns turns{.words = {words}, .reach = hops.size()};
  std::uint64_t before = 0;
  for (std::size_t path = 1; path < hops.size(); ++path) {
    if (hops[path] == hops[path - 1]) continue;
    std::uint64_t packets = 0;  // as many as arrive before the first over this path could
    for (const std::uint64_t each : hops) packets += hops[path] - std::min(hops[path], each);
    turns.packets.push_back(packets);
    if (packets < words) turns.words.push_back(words - packets);
    if (packets - before > 2 * hops.size()) turns.reach = std::lcm(turns.reach, path);
    before = packets;
  }
  return turns;
}

constexpr PacketsWordsParameter words_in_packets{
    {"words", "words of the whole item, one or more a packet", "one a packet"}};
constexpr PacketsParameter packets_in_total{"packets of all paths together, each a word or more"};

void resolve_balanced(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_ends(machine, settings);
  words_in_packets.resolve(settings, 1);
  const std::vector<std::uint64_t> hops = lengths(disjoint_paths(machine, source(settings), destination(settings)));
  packets_in_total.resolve(settings, 1, turns(hops, *settings.words), [&](std::uint64_t number) {
    const Split packets(*settings.words, number);
    const std::uint64_t steps = least_steps(hops, number);
    const std::uint64_t with_longer = least_steps(hops, packets.longer());
    const std::uint64_t with_shorter = steps - with_longer;
    return model.cost.time(
        with_longer * model.cost.startups(packets.longest()) + with_shorter * model.cost.startups(packets.shortest()),
        with_longer * packets.longest() + with_shorter * packets.shortest());
  });
}

Prediction predict_balanced(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Routes used = routes(machine, settings);
  return predict(model, used,
                 {.steps = used.paths.size() > 1 ? "S = ceil((P + H - w) / w), w paths in use of H hops in all"
                                                 : "S = P - 1 + hops of the path",
                  .messages = "sum over the paths of hops times packets",
                  .words = "sum over the paths of hops times words",
                  .longest_sum = "sum of the longest packets; S N / P if P divides N"});
}

std::uint64_t bytes_balanced(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes(machine, model, settings, routes(machine, settings));
}

Outcome run_balanced(const RunRequest& request) { return run(request, routes(request.machine, request.settings)); }

}  // namespace
}  // namespace send

// All paths end together: the longer ones have fewer packets. Half-duplex links, all ports.
extern const Method send_disjoint_paths_balanced_method{
    .name = "send/disjoint-paths-balanced",
    .operation = "send",
    .known_as = "one to one",
    .families = {"hypercube", "ring", "torus", "mesh", "path"},
    .source =
        "after Saad & Schultz 1988, (3.6), the remark after (3.12), Prop. 3.3 (saad-schultz-1985.md, Disjoint paths; "
        "saad-schultz-1988.md, Ring paths, Four paths, Paths on grids)",
    .summary = "packets over as many disjoint paths as a processor has links, so many on each that all arrive soonest",
    .parameters = {send::words_in_packets, send::packets_in_total, send::source_parameter, send::destination_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = send::resolve_balanced,
    .predict = send::predict_balanced,
    .lower_bound = send::lower_bound,
    .bytes = send::bytes_balanced,
    .run = send::run_balanced,
};

}  // namespace lockstep
