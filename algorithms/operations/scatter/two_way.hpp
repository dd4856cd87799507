#pragma once

#include <algorithm>
#include <cstdlib>

#include "lockstep/machines/grid.hpp"
#include "scatter_schedule.hpp"

namespace lockstep::scatter {

/// Farthest destination first, both ways round a ring or along a path. Saad & Schultz 1988, (3.38)
/// (saad-schultz-1988.md, Ring scatter):
///
///     D nodes lie ahead of the root (+1), E = m-1-D behind it (-1), on a ring D = floor(m/2); on an arc with reach R
///     the block for offset r crosses from offset h to h+1 in step R - r + h, h = 0..r-1
///
/// So a node forwards every block, one a step, until its own comes last. max(D, E) steps; the root sends on both ports
/// in one step.
class TwoWay {
 public:
  /// A move of a node, named by its position on the line: the message holds the block for `destination`.
  struct NodeMove {
    Cycle step;
    Port port;
    bool sends;
    Rank destination;
  };

  TwoWay(const GridAxis& axis, Rank root) : axis_(axis), root_(root) {}

  Cycle steps() const { return axis_.reach(root_); }

  std::uint64_t moves(Rank node) const {
    const std::int64_t offset = axis_.offset(root_, node);
    return offset == 0 ? axis_.side() - 1 : 2 * (reach(offset > 0) - distance(offset)) + 1;
  }

  NodeMove move(Rank node, std::uint64_t index) const {
    const std::int64_t offset = axis_.offset(root_, node);
    if (offset == 0) return move_of_root(index);
    const std::uint64_t before = index / 2;  // blocks forwarded before
    const bool ahead = offset > 0;
    const Rank destination = at(ahead, reach(ahead) - before);
    if (index % 2 == 0) return {distance(offset) - 1 + before, axis_.inward(offset), false, destination};
    return {distance(offset) + before, axis_.towards(ahead), true, destination};
  }

 private:
  static std::uint64_t distance(std::int64_t offset) { return static_cast<std::uint64_t>(std::abs(offset)); }
  std::uint64_t reach(bool ahead) const { return ahead ? axis_.ahead(root_) : axis_.behind(root_); }

  /// The root sends both ways, ahead first, as long as both arcs have nodes left, and then the longer way.
  NodeMove move_of_root(std::uint64_t index) const {
    const std::uint64_t both = std::min(reach(true), reach(false));
    const bool alone = index >= 2 * both;
    const std::uint64_t step = alone ? index - both : index / 2;
    const bool ahead = alone ? reach(true) > both : index % 2 == 0;
    return {step, axis_.towards(ahead), true, at(ahead, reach(ahead) - step)};
  }

  /// The position at that distance from the root on that arc.
  Rank at(bool ahead, std::uint64_t far) const {
    return static_cast<Rank>((root_ + (ahead ? far : axis_.side() - far)) % axis_.side());
  }

  GridAxis axis_;
  Rank root_;
};

/// Two ways round or along all lines of a dimension, from the same position on each.
class TwoWayOnLines : public ScatterSchedule {
 public:
  TwoWayOnLines(const GridAxis& line, Rank root) : line_(line), two_way_(line, root) {}

  Cycle steps() const override { return two_way_.steps(); }
  std::uint64_t moves(Rank rank) const override { return two_way_.moves(line_.position(rank)); }
  ScatterMove move(Rank rank, std::uint64_t index) const override {
    const auto [step, port, sends, destination] = two_way_.move(line_.position(rank), index);
    return {.step = step, .port = port, .sends = sends, .blocks = {.first = line_.at(rank, destination)}};
  }

 private:
  GridAxis line_;
  TwoWay two_way_;
};

/// Blocks times links of a two-way scatter on a line: D(D+1)/2 + E(E+1)/2.
inline Wide hops_of_two_way(const GridAxis& line, Rank root) {
  const Wide ahead = line.ahead(root);
  const Wide behind = line.behind(root);
  return (ahead * (ahead + 1) + behind * (behind + 1)) / 2;
}

}  // namespace lockstep::scatter
