#include "rank_sides.hpp"

#include <utility>

#include "lockstep/machines/topologies.hpp"
#include "method/kept_by_machine.hpp"

namespace lockstep::bounds {
namespace {

constexpr std::uint64_t most_processors = 128;
constexpr Rank most_in_turn = 8;

using RankLinks = std::vector<std::pair<Rank, Rank>>;  // in both directions

/// On the near side are the first `width` columns of 2 `width`, after `shift` columns; a rank's column is the rest when
/// it is divided by `columns`.
struct ColumnTurns {
  Rank columns;
  Rank width;
  Rank shift;

  bool is_near(Rank rank) const { return (rank % columns + shift) / width % 2 == 0; }
};

RankSides sides_of(const ColumnTurns& turns, Rank ranks, const RankLinks& links) {
  RankSides sides{{0, 0, 0}, 0};
  for (Rank rank = 1; rank < ranks; ++rank) {
    if (turns.is_near(rank - 1) && !turns.is_near(rank)) ++sides.changes;
  }
  std::vector<bool> is_at_border(ranks);
  for (const auto& [from, to] : links) {
    if (!turns.is_near(from) || turns.is_near(to)) continue;
    ++sides.cut.links;
    if (!is_at_border[from]) ++sides.cut.near_border;
    if (!is_at_border[to]) ++sides.cut.far_border;
    is_at_border[from] = is_at_border[to] = true;
  }
  return sides;
}

std::vector<RankSides> all_sides(const MachineSpec& machine) {
  if (machine.medium || machine.processors > most_processors) return {};
  const auto ranks = static_cast<Rank>(machine.processors);
  const Wiring end = wiring(machine);
  RankLinks links;
  for (Rank rank = 0; rank < ranks; ++rank) {
    for (Port port = 0; port < machine.ports; ++port) {
      if (const End there = end(rank, port)) links.emplace_back(rank, there.rank);
    }
  }
  std::vector<RankSides> all;
  for (Rank columns = 2; columns <= ranks; ++columns) {
    if (ranks % columns != 0) continue;
    for (Rank width = 1; width < columns; ++width) {
      if (width > most_in_turn && columns % width != 0) continue;
      for (const Rank shift : {Rank{0}, width / 2, width, width + width / 2}) {
        const RankSides sides = sides_of({columns, width, shift}, ranks, links);
        if (sides.changes > 0 && sides.cut.links > 0) all.push_back(sides);
      }
    }
  }
  return all;
}

}  // namespace

std::shared_ptr<const std::vector<RankSides>> rank_sides(const MachineSpec& machine) {
  static method::KeptByMachine<std::vector<RankSides>> kept;
  return kept.find(machine, 0, [&] { return all_sides(machine); });
}

}  // namespace lockstep::bounds
