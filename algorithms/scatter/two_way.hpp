#pragma once

#include <cstdlib>

#include "lockstep/machines/ring_lines.hpp"
#include "schedule/scatter_schedule.hpp"

namespace lockstep::scatter {

/// Farthest destination first, both ways round a ring. Saad & Schultz 1988, (3.38) (saad-schultz-1988.md, Ring
/// scatter):
///
///     D = floor(m/2) nodes lie ahead of the root (+1), E = m-1-D behind it (-1); on an arc with reach R the block for
///     offset r crosses from offset h to h+1 in step R - r + h, h = 0..r-1
///
/// So a node passes on every block, one a step, until its own comes last. D steps; the root sends on both ports in one
/// step.
class TwoWay {
 public:
  /// Move of a node, named by its position on the ring: the message holds what is for the one at `destination`.
  struct NodeMove {
    Cycle step;
    Port port;
    bool sends;
    Rank destination;
  };

  TwoWay(const RingAxis& axis, Rank root) : axis_(axis), root_(root) {}

  Cycle steps() const { return axis_.ahead(); }

  std::uint64_t moves(Rank node) const {
    const std::int64_t offset = axis_.offset(root_, node);
    return offset == 0 ? axis_.side() - 1 : 2 * (reach(offset > 0) - distance(offset)) + 1;
  }

  NodeMove move(Rank node, std::uint64_t index) const {
    const std::uint64_t before = index / 2;  // blocks that have gone the same way
    const std::int64_t offset = axis_.offset(root_, node);
    if (offset == 0) {
      const bool ahead = index % 2 == 0;
      return {before, axis_.towards(ahead), true, at(ahead, reach(ahead) - before)};
    }
    const bool ahead = offset > 0;
    const Rank destination = at(ahead, reach(ahead) - before);
    if (index % 2 == 0) return {distance(offset) - 1 + before, axis_.inward(offset), false, destination};
    return {distance(offset) + before, axis_.towards(ahead), true, destination};
  }

 private:
  static std::uint64_t distance(std::int64_t offset) { return static_cast<std::uint64_t>(std::abs(offset)); }
  std::uint64_t reach(bool ahead) const { return ahead ? axis_.ahead() : axis_.behind(); }

  /// The position so far away from the root on that arc.
  Rank at(bool ahead, std::uint64_t far) const {
    return static_cast<Rank>((root_ + (ahead ? far : axis_.side() - far)) % axis_.side());
  }

  RingAxis axis_;
  Rank root_;
};

/// Two ways round all rings along an axis of a machine, from the same position on each.
class TwoWayOnRings : public ScatterSchedule {
 public:
  TwoWayOnRings(const RingLines& rings, Rank root) : rings_(rings), two_way_(rings.axis(), root) {}

  Cycle steps() const override { return two_way_.steps(); }
  std::uint64_t moves(Rank rank) const override { return two_way_.moves(rings_.position(rank)); }
  ScatterMove move(Rank rank, std::uint64_t index) const override {
    const auto [step, port, sends, destination] = two_way_.move(rings_.position(rank), index);
    return {.step = step, .port = port, .sends = sends, .blocks = {.first = rings_.at(rank, destination)}};
  }

 private:
  RingLines rings_;
  TwoWay two_way_;
};

}  // namespace lockstep::scatter

// What scatter/two-way and gather/two-way share, which are one schedule read forwards and backwards.
namespace lockstep::scatter::two_way {

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings);
LowerBound lower_bound_of_scatter(const MachineSpec& machine, const Model& model, const Settings& settings);
LowerBound lower_bound_of_gather(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);
Outcome run_schedule(const RunRequest& request, Reading reading);

}  // namespace lockstep::scatter::two_way
