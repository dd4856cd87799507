#include "lockstep/machines/grid.hpp"

#include <algorithm>
#include <cstdlib>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep {

Rank GridAxis::reach(Rank from) const { return std::max(ahead(from), behind(from)); }

Port GridAxis::degree(Rank place) const {
  if (is_ring_) return std::min<Port>(side_ - 1, 2);
  return (place > 0 ? 1U : 0U) + (place + 1 < side_ ? 1U : 0U);
}

std::int64_t GridAxis::offset(Rank from, Rank to) const {
  const std::int64_t forward = std::int64_t{to} - std::int64_t{from};
  if (!is_ring_) return forward;
  const std::int64_t around = forward >= 0 ? forward : forward + side_;
  return around <= ahead(from) ? around : around - side_;
}

Rank GridAxis::farthest(Rank from) const {
  if (!is_ring_) return behind(from) >= ahead(from) ? 0 : side_ - 1;
  const auto moved = [&](std::uint64_t by) { return static_cast<Rank>((from + by) % side_); };
  return std::min(moved(side_ / 2), moved(side_ - side_ / 2));
}

void GridAxis::add_outward(Rank from, std::int64_t offset, std::vector<Port>& ports) const {
  if (offset >= 0 && offset < ahead(from)) ports.push_back(towards(true));
  if (offset <= 0 && -offset < behind(from)) ports.push_back(towards(false));
}

Grid::Grid(const MachineSpec& machine) {
  const bool is_ring = machine.family == "ring" || machine.family == "torus";
  if (!is_ring && machine.family != "path" && machine.family != "mesh") {
    throw InputError(printable(machine.text) + " is not a grid: write a torus, mesh, ring or path");
  }
  processors_ = static_cast<Rank>(machine.processors);
  Rank stride = processors_;
  Port port = 0;
  const auto add = [&](const MachineSpec& line) {
    const auto side = static_cast<Rank>(line.processors);
    stride /= side;
    axes_.emplace_back(side, is_ring, port, stride);
    port += static_cast<Port>(line.ports);
  };
  if (machine.factors.empty()) {
    add(machine);
  } else {
    for (const MachineSpec& line : machine.factors) add(line);
  }
}

std::uint64_t Grid::distance(Rank from, Rank to) const {
  std::uint64_t links = 0;
  for (const GridAxis& axis : axes_) {
    links += static_cast<std::uint64_t>(std::abs(axis.offset(axis.position(from), axis.position(to))));
  }
  return links;
}

Rank Grid::farthest(Rank from) const {
  Rank rank = from;
  for (const GridAxis& axis : axes_) rank = axis.at(rank, axis.farthest(axis.position(from)));
  return rank;
}

std::uint64_t Grid::eccentricity(Rank from) const {
  std::uint64_t links = 0;
  for (const GridAxis& axis : axes_) links += axis.reach(axis.position(from));
  return links;
}

Port Grid::degree(Rank rank) const {
  Port links = 0;
  for (const GridAxis& axis : axes_) links += axis.degree(axis.position(rank));
  return links;
}

}  // namespace lockstep
