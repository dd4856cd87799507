#pragma once

#include <span>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// Builds the machine; its name is the specification's text. Throws std::bad_alloc (or std::length_error) if it does
/// not fit memory: Topology::bytes tells beforehand.
Topology build(const MachineSpec& spec);
/// The same, filled in by the executor's threads together.
Topology build(const MachineSpec& spec, Executor& executor);

/// Where the machine's ports lead, without building it.
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

/// Product of any factors but products. Ranks are mixed radix, first factor most significant; the ports of the first
/// factor come first, then those of the second, each with the factor's own numbering.
Topology product(std::span<const MachineSpec> factors);

}  // namespace lockstep
