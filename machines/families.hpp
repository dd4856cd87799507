#pragma once

#include "lockstep/machines/machine_family.hpp"

namespace lockstep {

// The entries of machine_families().
MachineFamily hypercube_family();
MachineFamily reduced_hypercube_family();
MachineFamily ring_family();
MachineFamily path_family();
MachineFamily complete_family();
MachineFamily torus_family();
MachineFamily mesh_family();
MachineFamily product_family();

}  // namespace lockstep
