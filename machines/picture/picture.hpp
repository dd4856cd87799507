#pragma once

#include <cstdint>
#include <string>

#include "lockstep/machines/machine_family.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// The first line of a picture: the machine drawn, and `spec` if the drawing only stands for it.
std::string caption(const std::string& drawn, const MachineSpec& spec);

/// The lowest `places` bits of a number, the highest first; "-" if there are none.
std::string bits(std::uint64_t number, unsigned places);

/// The most processors that line_picture() gets onto one line.
inline constexpr std::uint64_t longest_line = 16;

// The pictures below end in a newline and show ranks.

/// The n-cube, n <= 3.
std::string hypercube_picture(unsigned n);
/// Processors in a row; for a ring, with the link from the last to the first.
std::string line_picture(std::uint64_t processors, bool is_ring);
/// A mesh, or a torus with open ends of lines where sides of 3 and more wrap around.
std::string grid_picture(std::uint64_t rows, std::uint64_t columns, bool wraps);
/// Any machine as a table: one line for each of the lowest ranks, with its neighbours in the order of their ports.
std::string neighbour_table(const MachineSpec& spec, const Wiring& wiring);

}  // namespace lockstep
