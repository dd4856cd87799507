#pragma once

#include <functional>
#include <memory>
#include <vector>

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

/// One factor of the machine, along which blocks travel.
struct Factor {
  std::shared_ptr<const Schedule> schedule;
  /// The port by which a processor whose coordinate in the factor is `from` reaches its neighbour at `to`.
  std::function<Port(Rank from, Rank to)> port;
};

/// The factors of alltoall/factor and alltoall/product: the machine's indivisible dimensions. Their ports are told in
/// time that does not depend on their number. Throws InputError if there is no schedule for one of them.
std::vector<Factor> factors_of(const MachineSpec& machine);

/// The product of the factors' schedules (X 3).
ProductSchedule product_of(const std::vector<Factor>& factors);

/// The ports of the whole machine as one factor, in time in proportion to their number, or on complete graphs at once.
/// The topology must outlive what is returned.
std::function<Port(Rank from, Rank to)> ports_of(const RunRequest& request);

/// Default and range of --words. Throws InputError too if the machine has a dimension for which there is no schedule.
void resolve(const MachineSpec& machine, const Model& model, Settings& settings);

/// Exact counts (X 2, X 3); one that passes 64 bits is left empty.
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings);

/// The messages take S_G moves, b words each, of which a step has at most n, or with all ports one a directed link:
/// with one port ceil(AS) steps and a longest_sum of ceil(b AS) (X 1). On a path with one port the tree bound is
/// higher: so many messages have to leave the middle node, one after the other. The bounds of the steps hold for
/// messages that are not combined, as X 0 has it; those of the longest_sum hold for all, as they count words.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Bytes of the machine and the blocks, the longest factor having so many nodes.
Wide bytes_of_blocks(const MachineSpec& machine, const Model& model, const Settings& settings,
                     std::uint64_t longest_factor);
/// The same and the schedule of factors_of(machine); the largest 64-bit number if they are more.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Runs the product of the factors' schedules (X 3) and verifies what every processor holds.
Outcome run_factors(const RunRequest& request, const std::vector<Factor>& factors);
/// The same with factors_of(machine).
Outcome run(const RunRequest& request);

}  // namespace lockstep::alltoall::parcels
