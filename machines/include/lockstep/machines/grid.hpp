#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// One dimension of a grid: the lines of processors, each a ring or a path, that differ in one coordinate only.
/// Positions count from 0 in the + sense. Seen from a position, another has an offset; on a ring those from -behind to
/// +ahead, where half way round counts as ahead (saad-schultz-1988.md, Torus), on a path all from one end to the other.
///
///     ring of 5, seen from 0:   position  0   1   2   3   4      path of 4, seen from 1:   0   1   2   3
///                               offset    0  +1  +2  -2  -1                               -1   0  +1  +2
class GridAxis {
 public:
  /// `plus` is the port that leads to the next position, the one after it leads back; a ring of 2 has one link, at
  /// `plus`. `stride` is the distance from a rank to the next of its line.
  GridAxis(Rank side, bool is_ring, Port plus, Rank stride)
      : side_(side), is_ring_(is_ring), plus_(plus), stride_(stride) {}

  /// Processors of a line.
  Rank side() const { return side_; }
  /// Whether its ends are joined.
  bool is_ring() const { return is_ring_; }
  /// From a rank to the next of its line.
  Rank stride() const { return stride_; }

  /// Where the rank lies on its line.
  Rank position(Rank rank) const { return rank / stride_ % side_; }
  /// The rank at that position of the line on which `rank` lies.
  Rank at(Rank rank, Rank place) const { return rank - position(rank) * stride_ + place * stride_; }

  /// The largest offset, seen from a position.
  Rank ahead(Rank from) const { return is_ring_ ? side_ / 2 : side_ - 1 - from; }
  /// The largest distance of a negative offset, seen from a position.
  Rank behind(Rank from) const { return is_ring_ ? (side_ - 1) / 2 : from; }
  /// Links to the position that is farthest away.
  Rank reach(Rank from) const;
  /// Links of a position along its line.
  Port degree(Rank place) const;
  /// How far `to` lies ahead of `from`, or with a minus behind it: -behind(from) to ahead(from).
  std::int64_t offset(Rank from, Rank to) const;
  /// The lowest of the positions that are farthest away.
  Rank farthest(Rank from) const;

  /// The port on the way to larger or to smaller positions; there is a link.
  Port towards(bool larger) const { return larger || (is_ring_ && side_ == 2) ? plus_ : plus_ + 1; }
  /// The port that leads one step nearer to offset 0; the offset is not 0.
  Port inward(std::int64_t offset) const { return towards(offset < 0); }
  /// Adds the ports over which the position at that offset from `from` leads away from it, both senses at offset 0;
  /// none at the end of a reach.
  void add_outward(Rank from, std::int64_t offset, std::vector<Port>& ports) const;

 private:
  Rank side_;
  bool is_ring_;
  Port plus_;
  Rank stride_;
};

/// A grid as in section 2(d) of Saad & Schultz 1988, or a similar one: a torus or a mesh of any number of dimensions
/// and sides, a ring or a path. Dimensions count as the sides are written, the first most significant in a rank.
///
///     mesh:2x3     dimension 0: stride 3, ports 0, 1 = +, -       0 - 1 - 2
///                  dimension 1: stride 1, ports 2, 3 = +, -       |   |   |
///                                                                 3 - 4 - 5
class Grid {
 public:
  /// Throws InputError if the machine is not a torus, mesh, ring or path.
  explicit Grid(const MachineSpec& machine);

  /// How many there are.
  std::size_t dimensions() const { return axes_.size(); }
  /// That dimension, from 0.
  const GridAxis& axis(std::size_t dimension) const { return axes_[dimension]; }
  /// All dimensions, the most significant first.
  const std::vector<GridAxis>& axes() const { return axes_; }
  /// Processors of the machine.
  Rank processors() const { return processors_; }

  /// Links of a shortest path between two ranks.
  std::uint64_t distance(Rank from, Rank to) const;
  /// The lowest of the ranks that are farthest away.
  Rank farthest(Rank from) const;
  /// Links to the farthest rank.
  std::uint64_t eccentricity(Rank from) const;
  /// Links of a processor.
  Port degree(Rank rank) const;
  /// The fewest links of a processor: of any in a torus, of the corners in a mesh.
  Port degree_min() const { return degree(0); }

 private:
  std::vector<GridAxis> axes_;
  Rank processors_ = 1;
};

}  // namespace lockstep
