#include "rank_sides.hpp"

#include <algorithm>

#include "method/kept_by_machine.hpp"

namespace lockstep::bounds {
namespace {

constexpr Rank most_in_turn = 8;

/// On the near side are the first `width` columns of 2 `width`, after `shift` columns; a rank's column is the rest when
/// it is divided by `columns`.
struct ColumnTurns {
  Rank columns;
  Rank width;
  Rank shift;

  bool is_near(Rank rank) const { return (rank % columns + shift) / width % 2 == 0; }
};

RankSides sides_of(const ColumnTurns& turns, const Neighbours& near) {
  RankSides sides{{0, 0, 0}, 0};
  for (Rank rank = 0; rank < near.size(); ++rank) {
    const bool is_near = turns.is_near(rank);
    if (rank > 0 && turns.is_near(rank - 1) && !is_near) ++sides.changes;
    const auto across = std::ranges::count_if(near[rank], [&](Rank to) { return turns.is_near(to) != is_near; });
    if (across == 0) continue;
    ++(is_near ? sides.cut.near_border : sides.cut.far_border);
    if (is_near) sides.cut.links += static_cast<Wide>(across);
  }
  return sides;
}

std::vector<RankSides> all_sides(const MachineSpec& machine) {
  if (machine.medium || machine.processors > most_parted) return {};
  const auto ranks = static_cast<Rank>(machine.processors);
  const Neighbours near = neighbours(machine);
  std::vector<RankSides> all;
  for (Rank columns = 2; columns <= ranks; ++columns) {
    if (ranks % columns != 0) continue;
    for (Rank width = 1; width < columns; ++width) {
      if (width > most_in_turn && columns % width != 0) continue;
      for (const Rank shift : {Rank{0}, width / 2, width, width + width / 2}) {
        const RankSides sides = sides_of({columns, width, shift}, near);
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
