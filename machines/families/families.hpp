#pragma once

#include <span>
#include <vector>

#include "lockstep/machines/machine_family.hpp"

namespace lockstep {

// The entries of machine_families(), in its order: list_families.cmake writes the list from these lines.
MachineFamily hypercube_family();
MachineFamily incomplete_hypercube_family();
MachineFamily reduced_hypercube_family();
MachineFamily ring_family();
MachineFamily path_family();
MachineFamily complete_family();
MachineFamily torus_family();
MachineFamily mesh_family();
MachineFamily product_family();
MachineFamily cube_connected_cycles_family();
MachineFamily shuffle_exchange_family();
MachineFamily star_family();
MachineFamily pancake_family();
MachineFamily circulant_family();
MachineFamily graph_family();
MachineFamily bus_family();
MachineFamily memory_family();
MachineFamily switch_family();
MachineFamily omega_family();
MachineFamily inverse_omega_family();
MachineFamily indirect_cube_family();
MachineFamily data_manipulator_family();

/// All of the above.
std::vector<MachineFamily> declared_families();

/// For families whose processors are named by their ranks.
Topology::Label no_label(const MachineSpec& spec);

/// Reads N+M as an incomplete hypercube, written as any family. Throws MachineSpecError.
void read_incomplete_hypercube(const SpecReader& reader, MachineSpec& spec);

/// The product of machines that have been read. Throws MachineSpecError if there is none.
MachineSpec product_of(std::span<const MachineSpec> factors);

}  // namespace lockstep
