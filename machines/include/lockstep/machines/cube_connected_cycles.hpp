#pragma once

#include <cstdint>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// Addresses of the cube-connected cycles CCC(d): every corner of a d-cube is a cycle of d processors, and the one at
/// position p of it has the corner's link in dimension p. Corners are numbered as in the d-cube.
///
///      CCC(3); rank = corner * 3 + position
///
///            [18 19 20] ---- [21 22 23]          in brackets a corner's cycle, positions 0 1 2
///             / |             / |                port 0 to the next position, after the last the first
///      [12 13 14] ---- [15 16 17]                port 1 to the previous
///         |     |         |     |                port 2 to the same position of another corner: across the
///         |  [ 6  7  8] --|- [ 9 10 11]                 page from positions 0, into it from 1, up from 2
///         | /             | /
///      [ 0  1  2] ---- [ 3  4  5]
class CubeConnectedCycles {
 public:
  static constexpr Port next_port = 0;      ///< to the next position of the cycle
  static constexpr Port previous_port = 1;  ///< to the previous position
  static constexpr Port cube_port = 2;      ///< to the same position of another corner

  /// Throws std::invalid_argument unless 3 <= d <= 27: shorter cycles would have double links, and longer ones would
  /// exceed most_processors.
  explicit CubeConnectedCycles(unsigned d);

  /// d, of the cube and of every cycle.
  unsigned dimensions() const { return d_; }
  /// d 2^d.
  std::uint64_t processors() const { return std::uint64_t{d_} << d_; }

  /// The corner on whose cycle processor x lies.
  Rank corner(Rank x) const { return x / d_; }
  /// The place of processor x on its cycle, from 0.
  Rank position(Rank x) const { return x % d_; }
  /// The processor at that position of that corner.
  Rank node(Rank corner, Rank position) const { return corner * d_ + position; }

  /// Where the port leads.
  End neighbour(Rank x, Port port) const;

 private:
  Rank d_;
};

}  // namespace lockstep
