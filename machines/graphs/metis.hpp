#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep {

/// The process of each processor, so that few links are cut. Throws InputError if Lockstep was built without METIS, and
/// std::bad_alloc. There are at least two processes, and more processors.
std::vector<std::uint32_t> metis_owners(Rank processors, Port ports, const Wiring& wiring, unsigned processes);

}  // namespace lockstep
