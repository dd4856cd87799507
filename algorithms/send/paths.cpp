#include "paths.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/square_torus.hpp"

namespace lockstep::send {
namespace {

bool is_cube(const MachineSpec& machine) { return machine.family == "hypercube"; }
bool is_ring(const MachineSpec& machine) { return machine.family == "ring"; }

RingAxis axis_of_ring(const MachineSpec& machine) { return {static_cast<Rank>(machine.processors), 0}; }

void walk(Path& path, const RingAxis& axis, std::int64_t hops) {
  if (hops != 0) path.push_back({axis.towards(hops > 0), static_cast<std::uint64_t>(std::abs(hops))});
}

void cross(Path& path, Port dimension) { path.push_back({dimension, 1}); }

// Path r corrects the i differing bits cyclically from the r-th on; for every other dimension e one more goes out over
// e, corrects all and comes back over e (A, Prop. 3.1).
std::vector<Path> disjoint_paths_on_cube(Port dimensions, Rank from, Rank to) {
  const std::vector<Port> differing = ecube_path(from, to);
  std::vector<Path> paths;
  for (std::size_t first = 0; first < differing.size(); ++first) {
    Path& path = paths.emplace_back();
    for (std::size_t index = 0; index < differing.size(); ++index) {
      cross(path, differing[(first + index) % differing.size()]);
    }
  }
  for (Port other = 0; other < dimensions && !differing.empty(); ++other) {
    if (has_bit(from ^ to, other)) continue;
    Path& path = paths.emplace_back();
    cross(path, other);
    for (const Port dimension : differing) cross(path, dimension);
    cross(path, other);
  }
  return paths;
}

std::vector<Path> both_arcs(const RingAxis& ring, Rank from, Rank to) {
  const std::int64_t shorter = ring.offset(from, to);
  std::vector<Path> paths;
  if (shorter == 0) return paths;
  walk(paths.emplace_back(), ring, shorter);
  if (ring.side() > 2) walk(paths.emplace_back(), ring, shorter > 0 ? shorter - ring.side() : shorter + ring.side());
  return paths;
}

/// Hops along an axis, + or -.
struct Move {
  char axis;
  std::int64_t hops;
};
using FourPaths = std::array<std::vector<Move>, 4>;

FourPaths with_axes_swapped(FourPaths paths) {
  for (auto& path : paths) {
    for (Move& move : path) move.axis = move.axis == 'x' ? 'y' : 'x';
  }
  return paths;
}

// The tables of saad-schultz-1988.md, Four paths: four paths without a common edge from (0,0) to (p,q), 0 <= p, q <=
// side/2, not both 0.
FourPaths four_paths(std::int64_t side, std::int64_t p, std::int64_t q) {
  if (p == 0 || (side == 4 && p == 1 && q == 2)) return with_axes_swapped(four_paths(side, q, p));
  if (q == 0 && side <= 4) {
    return {{{{'x', p}}, {{'x', p - side}}, {{'y', 1}, {'x', p}, {'y', -1}}, {{'y', -1}, {'x', p}, {'y', 1}}}};
  }
  if (q == 0 && p == 1) {
    return {{{{'x', 1}},
             {{'y', -1}, {'x', 1}, {'y', 1}},
             {{'y', 1}, {'x', 2}, {'y', -1}, {'x', -1}},
             {{'x', -1}, {'y', 1}, {'x', 1}, {'y', 1}, {'x', 1}, {'y', -2}}}};
  }
  if (q == 0) {
    return {{{{'x', -1}, {'y', 1}, {'x', 2}, {'y', -1}, {'x', p - 1}},
             {{'x', 1}, {'y', -1}, {'x', p}, {'y', 1}, {'x', -1}},
             {{'y', 2}, {'x', p}, {'y', -2}},
             {{'y', -2}, {'x', p}, {'y', 2}}}};
  }
  if (side == 3) {
    return {{{{'x', 1}, {'y', 1}},
             {{'y', 1}, {'x', 1}},
             {{'x', -1}, {'y', 1}, {'x', -1}},
             {{'y', -1}, {'x', 1}, {'y', -1}}}};
  }
  if (side == 4 && p == 2) {
    return {{{{'x', 2}, {'y', q}},
             {{'y', q}, {'x', 2}},
             {{'x', -1}, {'y', q}, {'x', -1}},
             {{'y', -1}, {'x', 2}, {'y', q - 3}}}};
  }
  return {{{{'x', p + 1}, {'y', q}, {'x', -1}},
           {{'y', q + 1}, {'x', p}, {'y', -1}},
           {{'x', -1}, {'y', q}, {'x', p + 1}},
           {{'y', -1}, {'x', p}, {'y', q + 1}}}};
}

std::vector<Path> disjoint_paths_on_torus(const SquareTorus& torus, Rank from, Rank to) {
  if (torus.side() == 2) throw InputError("torus:2x2 has no four links a processor; sides of 3 or more have");
  if (from == to) return {};
  const std::int64_t x = torus.x_axis().offset(torus.x(from), torus.x(to));
  const std::int64_t y = torus.y_axis().offset(torus.y(from), torus.y(to));
  std::vector<Path> paths;
  for (const auto& moves : four_paths(torus.side(), std::abs(x), std::abs(y))) {
    Path& path = paths.emplace_back();
    for (const auto& [axis, hops] : moves) {
      if (axis == 'x') {
        walk(path, torus.x_axis(), x < 0 ? -hops : hops);
      } else {
        walk(path, torus.y_axis(), y < 0 ? -hops : hops);
      }
    }
  }
  return paths;
}

}  // namespace

std::uint64_t length(const Path& path) {
  std::uint64_t hops = 0;
  for (const Leg& leg : path) hops += leg.hops;
  return hops;
}

std::vector<std::uint64_t> lengths(const std::vector<Path>& paths) {
  std::vector<std::uint64_t> hops(paths.size());
  std::transform(paths.begin(), paths.end(), hops.begin(), length);
  return hops;
}

Path shortest_path(const MachineSpec& machine, Rank from, Rank to) {
  Path path;
  if (is_cube(machine)) {
    for (const Port dimension : ecube_path(from, to)) cross(path, dimension);
  } else if (is_ring(machine)) {
    walk(path, axis_of_ring(machine), axis_of_ring(machine).offset(from, to));
  } else {
    const SquareTorus torus(machine);
    walk(path, torus.x_axis(), torus.x_axis().offset(torus.x(from), torus.x(to)));
    walk(path, torus.y_axis(), torus.y_axis().offset(torus.y(from), torus.y(to)));
  }
  return path;
}

std::vector<Path> disjoint_paths(const MachineSpec& machine, Rank from, Rank to) {
  if (is_cube(machine)) return disjoint_paths_on_cube(static_cast<Port>(machine.ports), from, to);
  if (is_ring(machine)) return both_arcs(axis_of_ring(machine), from, to);
  return disjoint_paths_on_torus(SquareTorus(machine), from, to);
}

Rank farthest(const MachineSpec& machine, Rank from) {
  if (is_cube(machine)) return static_cast<Rank>(machine.processors - 1) ^ from;
  if (is_ring(machine)) return axis_of_ring(machine).farthest(from);
  const SquareTorus torus(machine);
  return torus.rank(torus.x_axis().farthest(torus.x(from)), torus.y_axis().farthest(torus.y(from)));
}

}  // namespace lockstep::send
