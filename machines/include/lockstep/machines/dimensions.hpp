#pragma once

#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// One dimension of a product: in it, a processor's coordinate is rank / stride % factor.processors, and the factor's
/// own port q is the machine's port first_port + q.
struct Dimension {
  MachineSpec factor;   ///< not a product itself
  Rank stride = 1;      ///< from a processor to the next in its copy of the factor
  Port first_port = 0;  ///< the machine's port that is the factor's port 0
};

/// The machine as a product of indivisible factors, most significant first (dimakopoulos.md, Conventions). Tori give
/// rings, meshes paths, hypercubes factors hypercube:1; products are split completely; other machines are one
/// dimension. A machine hypercube:0 has no dimension.
///
///      product:ring:5*hypercube:2      factor         stride   first port
///                                      ring:5            4         0
///                                      hypercube:1       2         3      bit 1, the cube's port 1
///                                      hypercube:1       1         2      bit 0, the cube's port 0
std::vector<Dimension> dimensions(const MachineSpec& spec);

}  // namespace lockstep
