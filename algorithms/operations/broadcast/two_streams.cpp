#include <algorithm>
#include <array>
#include <set>

#include "axis.hpp"
#include "pipelined.hpp"

// Parts of the item on separate trees at once, as many as there are dimensions: stream s runs along the root's line of
// dimension s, from all processors there along dimension s+1, and so on cyclically to s-1. No link is in two trees, if
// stream s leaves out the processors that do not differ from the root in dimension s. Saad & Schultz 1988, (3.19), in
// any number of dimensions (saad-schultz-1988.md, Two streams).
namespace lockstep {
namespace broadcast {
namespace {

/// How processors get the streams that leave them out.
enum class Completion {
  handback,  ///< from their neighbours on one side, as soon as those have it; over links in use the other way
  late       ///< from the root, in later waves: behind one another along its lines
};

/// The streams from a root: one for each dimension of two or more processors. Wave w of stream s leaves the root in
/// dimension s - w, counted cyclically; wave 0 is the stream itself.
class Streams {
 public:
  Streams(const Grid& grid, Rank root) : grid_(grid), root_(root) {
    for (std::size_t dimension = 0; dimension < grid.dimensions(); ++dimension) {
      if (grid.axis(dimension).side() > 1) dimensions_.push_back(dimension);
    }
  }

  std::size_t number() const { return dimensions_.size(); }
  /// Parts of the item, at least one even if nothing moves.
  std::uint64_t parts() const { return std::max<std::uint64_t>(1, number()); }

  /// Links to the farthest processor that wave `wave` of the stream reaches: one that does not differ from the root in
  /// the dimensions in which the earlier waves left the root.
  std::uint64_t hops(std::size_t stream, std::size_t wave) const {
    std::uint64_t links = grid_.eccentricity(root_);
    for (std::size_t earlier = 0; earlier < wave; ++earlier) links -= reach(trunk(stream, earlier));
    return links;
  }

  /// The rank's relays of all streams, if each has that many packets.
  std::vector<packets::Relay> relays(Rank rank, Completion completion, std::uint64_t packets) const {
    std::vector<packets::Relay> all;
    for (std::size_t stream = 0; stream < number(); ++stream) {
      const std::size_t first = all.size();
      if (rank == root_) {
        for (std::size_t wave = 0; wave < (completion == Completion::late ? number() : 1); ++wave) {
          all.push_back(down_tree(grid_, root_, rank, std::array{trunk(stream, wave)}, wave * packets));
        }
      } else if (completion == Completion::handback) {
        all.push_back(with_handback(rank, stream));
      } else {
        const std::size_t wave = wave_to(rank, stream);
        all.push_back(down_tree(grid_, root_, rank, order(stream, wave), wave * packets));
      }
      for (std::size_t index = first; index < all.size(); ++index) all[index].part = stream;
    }
    return all;
  }

 private:
  /// The dimension in which the wave leaves the root, counted cyclically.
  std::size_t trunk(std::size_t stream, std::size_t wave) const {
    return dimensions_[(stream + number() - wave) % number()];
  }

  /// The dimensions of the wave's tree, in order: its trunk, then those after the stream's own.
  std::vector<std::size_t> order(std::size_t stream, std::size_t wave) const {
    std::vector<std::size_t> all{trunk(stream, wave)};
    for (std::size_t next = 1; next + wave < number(); ++next) {
      all.push_back(dimensions_[(stream + next) % number()]);
    }
    return all;
  }

  Rank reach(std::size_t dimension) const {
    const GridAxis& axis = grid_.axis(dimension);
    return axis.reach(axis.position(root_));
  }

  std::int64_t offset(Rank rank, std::size_t dimension) const {
    const GridAxis& axis = grid_.axis(dimension);
    return axis.offset(axis.position(root_), axis.position(rank));
  }

  /// The wave of the stream that reaches the rank, which is not the root: the first in whose trunk dimension they
  /// differ.
  std::size_t wave_to(Rank rank, std::size_t stream) const {
    std::size_t wave = 0;
    while (offset(rank, trunk(stream, wave)) == 0) ++wave;
    return wave;
  }

  /// The rank's relay if neighbours complete the stream: the neighbours of the processors that it leaves out, ahead of
  /// them in its dimension, or behind them at the end of a line, have packet p in cycle |distance| + 1 + p.
  packets::Relay with_handback(Rank rank, std::size_t stream) const {
    const GridAxis& axis = grid_.axis(trunk(stream, 0));
    const std::int64_t giver = axis.ahead(axis.position(root_)) > 0 ? 1 : -1;
    const std::int64_t here = offset(rank, trunk(stream, 0));
    const auto distance = static_cast<Cycle>(grid_.distance(root_, rank));
    if (here == 0) return {.start = distance + 2, .from = axis.towards(giver > 0), .to = {}};
    packets::Relay relay = down_tree(grid_, root_, rank, order(stream, 0), 0);
    if (here == giver && distance > 1) relay.to.push_back(axis.inward(giver));
    return relay;
  }

