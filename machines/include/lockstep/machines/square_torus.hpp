#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// One ring of processors that a schedule runs along: a ring machine, or a row or column of a torus. Positions count
/// from 0 in the + sense. Relative to another, a position has an offset from -(side-1-h) to +h, h = floor(side/2): half
/// way round counts as ahead (saad-schultz-1988.md, Torus).
///
///     side 5, seen from 0:   position  0   1   2   3   4        side 4:   0   1   2   3
///                            offset    0  +1  +2  -2  -1                  0  +1  +2  -1
class RingAxis {
 public:
  /// `plus` is the port that leads to the next position; the one after it leads back, except on a side of 2, which has
  /// one link at `plus`, and of 1, which has none.
  RingAxis(Rank side, Port plus) : side_(side), plus_(plus) {}

  /// Processors of the ring.
  Rank side() const { return side_; }
  /// The farthest offset ahead, h.
  Rank ahead() const { return side_ / 2; }
  /// The largest distance of a negative offset: side - 1 - h.
  Rank behind() const { return side_ - 1 - ahead(); }
  /// How far `to` lies ahead of `from`, or with a minus behind it: -behind() to ahead().
  std::int64_t offset(Rank from, Rank to) const;
  /// The lowest of the positions that are farthest away.
  Rank farthest(Rank from) const;

  /// The port on the way to larger or to smaller positions; the side has links.
  Port towards(bool larger) const { return larger || side_ == 2 ? plus_ : plus_ + 1; }
  /// The port that leads one step nearer to offset 0; the offset is not 0.
  Port inward(std::int64_t offset) const { return towards(offset < 0); }
  /// Adds the ports that lead away from offset 0, both senses from 0 itself; none at the end of a reach.
  void add_outward(std::int64_t offset, std::vector<Port>& ports) const;

 private:
  Rank side_;
  Port plus_;
};

/// The torus of saad-schultz-1988.md, Torus: side x side processors, x the last coordinate of a rank and y the first.
///
///     torus:3x3     y = 0:  0 - 1 - 2        ports 0, 1 = +y, -y     rank = y * side + x
///                   y = 1:  3 - 4 - 5        ports 2, 3 = +x, -x
///                   y = 2:  6 - 7 - 8                                (and the links that close rows and columns)
class SquareTorus {
 public:
  /// Throws InputError if the machine is not a torus of two equal sides.
  explicit SquareTorus(const MachineSpec& machine);

  /// Processors of a row, and of a column.
  Rank side() const { return side_; }
  /// h = floor(side/2), the farthest offset on an axis.
  Rank reach() const { return side_ / 2; }
  /// The processor's column.
  Rank x(Rank rank) const { return rank % side_; }
  /// The processor's row.
  Rank y(Rank rank) const { return rank / side_; }
  /// The processor at that column and row.
  Rank rank(Rank x, Rank y) const { return y * side_ + x; }
  /// Along a row, over the ports 2 and 3.
  RingAxis x_axis() const { return {side_, 2}; }
  /// Along a column, over the ports 0 and 1.
  RingAxis y_axis() const { return {side_, 0}; }

 private:
  Rank side_;
};

}  // namespace lockstep
