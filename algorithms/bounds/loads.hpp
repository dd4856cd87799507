#pragma once

#include <memory>
#include <vector>

#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::bounds {

/// The blocks of an alltoall that one direction of a link carries at least, on average over the links of a dimension;
/// for paths also over the middle links, and for Cayley graphs over those of one generator and its inverse
/// (dimakopoulos.md, All ports). None of a machine without links. Kept for the next call.
std::shared_ptr<const std::vector<Fraction>> loads_of_links(const MachineSpec& machine);

}  // namespace lockstep::bounds
