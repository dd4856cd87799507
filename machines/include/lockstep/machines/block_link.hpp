#pragma once

#include <bit>
#include <optional>
#include <vector>

#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"

namespace lockstep {

/// The path between nodes of a layer in two building blocks that differ in bit m, from a subblock to the same subblock
/// of the other block: over ports c+b, b = the bits in which the subblock differs from m, ascending, over port k, and
/// over the same ports again (mukherjee.md, Reduction, Prefix). 2 popcount + 1 links.
///
///     RH(2,2), from subblock 00 for m = 11:   00 --p0-- 01 --p1-- 11 ==p2== 11 --p0-- 10 --p1-- 00
///
/// Subblocks on it are given relative to its beginning, s = sb xor that of the ends; on either side such a node
/// has a number of the bits behind it and the rest before it.
class BlockLink {
 public:
  /// The ports over which a node receives and forwards.
  struct Hop {
    Port entered_by;  ///< the port on which it arrives
    Port left_by;     ///< the port on which it is forwarded
  };

  /// The path between the nodes of subblock `end` for bit m.
  BlockLink(const ReducedHypercube& rh, Rank end, Rank m) : rh_(rh), bits_(end ^ m) {}

  /// Links of the path, including the one between the blocks.
  std::uint64_t links() const { return 2 * std::uint64_t{one_bits(bits_)} + 1; }
  /// The port on which the node of `end` sends first.
  Port first_port() const { return next(bits_); }
  /// The port on which it arrives at the last node.
  Port last_port() const { return previous(bits_); }
  /// All ports in the order in which they are taken.
  std::vector<Port> ports() const {
    std::vector<Port> ports = ecube_path(0, bits_);
    for (Port& port : ports) port += rh_.layer_dimensions();
    const std::vector<Port> back = ports;
    ports.push_back(rh_.outer_port());
    ports.insert(ports.end(), back.begin(), back.end());
    return ports;
  }

  /// The hop of a node in the block where the path begins, if the node lies on the path and is not its beginning.
  std::optional<Hop> path_out_through(Rank s) const {
    if (s == 0 || (bits_ & mask(width(s))) != s) return {};
    return Hop{previous(s), next(bits_ ^ s)};
  }
  /// The hop of a node in the block where the path ends, if the node lies on the path and is not its end.
  std::optional<Hop> path_in_through(Rank s) const {
    if (s == 0 || (bits_ & ~mask(lowest_bit(s))) != s) return {};
    return Hop{previous(bits_ ^ s), next(s)};
  }

 private:
  static Port lowest_bit(Rank x) { return static_cast<Port>(std::countr_zero(x)); }
  static Rank mask(Port bits) { return (Rank{1} << bits) - 1; }
  /// The port to take with these bits ahead of a node, and the one that was taken with these bits behind it.
  Port next(Rank bits) const { return bits == 0 ? rh_.outer_port() : rh_.layer_dimensions() + lowest_bit(bits); }
  Port previous(Rank bits) const { return bits == 0 ? rh_.outer_port() : rh_.layer_dimensions() + highest_bit(bits); }

  const ReducedHypercube& rh_;
  Rank bits_;
};

}  // namespace lockstep
