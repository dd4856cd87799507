#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// The labels of a whole block; a block that is for all is labelled as one for its origin itself.
struct BlockLabels {
  Rank origin = no_rank;       ///< whose it is
  Rank destination = no_rank;  ///< for whom it is

  friend bool operator==(const BlockLabels&, const BlockLabels&) = default;
};

/// One block over one link. A default-made move says that there is none.
struct Move {
  Rank from = no_rank;         ///< who sends
  Rank to = no_rank;           ///< who receives
  Rank origin = no_rank;       ///< whose the block is
  Rank destination = no_rank;  ///< for whom the block is

  /// What is moved.
  BlockLabels block() const { return {origin, destination}; }
  /// Whether there is a move.
  explicit operator bool() const { return from != no_rank; }
  friend bool operator==(const Move&, const Move&) = default;
};

/// What a schedule of whole blocks has to bring about, by the name of the operation. Every block begins at its origin.
struct Task {
  std::string operation = "alltoall";  ///< the catalogue's name
  Rank root = 0;                       ///< of broadcast, scatter and gather
  Rank few = 0;  ///< of some-to-all and all-to-some: the ranks below it have data for all, or receive from all

  friend bool operator==(const Task&, const Task&) = default;
};

/// Whether schedules can tell of the operation: its methods may move whole blocks and nothing else.
bool moves_blocks(std::string_view operation);
/// Whether the operation has a root, and whether it has the few.
bool has_root(std::string_view operation);
/// Whether the operation has a few processors with data for all, or receiving from all.
bool has_few(std::string_view operation);

/// The blocks of a task on so many processors, and where they have to be in the end.
///
///     alltoall                 one for every ordered pair of processors, at its destination
///     scatter, gather          the same of those pairs whose origin, or whose destination, is the root
///     some-to-all, all-to-some the same of those whose origin, or whose destination, is below `few`
///     broadcast, allgather     one of the root, or of everybody, which all hold in the end
///     permute, transpose, send those that the schedule moves, whichever pairs of processors they are for, as above
class TaskBlocks {
 public:
  /// The operation must be one of these, and the ranks in the task less than `nodes`.
  TaskBlocks(const Task& task, Rank nodes);

  /// Processors of the task.
  Rank nodes() const { return nodes_; }
  /// Whether everybody holds every block in the end; a sender keeps what it sends.
  bool are_for_all() const { return for_all_; }
  /// Whether only the schedule tells which there are; others stay where they are.
  bool are_told_by_moves() const { return told_by_moves_; }
  /// Whether the task has that block, or may have it, and it has somewhere to go.
  bool has(const BlockLabels& block) const;
  /// How many blocks there are or may be, those with nowhere to go among them; the number of a block, from 0.
  std::size_t numbers() const;
  /// The place of a block that the task has, below numbers().
  std::size_t number(const BlockLabels& block) const;

  /// The ranks with blocks of their own, and those for whom a block of each is: all with numbers from first on.
  Rank first_origin() const { return first_origin_; }
  /// One past the last of those with blocks.
  Rank end_of_origins() const { return end_of_origins_; }
  /// The first for whom a block of each is.
  Rank first_destination() const { return first_destination_; }
  /// One past the last of these.
  Rank end_of_destinations() const { return end_of_destinations_; }

 private:
  Rank nodes_;
  Rank first_origin_ = 0;
  Rank end_of_origins_;
  Rank first_destination_ = 0;
  Rank end_of_destinations_;
  bool for_all_ = false;
  bool told_by_moves_ = false;
};

}  // namespace lockstep
