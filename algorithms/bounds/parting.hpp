#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::bounds {

/// What is left of a machine without one processor that all paths between the parts lead through.
struct Parting {
  struct Part {
    std::uint64_t processors;
    std::uint64_t links;  ///< to the processor in between
  };
  Rank between;
  std::vector<Part> parts;             ///< two at least
  std::vector<std::uint32_t> part_of;  ///< by rank; undefined for `between`
};

/// All of a machine of few processors; none of a larger one.
std::shared_ptr<const std::vector<Parting>> partings(const MachineSpec& machine);

}  // namespace lockstep::bounds
