#include "lockstep/machines/machine_family.hpp"

#include <algorithm>
#include <cassert>

#include "families.hpp"

namespace lockstep {

const std::vector<MachineFamily>& machine_families() {
  static const std::vector<MachineFamily> families = {
      hypercube_family(),
      reduced_hypercube_family(),
      ring_family(),
      path_family(),
      complete_family(),
      torus_family(),
      mesh_family(),
      product_family(),
      cube_connected_cycles_family(),
      shuffle_exchange_family(),
      star_family(),
      pancake_family(),
      circulant_family(),
      graph_family(),
      bus_family(),
      memory_family(),
      switch_family(),
      omega_family(),
  };
  return families;
}

const MachineFamily& family_of(const MachineSpec& spec) {
  const std::vector<MachineFamily>& families = machine_families();
  const auto family = std::find_if(families.begin(), families.end(),
                                   [&spec](const MachineFamily& candidate) { return candidate.name == spec.family; });
  assert(family != families.end());
  return *family;
}

}  // namespace lockstep
