#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "axis.hpp"
#include "pipelined.hpp"

// Two halves of the item on two trees at once: the X half runs along the root's column and fans out into the rows, the
// Y half along the root's row and fans out into the columns. The root's row then lacks X and its column lacks Y. Saad &
// Schultz 1988, (3.19) (SS 3.4).
namespace lockstep {
namespace broadcast {
namespace {

/// How the axes get the half that they lack.
enum class Completion {
  handback,  ///< from their neighbours on one side, as soon as those have it; over links in use the other way
  late       ///< from the root, behind the half that runs along them
};

/// The step in which the late halves start: when all packets of the first have left the root. Unused otherwise.
Cycle late_start(const Settings& settings) { return *settings.packets; }

// The relays for one half, whose trunk goes through the root along one axis; its offsets are (trunk, fan).
void add_half(std::vector<Relay>& relays, std::size_t part, const RingAxis& trunk_axis, std::int64_t trunk,
              const RingAxis& fan_axis, std::int64_t fan, Completion completion, Cycle late) {
  const std::size_t first = relays.size();
  if (fan == 0) {
    relays.push_back(along_axis(trunk_axis, trunk, 0));
    if (trunk != 0) fan_axis.add_outward(0, relays.back().to);
  } else if (trunk != 0) {
    relays.push_back(along_axis(fan_axis, fan, static_cast<Cycle>(std::abs(trunk))));
    if (completion == Completion::handback && trunk == 1) relays.back().to.push_back(trunk_axis.inward(1));
  }
  if (trunk == 0 && completion == Completion::late) relays.push_back(along_axis(fan_axis, fan, late));
  if (trunk == 0 && fan != 0 && completion == Completion::handback) {
    // The neighbour at trunk offset 1 sends when it sends outward, in cycle |fan| + 1.
    relays.push_back({.start = static_cast<Cycle>(std::abs(fan)) + 2, .from = trunk_axis.towards(true), .to = {}});
  }
  for (std::size_t index = first; index < relays.size(); ++index) relays[index].part = part;
}

std::vector<Relay> two_stream_relays(const SquareTorus& torus, Rank root, Rank rank, Completion completion,
                                     Cycle late) {
  const RingAxis x_axis = torus.x_axis();
  const RingAxis y_axis = torus.y_axis();
  const std::int64_t x = x_axis.offset(torus.x(root), torus.x(rank));
  const std::int64_t y = y_axis.offset(torus.y(root), torus.y(rank));
  std::vector<Relay> relays;
  add_half(relays, 0, y_axis, y, x_axis, x, completion, late);
  add_half(relays, 1, x_axis, x, y_axis, y, completion, late);
  return relays;
}

StepCounts counts(const MachineSpec& machine, const Settings& settings, Completion completion) {
  const SquareTorus torus(machine);
  const std::uint64_t h = torus.reach();
  std::vector<Pipeline> pipelines;
  for (const Part& half : split_in_parts(*settings.words, 2, *settings.packets)) {
    if (h == 0) break;
    if (completion == Completion::handback) {
      pipelines.push_back({std::max(2 * h, h + 2), half.packets});
    } else {
      pipelines.push_back({2 * h, half.packets});
      pipelines.push_back({h, half.packets, late_start(settings)});
    }
  }
  return count_steps(pipelines);
}

void resolve_handback(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_pipelined(machine, model, settings, diameter(SquareTorus(machine)), 2);
}

// The pipeline of 2h hops is the longer one while nu <= h; past that the root's 2 nu - 1 + h steps count, with an
// optimum of their own.
void resolve_late(const MachineSpec& machine, const Model& model, Settings& settings) {
  const std::uint64_t h = SquareTorus(machine).reach();
  resolve_parts(machine, model, settings, 2);
  if (!settings.packets && h > 0) {
    const double half = static_cast<double>(*settings.words) / 2;
    const auto reach = static_cast<double>(h);
    double optimum = std::sqrt((2 * reach - 1) * half * model.cost.tau / model.cost.beta);
    if (optimum > reach) {
      optimum = std::sqrt((reach - 1) * half * model.cost.tau / (2 * model.cost.beta));
      optimum = optimum > reach ? optimum : reach;
    }
    settings.packets = better_packets(optimum, *settings.words / 2, model.cost, [&](std::uint64_t packets) {
      Settings trial = settings;
      trial.packets = packets;
      return counts(machine, trial, Completion::late);
    });
  }
  resolve_packets(settings, 2, 1, model.cost);
}

Prediction predict_streams(const MachineSpec& machine, const Settings& settings, Completion completion) {
  const std::string second = completion == Completion::handback ? "nu + 1 + h" : "2 nu - 1 + h";
  return predict_parts(machine, settings, 2, counts(machine, settings, completion),
                       "S = max(nu - 1 + 2h, " + second + ")",
                       "sum of the longest packets; S N / (2 nu) if 2 nu divides N");
}

LowerBound bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return lower_bound(machine, model, settings, diameter(SquareTorus(machine)));
}

Outcome run_streams(const RunRequest& request, Completion completion) {
  const SquareTorus torus(request.machine);
  const auto root = static_cast<Rank>(*request.settings.root);
  const Cycle late = late_start(request.settings);
  return run_relays(request, 2, [&](Rank rank) { return two_stream_relays(torus, root, rank, completion, late); });
}

constexpr Parameter packets_a_half{"packets", "packets of each half of the item, each a word or more",
                                   "the better neighbour of sqrt((L-1) N tau / (2 beta)) for L = 2h hops"};
constexpr Parameter late_packets_a_half{"packets", "packets of each half of the item, each a word or more",
                                        "the better neighbour of the optimum, which depends on which half ends last"};

}  // namespace
}  // namespace broadcast

extern const Method broadcast_two_streams_method{
    .name = "broadcast/two-streams",
    .operation = "broadcast",
    .known_as = "one to all",
    .families = {"torus"},
    .source = "Saad & Schultz 1988, (3.19), completed over full-duplex links (SS 3.4)",
    .summary = "halves over two trees at once; neighbours hand the axes the half that they lack (square tori)",
    .parameters = {broadcast::packets_words_parameter, broadcast::packets_a_half, broadcast::root_parameter,
                   broadcast::input_parameter, broadcast::output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .resolve = broadcast::resolve_handback,
    .predict =
        [](const MachineSpec& machine, const Model&, const Settings& settings) {
          return broadcast::predict_streams(machine, settings, broadcast::Completion::handback);
        },
    .lower_bound = broadcast::bound,
    .bytes = broadcast::pipelined_bytes,
    .run = [](const RunRequest& request) { return broadcast::run_streams(request, broadcast::Completion::handback); },
};

// Half-duplex links.
extern const Method broadcast_two_streams_late_method{
    .name = "broadcast/two-streams-late",
    .operation = "broadcast",
    .known_as = "one to all",
    .families = {"torus"},
    .source = "Saad & Schultz 1988, (3.19) (SS 3.4)",
    .summary = "halves over two trees at once; the root sends the axes the half that they lack later (square tori)",
    .parameters = {broadcast::packets_words_parameter, broadcast::late_packets_a_half, broadcast::root_parameter,
                   broadcast::input_parameter, broadcast::output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .resolve = broadcast::resolve_late,
    .predict =
        [](const MachineSpec& machine, const Model&, const Settings& settings) {
          return broadcast::predict_streams(machine, settings, broadcast::Completion::late);
        },
    .lower_bound = broadcast::bound,
    .bytes = broadcast::pipelined_bytes,
    .run = [](const RunRequest& request) { return broadcast::run_streams(request, broadcast::Completion::late); },
};

}  // namespace lockstep
