#pragma once

#include "lockstep/core/topology.hpp"

// Small machines wired by hand: the core's tests know nothing of machines/.
namespace lockstep::wirings {

/// Ranks in a row; port 0 leads to rank + 1, port 1 to rank - 1.
inline Topology path(Rank length) {
  return Topology("path", length, 2, [length](Rank rank, Port port) {
    if (port == 0) return rank + 1 < length ? End{rank + 1, 1} : End{};
    return rank > 0 ? End{rank - 1, 0} : End{};
  });
}

/// A path closed to a ring of three or more; port 0 leads to rank + 1, port 1 to rank - 1.
inline Topology ring(Rank length) {
  return Topology("ring", length, 2, [length](Rank rank, Port port) {
    return port == 0 ? End{(rank + 1) % length, 1} : End{(rank + length - 1) % length, 0};
  });
}

/// 2^dimensions ranks; port p leads to rank xor 2^p.
inline Topology cube(Port dimensions) {
  return Topology("cube", Rank{1} << dimensions, dimensions, [](Rank rank, Port port) {
    return End{rank ^ (Rank{1} << port), port};
  });
}

/// Rank 0 is the hub; its port p leads to port 0 of leaf p + 1. The other ports of the leaves have no link.
inline Topology star(Rank leaves) {
  return Topology("star", leaves + 1, leaves, [](Rank rank, Port port) {
    if (rank == 0) return End{port + 1, 0};
    return port == 0 ? End{0, rank - 1} : End{};
  });
}

/// All ranks are neighbours: port p of rank r leads to (r + p + 1) mod size.
inline Topology complete(Rank size) {
  return Topology("complete", size, size - 1, [size](Rank rank, Port port) {
    return End{(rank + port + 1) % size, size - 2 - port};
  });
}

/// Two ranks joined by several links, port p to port p.
inline Topology pair(Port links = 1) {
  return Topology("pair", 2, links, [](Rank rank, Port port) { return End{1 - rank, port}; });
}

/// One processor without neighbours.
inline Topology single(Port ports = 0) {
  return Topology("single", 1, ports, [](Rank, Port) { return End{}; });
}

inline Topology bus(Rank processors, std::uint64_t kstar) {
  return Topology("bus", processors, Medium{MediumKind::bus, kstar, nullptr});
}

inline Topology memory(Rank processors, std::uint64_t kstar) {
  return Topology("memory", processors, Medium{MediumKind::memory, kstar, nullptr});
}

inline Topology crossbar(Rank processors, Medium::Network network = nullptr) {
  return Topology("switch", processors, Medium{MediumKind::crossbar, ~std::uint64_t{0}, network});
}

}  // namespace lockstep::wirings
