#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"

namespace lockstep {

// The guests that fit into RH(k,n) (mukherjee.md, Embeddings): a hypercube with longer paths for some of its links,
// cube-connected cycles and a ring link by link.

/// The lengths of the paths that emulate the links of a node.
struct Dilation {
  /// Links whose paths are equally long.
  struct Class {
    std::uint64_t length;  ///< links of the emulating machine
    std::uint64_t links;   ///< links of an emulated node with this length

    friend bool operator==(const Class&, const Class&) = default;
  };
  std::vector<Class> classes;  ///< shortest first
  Fraction mean;               ///< of the lengths, over all links of a node

  /// The longest path.
  std::uint64_t maximum() const { return classes.back().length; }
};

/// Length of the path in RH(k,n) for the link of the (k + 2^n)-cube that flips bit `b` at node x, where both have the
/// same address: 1 inside a building block, else to the subblock with the link, across it, and back.
std::uint64_t dilation(const ReducedHypercube& rh, Rank x, Port b);

/// The same for all links of a node, which does not depend on the node: k+1 links of length 1, C(n,p) of length 2p+1.
Dilation hypercube_dilation(const ReducedHypercube& rh);

/// The node that emulates a processor of the cube-connected cycles CCC(D), D = 2^n: position p of a corner goes to
/// subblock gray(p), bit p of the corner to bit gray(p) of the building block. Every layer, 0 to 2^(k-n) - 1, holds one
/// CCC, and each of its links is a link of RH(k,n). For n = 1 a cycle is a single link, for n = 0 a single node.
///
///      D = 4, the cycle of a corner:    sb 00 --- sb 01        position 0 1
///                                         |         |                   3 2
///                                       sb 10 --- sb 11
Rank embedded_cycles_node(const ReducedHypercube& rh, Rank layer, Rank corner, Rank position);

/// All nodes, node 0 first, in an order in which each is a neighbour of the next, and the last of the first. On the
/// machine of two nodes the ring goes over its only link and back. Takes memory and time in proportion to the nodes.
std::vector<Rank> hamiltonian_ring(const ReducedHypercube& rh);

}  // namespace lockstep