  const Grid& grid_;
  Rank root_;
  std::vector<std::size_t> dimensions_;
};

/// The waves of a stream follow each other at once, each on the links of the one before.
std::vector<Pipeline> pipelines(const Streams& streams, std::uint64_t words, std::uint64_t packets,
                                Completion completion) {
  const std::vector<Part> parts = split_in_parts(words, streams.parts(), packets);
  std::vector<Pipeline> all;
  for (std::size_t stream = 0; stream < streams.number(); ++stream) {
    const Split& part = parts[stream].packets;
    if (completion == Completion::late) {
      for (std::size_t wave = 0; wave < streams.number(); ++wave) {
        all.push_back({streams.hops(stream, wave), part, wave * packets});
      }
    } else {
      const std::uint64_t to_handed_back = streams.number() > 1 ? streams.hops(stream, 1) + 2 : 0;
      all.push_back({std::max(streams.hops(stream, 0), to_handed_back), part});
    }
  }
  return all;
}

StepCounts counts(const Streams& streams, std::uint64_t words, std::uint64_t packets, Completion completion,
                  const CostModel& cost) {
  return count_steps(pipelines(streams, words, packets, completion), cost);
}

// A later wave of L links ends last from the nu on at which the later start outweighs the fewer links. Its longer
// packets follow those of an earlier wave at once up to where the last of these moves in the step before the wave: L -
// 1 + e = i nu, i waves later, if e of a part's packets have q + 1 words, q = floor(words / nu), is nu = (words + L -
// 1) / (q + i).
TurningPoints turns(const Streams& streams, std::uint64_t words, Completion completion) {
  const std::uint64_t part = words / streams.parts();
  TurningPoints turns{.words = {part}};
  if (completion == Completion::handback || streams.number() < 2) return turns;
  std::set<std::uint64_t> lengths;
  std::set<std::uint64_t> differences;
  for (std::size_t stream = 0; stream < streams.number(); ++stream) {
    for (std::size_t wave = 0; wave < streams.number(); ++wave) lengths.insert(streams.hops(stream, wave));
  }
  for (const std::uint64_t hops : lengths) {
    turns.words.push_back(words - part * (streams.parts() - 1) + hops - 1);
    for (const std::uint64_t shorter : lengths) {
      for (std::size_t later = 1; shorter < hops && later < streams.number(); ++later) {
        differences.insert((hops - shorter) / later);
      }
    }
  }
  turns.packets.assign(differences.begin(), differences.end());
  return turns;
}

constexpr PacketsParameter packets_a_part{"packets of each stream's part of the item, each a word or more"};

void resolve_streams(const MachineSpec& machine, const Model& model, Settings& settings, Completion completion) {
  const Grid grid(machine);
  resolve_parts(machine, model, settings, Streams(grid, 0).parts());
  const Streams streams(grid, root_of(settings));
  const std::uint64_t words = *settings.words;
  const std::vector<Pipeline> of_one = pipelines(streams, words, 1, completion);
  packets_a_part.resolve(
      settings, streams.parts(), turns(streams, words, completion),
      [&](std::uint64_t packets) { return counts(streams, words, packets, completion, model.cost).time(model.cost); },
      [&](std::uint64_t packets) {
        // With one packet a wave starts in the cycle of its number.
        std::uint64_t steps = 0;
        for (const auto& [hops, part, wave, interval] : of_one) {
          if (hops > 0) steps = std::max(steps, (wave + 1) * packets + hops - 1);
        }
        return least_time(steps, words / streams.parts() / packets, model.cost);
      });
}

/// The sum of the longest message of every step; formulas call the packets of all streams together `packets`.
std::string longest_sum_formula(const std::string& packets) {
  std::string text = "sum of the longest packets; S N / (";
  return text.append(packets).append(") if ").append(packets).append(" divides N");
}

Prediction predict_streams(const MachineSpec& machine, const Model& model, const Settings& settings,
                           Completion completion) {
  const Grid grid(machine);
  const Streams streams(grid, root_of(settings));
  const StepCounts counted = counts(streams, *settings.words, *settings.packets, completion, model.cost);
  if (streams.number() < 2) {
    return predict_parts(machine, settings, 1, counted, "S = nu - 1 + e, e links to the farthest",
                         longest_sum_formula("nu"));
  }
  return predict_parts(machine, settings, streams.parts(), counted,
                       completion == Completion::handback
                           ? "S = nu - 1 + max(e, e + 2 - r), e links to the farthest, r along the shortest axis"
                           : "S = max of (w + 1) nu - 1 + e_w over the waves w, of e_w links",
                       longest_sum_formula(std::to_string(streams.number()) + " nu"));
}

Outcome run_streams(const RunRequest& request, Completion completion) {
  const Grid grid(request.machine);
  const Streams streams(grid, request.root());
  return run_relays(request, streams.parts(),
                    [&](Rank rank) { return streams.relays(rank, completion, *request.settings.packets); });
}

/// Completes the entries with what both have in common.
template <Completion completion>
Method streams_with_defaults(Method own) {
  return pipelined_with_defaults(filled_in(
      std::move(own),
      {.families = {"torus", "mesh", "path"},
       .parameters = {packets_words_parameter, packets_a_part, root_parameter, input_parameter, output_parameter},
       .resolve = [](const MachineSpec& machine, const Model& model,
                     Settings& settings) { resolve_streams(machine, model, settings, completion); },
       .predict = [](const MachineSpec& machine, const Model& model,
                     const Settings& settings) { return predict_streams(machine, model, settings, completion); },
       .run = [](const RunRequest& request) { return run_streams(request, completion); }}));
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_two_streams_method = broadcast::streams_with_defaults<broadcast::Completion::handback>({
    .name = "broadcast/two-streams",
    .source = "Saad & Schultz 1988, (3.19), completed over full-duplex links (saad-schultz-1988.md, Two streams)",
    .summary = "halves over two trees at once; neighbours hand the axes the half that they lack",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
});

// Half-duplex links.
extern const Method broadcast_two_streams_late_method = broadcast::streams_with_defaults<broadcast::Completion::late>({
    .name = "broadcast/two-streams-late",
    .source = "Saad & Schultz 1988, (3.19) (saad-schultz-1988.md, Two streams)",
    .summary = "halves over two trees at once; the root sends the axes the half that they lack later",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
});

}  // namespace lockstep
