#pragma once

#include <span>
#include <string>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// Builds the machine; its name is the specification's text. Throws std::bad_alloc (or std::length_error) if it does
/// not fit in memory: Topology::bytes gives the size beforehand.
/// The ends of its ports are computed at their first use.
Topology build(const MachineSpec& spec);

/// Where the machine's ports lead, without building it. Of a machine that has ports.
Wiring wiring(const MachineSpec& spec);

// The makers below build one machine each and throw MachineSpecError if there is no such machine.

/// 2^n processors; port p leads to rank xor 2^p. Labels are the address bits.
///
///        6-------7        port 0 across
///       /|      /|        port 1 into the page
///      4-------5 |        port 2 up
///      | 2-----|-3
///      |/      |/
///      0-------1
Topology hypercube(unsigned n);

/// RH(k,n), 2^(k+2^n) processors of degree k+1: see reduced_hypercube.hpp. Labels are "block.node" in bits.
Topology reduced_hypercube(unsigned k, unsigned n);

/// Port 0 leads to rank + 1, port 1 to rank - 1. A ring of 2 has one link, on port 0; a ring of 1 has none.
///
///      0 - 1 - 2 - 3
///      |           |
///      +-----------+
Topology ring(Rank m);

/// Port 0 leads to rank + 1, port 1 to rank - 1. The last processor has no port 0 link, the first no port 1 link.
///
///      0 - 1 - 2 - 3
Topology path(Rank m);

/// Every two processors share a link; ports lead to the other ranks ascending: p, or p + 1 from rank p upwards.
///
///      0---1        ports of rank 1: 0 to rank 0
///      |\ /|                         1 to rank 2
///      | X |                         2 to rank 3
///      |/ \|
///      2---3
Topology complete(Rank m);

/// Product of rings. Ranks are mixed radix, first side most significant; port 2d leads up in dimension d, 2d+1 down,
/// also where a side of 1 or 2 leaves them without a link. Labels are the coordinates.
///
///         |    |    |
///      -- 0 -- 1 -- 2 --     torus:2x3 would lack the vertical lines that leave the picture:
///         |    |    |        a side of 2 has one link. Here torus:3x3.
///      -- 3 -- 4 -- 5 --
///         |    |    |        port 0 down, 1 up (first coordinate, most significant)
///      -- 6 -- 7 -- 8 --     port 2 right, 3 left (second coordinate)
///         |    |    |
Topology torus(std::span<const Rank> sides);

/// Product of paths, numbered as torus().
///
///      0 -- 1 -- 2
///      |    |    |
///      3 -- 4 -- 5
Topology mesh(std::span<const Rank> sides);

/// Cube-connected cycles, d 2^d processors of degree 3, d >= 3: see cube_connected_cycles.hpp. Labels are
/// "corner.position", the corner in bits.
Topology cube_connected_cycles(unsigned d);

/// Shuffle-exchange network, 2^n processors, n >= 1: see shuffle_exchange.hpp. Labels are the address bits.
Topology shuffle_exchange(unsigned n);

/// Permutations of n symbols, 2 <= n <= 10, ranked as in permutation.hpp; port p exchanges the symbols at the places 0
/// and p+1. Labels are the permutations.
///
///      0 --- 2 --- 4      012 --- 102 --- 201       round this ring ports 0 and 1 take turns:
///      |           |       |               |        0-2 is on port 0, 2-4 on port 1
///      5 --- 3 --- 1      210 --- 120 --- 021
Topology star(unsigned n);

/// The same permutations; port p reverses the first p+2 symbols. With three symbols it is the star graph.
///
///      1023 --- 0123 --- 2103       from 0123, rank 0: port 0 turns the first two symbols, to rank 6,
///                 |                 port 1 the first three, to rank 14,
///               3210                port 2 all of them, to rank 23
Topology pancake(unsigned n);

/// m processors in a circle, m >= 2; ports 2i and 2i+1 lead to rank + and - the i-th stride, modulo m. A stride of m/2
/// has one link, on port 2i. No stride may be given twice, nor beside m minus it, and m and all strides must have no
/// common factor: else the machine would have double links, or not be connected.
///
///      m = 6, strides 1 and 3
///
///         1 --- 2          port 0 clockwise, port 1 back
///        / \   / \         port 2 across the middle; port 3 has no link
///       0 -- X -- 3
///        \ /   \ /
///         5 --- 4
Topology circulant(Rank m, std::span<const Rank> strides);

/// The graph of a NetworkX node-link file; ports lead to the neighbours in ascending order: see graph.hpp.
Topology graph(const std::string& file);

// Machines whose processors share a medium and have no ports (saad-schultz-1988.md, Bus to Switch).

/// k processors on a bus that takes at most kstar transactions in a cycle, 1 <= kstar <= k. They name each other by
/// rank; a transaction is a payload from one to any set of others.
///
///      0   1   2   3
///      |   |   |   |
///    =================
Topology bus(Rank k, std::uint64_t kstar = 1);

/// k processors around a memory that takes at most kstar accesses in a cycle, 1 <= kstar <= k.
Topology shared_memory(Rank k, std::uint64_t kstar);

/// k processors around a crossbar: in a cycle each sends to at most one other and receives from at most one other,
/// named by rank.
Topology crossbar_switch(Rank k);

/// The same around an Omega network, k a power of two: the messages of a cycle must also pass the network, see
/// omega.hpp.
Topology omega_network(Rank k);

/// Product of any factors but products and media. Ranks are mixed radix, first factor most significant; the ports of
/// the first factor come first, then those of the second, each with the factor's own numbering.
Topology product(std::span<const MachineSpec> factors);

}  // namespace lockstep
