#pragma once

#include <vector>

#include "lockstep/algorithms/operation/collection.hpp"
#include "plans/turns/both_ways.hpp"

// Daisy chains: all blocks go once round a ring (Saad & Schultz 1985, section 4.1), or both ways along a path.
namespace lockstep::allgather {

/// A processor's neighbours and its place on a ring.
struct RingNeighbours {
  Rank next = no_rank;
  Rank previous = no_rank;
  Rank place = 0;
};

/// The neighbours of a place on a ring of k places; at(place) gives the processor there.
template <class At>
RingNeighbours neighbours_at(Rank place, Rank k, const At& at) {
  return {at(place == k - 1 ? 0 : place + 1), at(place == 0 ? k - 1 : place - 1), place};
}

/// On the skewed ring through all processors of a torus, which goes on by a row or a column; on the ring that winds
/// through all rows where there is no skewed one.
RingNeighbours skew_ring(const MachineSpec& machine, Rank rank);
/// On the ring that winds through all rows of a torus or mesh. Throws InputError if there is no ring.
RingNeighbours snake_ring(const MachineSpec& machine, Rank rank);

/// The ports that lead to them.
struct RingPorts {
  Port next = 0;
  Port previous = 0;
};

/// The ports of a processor whose neighbours are on links; over a switch a port is the other processor's rank.
RingPorts ports_to(const Processor<Bundle>& self, const RingNeighbours& neighbours);

/// Whether the places of a ring send in turns: where a processor only sends or only receives in a step, and where links
/// are half duplex and both ways round the ring are one link.
bool circulates_by_turns(const Model& model, bool on_medium, Rank size);

/// Steps of circulate(): size - 1, or in turns 2 (size - 1) if the size is even and 2 size if it is odd and more than 1
/// (saad-schultz-1988.md, Ring allgather).
std::uint64_t circulation_steps(Rank size, bool by_turns);

/// A processor's place on a ring, and when the ring begins.
struct RingPlace {
  Rank place = 0;
  Rank size = 1;
  bool by_turns = false;
  Cycle begin = 0;  ///< matters by turns
};

/// Sub-program of all processors of a ring: each collects the data of all others. It sends its own to the next, and
/// then forwards what it receives from the previous one, until that has been everywhere, over one port in each step.
/// Every link is used in one direction only, so that half duplex is enough. The processor's own data must outlive the
/// sub-program.
Process circulate(Processor<Bundle>& self, RingPorts ports, RingPlace ring, const Bundle& own, Collection& collection);

/// As above on a path, both ways to its ends: size-1 steps, or twice as many unless both senses go at once.
Process spread_along(Processor<Bundle>& self, turns::PathPlace path, bool at_once, const Bundle& own,
                     Collection& collection);

// An allgather on a ring through all k processors.
namespace daisy_chain {

/// The neighbours on the ring of the Gray code on a cube, and on a ring or a switch in the order of the ranks.
RingNeighbours gray_ring(const MachineSpec& machine, Rank rank);
RingNeighbours whole_ring(const MachineSpec& machine, Rank rank);
/// The neighbours of every node on the ring through all nodes of a reduced hypercube; on the machine of two over its
/// link and back (mukherjee.md, Embeddings).
std::vector<RingNeighbours> reduced_ring(const MachineSpec& machine);

/// The program of every processor, with its own block in its collection, from cycle `begin` on.
Process collect(Processor<Bundle>& self, RingNeighbours neighbours, Collection& collection, Cycle begin = 0);

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);

/// `ring` gives the neighbours on a ring through all processors of the machine.
Outcome run(const RunRequest& request, RingNeighbours (*ring)(const MachineSpec& machine, Rank rank));

}  // namespace daisy_chain
}  // namespace lockstep::allgather
