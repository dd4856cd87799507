#pragma once

#include "collection.hpp"

// Daisy chains: what everybody has goes once round a ring (Saad & Schultz 1985, section 4.1).
namespace lockstep::allgather {

/// A processor's neighbours on a ring.
struct RingNeighbours {
  Rank next = no_rank;
  Rank previous = no_rank;
};

/// The ports to them.
struct RingPorts {
  Port next = 0;
  Port previous = 0;
};

/// The ports of the processor that lead to its neighbours, the first of several.
RingPorts ports_to(const Processor<Bundle>& self, RingNeighbours neighbours);

/// Sub-program of all processors of a ring of so many: everybody collects what the others have. Each sends to the next
/// what it has itself, and then what comes from the previous one, until it has been everywhere: size-1 steps with one
/// port. Directions of links are used once a step, so that links in half duplex do, unless the ring has only 2
/// processors. What the processor has itself must outlive the sub-program.
Process circulate(Processor<Bundle>& self, RingPorts ring, Rank size, const Bundle& own, Collection& collection);

// An allgather on a ring through all k processors.
namespace daisy_chain {

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);

/// `ring` gives the neighbours on a ring through all processors of the machine.
Outcome run(const RunRequest& request, RingNeighbours (*ring)(const MachineSpec& machine, Rank rank));

}  // namespace daisy_chain
}  // namespace lockstep::allgather
