#pragma once

#include "alltoall.hpp"
#include "lockstep/algorithms/schedule.hpp"

// What the alltoall methods of Dimakopoulos & Dimopoulos share: their counts and the program that follows a schedule.
// Messages are not combined: each is a block that travels alone.
namespace lockstep::alltoall::parcels {

/// A block on its way, with its labels.
struct Parcel {
  Rank origin = no_rank;
  Rank destination = no_rank;
  Block block;
};
inline std::uint64_t words(const Parcel& parcel) { return parcel.block.size(); }
inline void corrupt(Parcel& parcel) { corrupt(parcel.block); }

/// A block that has reached its processor while the place where it is to rest may still be taken.
struct Arrival {
  Rank place;
  Block block;
};

/// The machine's ports, told from coordinates in time that does not depend on their number.
class NeighbourPorts {
 public:
  /// Throws InputError if the machine has a dimension for which there is no schedule.
  explicit NeighbourPorts(const MachineSpec& machine);

  /// The port by which a processor with the coordinate `from` in that dimension reaches its neighbour at `to`.
  Port port(std::size_t dimension, Rank from, Rank to) const {
    const Entry& entry = dimensions_[dimension];
    return entry.first_port + entry.port(entry.nodes, from, to);
  }

 private:
  struct Entry {
    Port first_port;
    Rank nodes;
    Port (*port)(Rank nodes, Rank from, Rank to);
  };

  std::vector<Entry> dimensions_;  // as dimensions() has them
};

/// Default and range of --words. Throws InputError too if the machine has a dimension for which there is no schedule.
void resolve(const MachineSpec& machine, const Model& model, Settings& settings);

/// Exact counts (X 2, X 3); one that passes 64 bits is left empty.
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings);

/// The messages take S_G moves, b words each, of which a step has at most n, or with all ports one a directed link:
/// with one port ceil(AS) steps and a longest_sum of ceil(b AS) (X 1). On a path with one port the tree bound is
/// higher: so many messages have to leave the middle node, one after the other. The bounds of the steps hold for
/// messages that are not combined, as X 0 has it; those of the longest_sum hold for all, as they count words.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Bytes of the machine, the blocks and the schedule; the largest 64-bit number if they are more.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Runs total_exchange_schedule(machine) and verifies what every processor holds.
Outcome run(const RunRequest& request);

}  // namespace lockstep::alltoall::parcels
