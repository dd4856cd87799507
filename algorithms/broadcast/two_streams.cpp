#include <algorithm>
#include <cstdlib>

#include "axis.hpp"
#include "pipelined.hpp"

// Two halves of the item on two trees at once: the X half runs along the root's column and fans out into the rows, the
// Y half along the root's row and fans out into the columns. The root's row then lacks X and its column lacks Y. Saad &
// Schultz 1988, (3.19) (saad-schultz-1988.md, Two streams).
namespace lockstep {
namespace broadcast {
namespace {

/// How the axes get the half that they lack.
enum class Completion {
  handback,  ///< from their neighbours on one side, as soon as those have it; over links in use the other way
  late       ///< from the root, behind the half that runs along them
};

/// The step in which the late halves start: when all packets of the first have left the root. Unused otherwise.
Cycle late_start(std::uint64_t packets) { return packets; }

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

StepCounts counts(const SquareTorus& torus, std::uint64_t words, std::uint64_t packets, Completion completion,
                  const CostModel& cost) {
  const std::uint64_t h = torus.reach();
  std::vector<Pipeline> pipelines;
  for (const Part& half : split_in_parts(words, 2, packets)) {
    if (h == 0) break;
    if (completion == Completion::handback) {
      pipelines.push_back({std::max(2 * h, h + 2), half.packets});
    } else {
      pipelines.push_back({2 * h, half.packets});
      pipelines.push_back({h, half.packets, late_start(packets)});
    }
  }
  return count_steps(pipelines, cost);
}

// The late halves end last from nu = h on. Their longer packets follow those of the first halves at once up to where
// the last of these moves in step nu, from where on they come after a gap: 2h - 1 + e = nu, if e of the larger half's
// packets have q + 1 words, q = floor(N/2 / nu), is nu = (ceil(N/2) + 2h - 1) / (q + 1).
Turns turns(const SquareTorus& torus, std::uint64_t words, Completion completion) {
  Turns turns{.words = {words / 2}};
  const std::uint64_t h = torus.reach();
  if (completion == Completion::late && h > 0) {
    turns.words.push_back(words - words / 2 + 2 * h - 1);
    turns.packets.push_back(h);
  }
  return turns;
}

constexpr PacketsParameter packets_a_half{"packets of each half of the item, each a word or more"};

void resolve_streams(const MachineSpec& machine, const Model& model, Settings& settings, Completion completion) {
  const SquareTorus torus(machine);
  resolve_parts(machine, model, settings, 2);
  const std::uint64_t words = *settings.words;
  packets_a_half.resolve(settings, 2, turns(torus, words, completion), [&](std::uint64_t packets) {
    return counts(torus, words, packets, completion, model.cost).time(model.cost);
  });
}

Prediction predict_streams(const MachineSpec& machine, const Model& model, const Settings& settings,
                           Completion completion) {
  const std::string second = completion == Completion::handback ? "nu + 1 + h" : "2 nu - 1 + h";
  return predict_parts(
      machine, settings, 2, counts(SquareTorus(machine), *settings.words, *settings.packets, completion, model.cost),
      "S = max(nu - 1 + 2h, " + second + ")", "sum of the longest packets; S N / (2 nu) if 2 nu divides N");
}

LowerBound bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return lower_bound(machine, model, settings, diameter(SquareTorus(machine)));
}

Outcome run_streams(const RunRequest& request, Completion completion) {
  const SquareTorus torus(request.machine);
  const auto root = static_cast<Rank>(*request.settings.root);
  const Cycle late = late_start(*request.settings.packets);
  return run_relays(request, 2, [&](Rank rank) { return two_stream_relays(torus, root, rank, completion, late); });
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_two_streams_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/two-streams",
    .families = {"torus"},
    .source = "Saad & Schultz 1988, (3.19), completed over full-duplex links (saad-schultz-1988.md, Two streams)",
    .summary = "halves over two trees at once; neighbours hand the axes the half that they lack (square tori)",
    .parameters = {broadcast::packets_words_parameter, broadcast::packets_a_half, broadcast::root_parameter,
                   broadcast::input_parameter, broadcast::output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .resolve =
        [](const MachineSpec& machine, const Model& model, Settings& settings) {
          broadcast::resolve_streams(machine, model, settings, broadcast::Completion::handback);
        },
    .predict =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return broadcast::predict_streams(machine, model, settings, broadcast::Completion::handback);
        },
    .lower_bound = broadcast::bound,
    .run = [](const RunRequest& request) { return broadcast::run_streams(request, broadcast::Completion::handback); },
});

// Half-duplex links.
extern const Method broadcast_two_streams_late_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/two-streams-late",
    .families = {"torus"},
    .source = "Saad & Schultz 1988, (3.19) (saad-schultz-1988.md, Two streams)",
    .summary = "halves over two trees at once; the root sends the axes the half that they lack later (square tori)",
    .parameters = {broadcast::packets_words_parameter, broadcast::packets_a_half, broadcast::root_parameter,
                   broadcast::input_parameter, broadcast::output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve =
        [](const MachineSpec& machine, const Model& model, Settings& settings) {
          broadcast::resolve_streams(machine, model, settings, broadcast::Completion::late);
        },
    .predict =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return broadcast::predict_streams(machine, model, settings, broadcast::Completion::late);
        },
    .lower_bound = broadcast::bound,
    .run = [](const RunRequest& request) { return broadcast::run_streams(request, broadcast::Completion::late); },
});

}  // namespace lockstep
