#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// A torus or a mesh by its definition: coordinates, the first side most significant, without ports.
struct NaiveGrid {
  bool is_torus;
  std::vector<int> sides;

  /// "torus:2x3"; "path:4" of a mesh of one side, "ring:4" of such a torus.
  std::string text() const {
    std::string text = sides.size() == 1 ? (is_torus ? "ring:" : "path:") : (is_torus ? "torus:" : "mesh:");
    for (std::size_t side = 0; side < sides.size(); ++side)
      text += (side == 0 ? "" : "x") + std::to_string(sides[side]);
    return text;
  }

  Rank processors() const {
    Rank all = 1;
    for (const int side : sides) all *= static_cast<Rank>(side);
    return all;
  }

  std::vector<int> coordinates(Rank rank) const {
    std::vector<int> all(sides.size());
    for (std::size_t side = sides.size(); side-- > 0; rank /= static_cast<Rank>(sides[side])) {
      all[side] = static_cast<int>(rank % static_cast<Rank>(sides[side]));
    }
    return all;
  }

  /// Offset of the other rank, dimension by dimension: the shorter way round; exactly half way round counts as ahead.
  std::vector<int> offsets(Rank from, Rank to) const {
    std::vector<int> all = coordinates(to);
    const std::vector<int> origin = coordinates(from);
    for (std::size_t side = 0; side < sides.size(); ++side) {
      all[side] -= origin[side];
      if (!is_torus) continue;
      if (2 * all[side] > sides[side]) all[side] -= sides[side];
      if (2 * all[side] <= -sides[side]) all[side] += sides[side];
    }
    return all;
  }

  /// The rank at these offsets, each from minus a side to a side.
  Rank at(Rank from, const std::vector<int>& offsets) const {
    const std::vector<int> origin = coordinates(from);
    Rank rank = 0;
    for (std::size_t side = 0; side < sides.size(); ++side) {
      const int place = (origin[side] + offsets[side] + sides[side]) % sides[side];
      rank = rank * static_cast<Rank>(sides[side]) + static_cast<Rank>(place);
    }
    return rank;
  }

  /// The largest offset of the dimension in either direction.
  int reach(Rank from, std::size_t side) const {
    const int place = coordinates(from)[side];
    return is_torus ? sides[side] / 2 : std::max(place, sides[side] - 1 - place);
  }
};

inline int length(const std::vector<int>& offsets) {
  int links = 0;
  for (const int offset : offsets) links += std::abs(offset);
  return links;
}

}  // namespace lockstep
