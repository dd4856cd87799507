#include "lockstep/machines/layout.hpp"

#include <cmath>

#include "lockstep/machines/machine_family.hpp"
#include "picture/placement.hpp"

namespace lockstep {

namespace {

/// Rounded to a millionth, so that the last bits of a host's sines make no difference.
double rounded(double coordinate) {
  constexpr double parts = 1e6;
  return std::round(coordinate * parts) / parts + 0.0;  // and no negative zero
}

}  // namespace

std::vector<Position> layout(const MachineSpec& spec) {
  const MachineFamily& family = family_of(spec);
  Positions positions = family.layout == nullptr ? on_circle(spec.processors) : family.layout(spec);
  for (Position& at : positions) at = {rounded(at.x), rounded(at.y)};
  return positions;
}

}  // namespace lockstep
