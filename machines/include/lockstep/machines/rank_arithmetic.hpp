#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

// Arithmetic on the ranks of machines whose processors share a medium and address each other by rank.
namespace lockstep {

/// The rank that many places after this one, modulo the number of processors.
inline Rank shifted(Rank rank, std::uint64_t by, Rank processors) {
  return static_cast<Rank>((rank + by) % processors);
}
/// The distance of the rank after the root, modulo the number of processors.
inline Rank offset_from(Rank root, Rank rank, Rank processors) {
  return rank >= root ? rank - root : processors - (root - rank);
}
/// All ranks but this one, ascending.
std::vector<Rank> all_but(Rank rank, Rank processors);
/// The place of a rank among all_but(without).
inline Rank place_without(Rank without, Rank rank) { return rank < without ? rank : rank - 1; }

/// ceil(log2 k): the fewest steps in which the data of one of k processors can reach all, or the data of all can reach
/// one, if in a step every processor sends one message and receives one. saad-schultz-1988.md, Switch.
inline std::uint64_t doublings(std::uint64_t processors) {
  return static_cast<std::uint64_t>(std::bit_width(processors - 1));
}

/// Whether one message over the medium can go to all others at once.
inline bool says_to_all(const Medium& medium, const Model& model) {
  return model.multicast && (medium.kind == MediumKind::bus || medium.copies);
}
/// The fewest steps in which one processor's data can reach all others over a bus or switch.
inline std::uint64_t broadcast_steps(const MachineSpec& machine, const Model& model) {
  if (machine.processors == 1) return 0;
  return says_to_all(*machine.medium, model) ? 1 : doublings(machine.processors);
}

/// The most transactions of a cycle, or accesses to a memory: kstar, or one per bank if there are fewer banks.
inline std::uint64_t users_at_once(const Medium& medium) {
  return medium.banks == 0 ? medium.users : std::min(medium.users, medium.banks);
}
/// R(a) = ceil(a / kstar): cycles in which this many processors each access a medium once, kstar per cycle, or one per
/// bank if there are fewer banks. Consecutive slots are in different banks. saad-schultz-1988.md, Shared memory.
inline std::uint64_t rounds(const Medium& medium, std::uint64_t accesses) {
  const std::uint64_t at_once = users_at_once(medium);
  return accesses / at_once + (accesses % at_once != 0 ? 1 : 0);
}
/// The cycle, from 0, in which the processor at that place among them has its own.
inline Cycle round_of(const Medium& medium, Rank place) { return place / users_at_once(medium); }

}  // namespace lockstep
