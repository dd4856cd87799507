#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/algorithms/schedule.hpp"

// What the alltoall methods of Dimakopoulos & Dimopoulos share: their counts and the program that follows a schedule.
// Messages are not combined: each is a block that travels alone.
namespace lockstep::alltoall::parcels {

/// A block that has reached its processor while its place may still be taken.
struct Arrival {
  Rank place;
  Block block;
};

/// One factor of the machine, along which blocks travel.
struct ParcelFactor {
  std::shared_ptr<const TurnSchedule> schedule;
  /// The port by which a processor whose coordinate in the factor is `from` reaches its neighbour at `to`.
  std::function<Port(Rank from, Rank to)> port;
};

inline constexpr Parameter schedules_parameter{
    "schedules", "schedule of each factor, in order, or one for all: factor (its own), cayley or greedy",
    "the first of them that the factor has"};

/// The factors of alltoall/factor and alltoall/product: the machine's indivisible dimensions, each with the schedule
/// that resolve() has chosen for it. Finding a port takes time that does not depend on the number of ports, except for
/// factors that have no schedule of their own.
std::vector<ParcelFactor> factors_of(const MachineSpec& machine, const Settings& settings);

/// The product of the factors' schedules (dimakopoulos.md, Products).
ProductSchedule product_of(const std::vector<ParcelFactor>& factors);

/// Default and range of --words, and of --schedules: what each factor runs, "factor" (dimakopoulos.md, Rings to Paths),
/// "cayley" (dimakopoulos.md, Cayley graphs) or "greedy" (dimakopoulos.md, Greedy), the first that exists unless one is
/// named; one name if it is the same for all. Throws InputError too if a factor has one node.
void resolve(const MachineSpec& machine, const Model& model, Settings& settings);
/// As above for a machine that is a factor itself, which may have one node.
void resolve_factor(const MachineSpec& machine, const Model& model, Settings& settings);

/// Counts of the chosen schedules (dimakopoulos.md, Cayley graphs to Products): exact, but an upper bound of the steps
/// where a factor's schedule is greedy; a count that exceeds 64 bits, or is not known, is left empty.
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Bytes of the tables of a factor's schedule.
Wide bytes_of_cayley_schedule(const MachineSpec& factor);
Wide bytes_of_greedy_schedule(const MachineSpec& factor);

/// Bytes of the machine and the blocks, with that many nodes in the longest factor.
Wide bytes_of_blocks(const MachineSpec& machine, const Model& model, const Settings& settings,
                     std::uint64_t longest_factor);
/// As above with the schedules of factors_of(); the largest 64-bit number if they are more.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Runs the product of the factors' schedules (dimakopoulos.md, Products) and verifies the blocks of every processor.
Outcome run_factors(const RunRequest& request, const std::vector<ParcelFactor>& factors);
/// As above with factors_of() the request.
Outcome run(const RunRequest& request);

}  // namespace lockstep::alltoall::parcels
