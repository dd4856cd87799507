#pragma once

#include "lockstep/machines/square_torus.hpp"

namespace lockstep {

/// The rings of a machine along one axis: each leads through all ranks that differ in one coordinate only.
///
///     torus:3x3     0 - 1 - 2     x: stride 1     position(4) = 1    at(4, 2) = 5
///                   3 - 4 - 5     y: stride 3     position(4) = 1    at(4, 2) = 7
///                   6 - 7 - 8
class RingLines {
 public:
  /// `stride`: from a rank to the next on its ring.
  RingLines(const RingAxis& axis, Rank stride) : axis_(axis), stride_(stride) {}

  /// What the rings are like.
  const RingAxis& axis() const { return axis_; }
  /// Where the rank lies on its ring.
  Rank position(Rank rank) const { return rank / stride_ % axis_.side(); }
  /// The rank at that position of the ring on which `rank` lies.
  Rank at(Rank rank, Rank place) const { return rank - position(rank) * stride_ + place * stride_; }

 private:
  RingAxis axis_;
  Rank stride_;
};

/// A ring machine.
inline RingLines ring_of(Rank processors) { return {RingAxis(processors, 0), 1}; }
/// The rows of a torus, each a ring.
inline RingLines rows_of(const SquareTorus& torus) { return {torus.x_axis(), 1}; }
/// The columns of a torus, each a ring.
inline RingLines columns_of(const SquareTorus& torus) { return {torus.y_axis(), torus.side()}; }

}  // namespace lockstep
