#include "lockstep/machines/square_torus.hpp"

#include <algorithm>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep {

std::int64_t RingAxis::offset(Rank from, Rank to) const {
  const std::int64_t forward = to >= from ? to - from : side_ - (from - to);
  return forward <= ahead() ? forward : forward - side_;
}

Rank RingAxis::farthest(Rank from) const {
  const auto moved = [&](std::uint64_t by) { return static_cast<Rank>((from + by) % side_); };
  return std::min(moved(ahead()), moved(side_ - ahead()));
}

void RingAxis::add_outward(std::int64_t offset, std::vector<Port>& ports) const {
  if (offset >= 0 && offset < ahead()) ports.push_back(towards(true));
  if (offset <= 0 && -offset < behind()) ports.push_back(towards(false));
}

SquareTorus::SquareTorus(const MachineSpec& machine) {
  const std::vector<std::uint64_t>& sides = machine.parameters;
  if (machine.family != "torus" || sides.size() != 2 || sides[0] != sides[1]) {
    throw InputError(printable(machine.text) + " is not square: write SxS, e.g. torus:4x4");
  }
  side_ = static_cast<Rank>(sides[0]);
}

}  // namespace lockstep
