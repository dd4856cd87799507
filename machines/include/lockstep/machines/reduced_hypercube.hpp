#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// Addresses of the reduced hypercube RH(k,n) (mukherjee.md, Machine, Moving the origin): 2^D building blocks, D = 2^n,
/// each a k-cube, joined like the nodes of a D-cube; a node has one link out of its block, in the dimension that its
/// subblock names.
///
///      bits v-1 .. k        building block  bb (D bits)
///      bits k-1 .. 0        0th field       f0 (k bits): node inside the block
///      bits k-1 .. k-n      subblock        sb (n bits)
///      bits k-n-1 .. 0      layer           lo (k-n bits)
///
///      RH(1,1), a ring of 8: 4 blocks of 2 nodes; rank = bb * 2 + f0, sb = f0
///
///        bb 01 [ 2 --- 3 ]---[ 7 --- 6 ] bb 11        port 0 inside [ ]
///                |                   |                port 1 between blocks: where sb = 0 it flips bit 1,
///        bb 00 [ 0 --- 1 ]---[ 5 --- 4 ] bb 10                              where sb = 1 bit 2
class ReducedHypercube {
 public:
  /// Throws std::invalid_argument unless k >= n >= 0 and 2^(k+2^n) is at most most_processors.
  ReducedHypercube(unsigned k, unsigned n);
  /// The addresses of a machine rh:K,N.
  explicit ReducedHypercube(const MachineSpec& machine)
      : ReducedHypercube(static_cast<unsigned>(machine.parameters[0]), static_cast<unsigned>(machine.parameters[1])) {}

  /// Dimensions of a building block.
  unsigned k() const { return k_; }
  /// 2^n is the number of subblocks of a block.
  unsigned n() const { return n_; }
  /// D = 2^n: subblocks of a block, and dimensions of the cube of blocks.
  unsigned block_dimensions() const { return 1U << n_; }
  /// c = k - n: the layers are a c-cube.
  unsigned layer_dimensions() const { return k_ - n_; }
  /// v = k + D: bits of an address.
  unsigned address_bits() const { return k_ + block_dimensions(); }
  /// 2^v.
  std::uint64_t processors() const { return std::uint64_t{1} << address_bits(); }
  /// Links between the nodes farthest apart.
  unsigned diameter() const { return n_ == 0 ? k_ + 1 : 2 * block_dimensions() + layer_dimensions(); }
  /// 2^D building blocks.
  std::uint64_t blocks() const { return std::uint64_t{1} << block_dimensions(); }
  /// The port k, the only one that leads out of the block.
  Port outer_port() const { return k_; }

  /// The building block of node x.
  Rank bb(Rank x) const { return x >> k_; }
  /// The 0th field of x: its node inside the block.
  Rank f0(Rank x) const { return x & (block_size() - 1); }
  /// The subblock of x.
  Rank sb(Rank x) const { return f0(x) >> layer_dimensions(); }
  /// The layer of x.
  Rank lo(Rank x) const { return x & ((Rank{1} << layer_dimensions()) - 1); }
  /// The node of the given block, subblock and layer.
  Rank node(Rank block, Rank subblock, Rank layer) const {
    return block << k_ | subblock << layer_dimensions() | layer;
  }

  /// Where the port leads; its number is the same at the other end. Port p < k flips bit p, port k bit k + sb(x).
  Rank neighbour(Rank x, Port port) const {
    return x ^ Rank { 1 } << (port < k_ ? port : k_ + sb(x));
  }

  /// P_s: bit m of a block's address goes to position m xor s. Its own inverse; s is a subblock.
  Rank permute_block(Rank block, Rank s) const;
  /// The automorphism that takes node 0 to `root` and keeps every port number: from logical to physical addresses.
  Rank move(Rank x, Rank root) const;
  /// Its inverse: the logical address of node y in a schedule written for node 0 and run from `root`.
  Rank unmove(Rank y, Rank root) const;

  /// The ports of the E-cube path (mukherjee.md, Routing): the differing block bits, lowest first, each from the
  /// subblock that has the link, which is entered over differing bits, lowest first; then the differing bits of the 0th
  /// field, lowest first.
  std::vector<Port> ecube_path(Rank from, Rank to) const;

 private:
  Rank block_size() const { return Rank{1} << k_; }

  unsigned k_;
  unsigned n_;
};

}  // namespace lockstep
