#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "send.hpp"

namespace lockstep {
namespace send {
namespace {

// Paths of L hops carry as many packets as can arrive in S steps, the least in which all packets do: then no sharing
// takes fewer steps. Where packets differ in length, the longer ones are shared in the same way among themselves, and
// go first; so no sharing has a smaller longest sum either (saad-schultz-1985.md, Disjoint paths).

/// The paths between the two ends, by their hops, which ascend, and how packets follow each other on them.
class EndPaths {
 public:
  EndPaths(const Model& model, std::vector<std::uint64_t> hops) : hops_(std::move(hops)) {
    for (const std::uint64_t each : hops_) {
      if (alike_.empty() || alike_.back().hops != each) alike_.push_back({each, packet_interval(model, each), 0});
      ++alike_.back().paths;
    }
  }

  std::size_t paths() const { return hops_.size(); }
  std::uint64_t hops(std::size_t path) const { return hops_[path]; }
  bool take_turns() const { return !alike_.empty() && alike_.back().interval > 1; }

  /// The packets that can arrive over all paths in that many steps.
  std::uint64_t room(std::uint64_t steps) const {
    std::uint64_t sum = 0;
    for (const Alike& some : alike_) sum += some.paths * some.room(steps);
    return sum;
  }

  /// The least steps in which there is room for the packets.
  std::uint64_t least_steps(std::uint64_t packets) const {
    if (packets == 0 || hops_.empty()) return 0;
    std::uint64_t least = hops_.front();
    std::uint64_t enough = least + alike_.front().interval * (packets - 1);  // over the first path alone
    while (least < enough) {
      const std::uint64_t middle = least + (enough - least) / 2;
      if (room(middle) < packets) {
        least = middle + 1;
      } else {
        enough = middle;
      }
    }
    return least;
  }

  /// Packets over each path. If the last step has more room than needed, the first paths over which a packet could
  /// arrive in it carry one packet less.
  std::vector<std::uint64_t> share(std::uint64_t packets) const {
    const std::uint64_t steps = least_steps(packets);
    std::uint64_t spare = room(steps) - packets;
    std::vector<std::uint64_t> shares;
    for (const Alike& some : alike_) {
      const std::uint64_t most = some.room(steps);
      const bool gains = steps > 0 && most > some.room(steps - 1);
      const std::uint64_t without = gains ? std::min(spare, some.paths) : 0;
      shares.insert(shares.end(), without, most - 1);
      shares.insert(shares.end(), some.paths - without, most);
      spare -= without;
    }
    return shares;
  }

 private:
  /// Paths of that many hops.
  struct Alike {
    std::uint64_t hops;
    std::uint64_t interval;
    std::uint64_t paths;

    /// The packets that can arrive over one of them in that many steps.
    std::uint64_t room(std::uint64_t steps) const { return steps < hops ? 0 : (steps - hops) / interval + 1; }
  };

  std::vector<std::uint64_t> hops_;
  std::vector<Alike> alike_;
};

/// The item's words in the order of the paths, on each the words of its packets; paths without packets are left out.
Routes routes_disjoint_paths_balanced(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Split all(*settings.words, *settings.packets);
  const std::vector<Path> paths = disjoint_paths(machine, source(settings), destination(settings));
  if (paths.empty()) return {.paths = {}, .parts = {{0, all}}};
  const EndPaths ways(model, lengths(paths));
  const std::vector<std::uint64_t> packets = ways.share(all.pieces());
  const std::vector<std::uint64_t> longer = ways.share(all.longer());
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
// a word less. Where there are many numbers between the points at which one path and the next come into use, as over a
// ring, that holds for every r-th number only if r is a multiple of w. Where processors take turns, w packets more take
// two steps more, and w + 1 if a path of one hop is among the paths, as a packet a step goes over it.
TurningPoints turns(const EndPaths& ways, std::uint64_t words) {
  const bool has_one_of_each_step = ways.take_turns() && ways.hops(0) == 1;
  TurningPoints turns{.words = {words}, .reach = ways.paths() + (has_one_of_each_step ? 1 : 0)};
  std::uint64_t before = 0;
  for (std::size_t path = 1; path < ways.paths(); ++path) {
    if (ways.hops(path) == ways.hops(path - 1)) continue;
    const std::uint64_t packets = ways.room(ways.hops(path) - 1);  // that arrive before the first over this path could
    turns.packets.push_back(packets);
    if (packets < words) turns.words.push_back(words - packets);
    if (packets - before > 2 * ways.paths()) turns.reach = std::lcm(turns.reach, path);
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
  const EndPaths ways(model, lengths(disjoint_paths(machine, source(settings), destination(settings))));
  packets_in_total.resolve(settings, 1, turns(ways, *settings.words), [&](std::uint64_t number) {
    const Split packets(*settings.words, number);
    const std::uint64_t steps = ways.least_steps(number);
    const std::uint64_t with_longer = ways.least_steps(packets.longer());
    const std::uint64_t with_shorter = steps - with_longer;
    return model.cost.time(
        with_longer * model.cost.startups(packets.longest()) + with_shorter * model.cost.startups(packets.shortest()),
        with_longer * packets.longest() + with_shorter * packets.shortest());
  });
}

Prediction predict_balanced(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Routes used = routes_disjoint_paths_balanced(machine, model, settings);
  return predict(model, used,
                 {.steps = takes_turns(model)      ? "the least S in which P packets arrive, on a path in turns"
                           : used.paths.size() > 1 ? "S = ceil((P + H - w) / w), w paths in use of H hops in all"
                                                   : "S = P - 1 + hops of the path",
                  .messages = "sum over the paths of hops times packets",
                  .words = "sum over the paths of hops times words",
                  .longest_sum = "sum of the longest packets; S N / P if P divides N"});
}

std::uint64_t bytes_balanced(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes(machine, model, settings, routes_disjoint_paths_balanced(machine, model, settings));
}

Outcome run_balanced(const RunRequest& request) {
  return run(request, routes_disjoint_paths_balanced(request.machine, request.model, request.settings));
}

}  // namespace
}  // namespace send

// All paths end together: the longer ones have fewer packets. All ports; processors that only send or only receive in a
// step have their turns.
extern const Method send_disjoint_paths_balanced_method{
    .name = "send/disjoint-paths-balanced",
    .operation = "send",
    .known_as = "one to one",
    .families = {"hypercube", "incomplete-hypercube", "ring", "torus", "mesh", "path"},
    .source =
        "after Saad & Schultz 1988, (3.6), the remark after (3.12), Prop. 3.3 (saad-schultz-1985.md, Disjoint paths; "
        "saad-schultz-1988.md, Ring paths, Four paths, Paths on grids; mukherjee.md, Incomplete hypercube)",
    .summary = "packets over as many disjoint paths as a processor has links, so many on each that all arrive soonest",
    .parameters = {send::words_in_packets, send::packets_in_total, send::source_parameter, send::destination_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = send::resolve_balanced,
    .predict = send::predict_balanced,
    .proven = send::lower_bound,
    .bytes = send::bytes_balanced,
    .run = send::run_balanced,
};

}  // namespace lockstep
