#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

// Lower bounds. They belong to a problem: what has to move on which machine under which rules, by whatever schedule.
namespace lockstep {

/// What has to move; m is the length of a block or an operand, in words.
enum class Collective {
  broadcast,       ///< the root's item to all members
  scatter,         ///< from the root a block of its own to every member
  gather,          ///< from every member a block to the root
  allgather,       ///< from every member a block to all members
  alltoall,        ///< from every member a different block to every other
  reduce,          ///< operands of all members, combined, to the root
  allreduce,       ///< the same to all members
  reduce_scatter,  ///< the same, a part of the result to each of them; m words are all parts together
  scan,            ///< operands of the ranks up to each, combined, to it
  exscan,          ///< operands of the ranks below each, combined, to it
  barrier          ///< the arrival of every member to all, in tokens of m words, which are not divided
};

/// The collective of an operation of that name; none if it is no collective.
std::optional<Collective> collective_of(std::string_view operation);

/// The formula of a bound of the synchronous time that follows from those of steps S and longest sum V.
inline constexpr std::string_view bound_of_counts = "S beta + V tau";

/// A problem. The machine and the model must outlive it.
struct Problem {
  Collective collective;           ///< what moves
  const MachineSpec& machine;      ///< where
  const Model& model;              ///< under which rules
  std::uint64_t words = 1;         ///< m; 0 if it is not known
  Rank root = 0;                   ///< of a broadcast, scatter, gather or reduce
  std::vector<Rank> members = {};  ///< ranks that take part, ascending; empty: all
  bool combines = true;            ///< whether a message of an alltoall may have several blocks
};

/// The best bounds known. Blocks and operands may be divided unless messages are not combined; words are moved, copied
/// and combined by the operator, but not coded (a message is no function of several words from which a receiver gets
/// one back). Takes microseconds, on a machine that has to be searched up to 0.1 s; none is known for one that is too
/// large for that.
LowerBound lower_bound(const Problem& problem);

/// The same for all members, an operation, its root if it has one, and whether messages of an alltoall may have several
/// blocks; none is known for an operation that is no collective.
LowerBound bound_of_task(std::string_view operation, Rank root, const MachineSpec& machine, const Model& model,
                         std::uint64_t words, bool combines = true);

/// The larger bound of the steps and that of the longest sum, each with its argument.
LowerBound better_of(LowerBound one, LowerBound other);

/// The same for the problem that a method solves, or what is proven about an operation that is no collective. The
/// settings are resolved.
LowerBound lower_bound(const Method& method, const MachineSpec& machine, const Model& model, const Settings& settings);

}  // namespace lockstep
