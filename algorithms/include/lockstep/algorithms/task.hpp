#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// The labels of a whole block; a block that is for all has its origin as destination.
struct BlockLabels {
  Rank origin = no_rank;       ///< the rank that it comes from
  Rank destination = no_rank;  ///< the rank that it is for

  friend bool operator==(const BlockLabels&, const BlockLabels&) = default;
};

/// One block over one link. A default-made move is empty.
struct Move {
  Rank from = no_rank;         ///< the sender
  Rank to = no_rank;           ///< the receiver
  Rank origin = no_rank;       ///< the rank that the block comes from
  Rank destination = no_rank;  ///< the rank that the block is for

  /// The block's labels.
  BlockLabels block() const { return {origin, destination}; }
  /// Whether there is a move.
  explicit operator bool() const { return from != no_rank; }
  friend bool operator==(const Move&, const Move&) = default;
};

/// The required result of a schedule of whole blocks, by the name of the operation. Every block begins at its origin.
struct Task {
  std::string operation = "alltoall";  ///< the catalogue's name
  Rank root = 0;                       ///< of broadcast, scatter and gather
  Rank few = 0;  ///< of some-to-all and all-to-some: the ranks below it have data for all, or receive from all

  friend bool operator==(const Task&, const Task&) = default;
};

/// Whether schedules can describe the operation: its methods may move whole blocks and nothing else.
bool moves_blocks(std::string_view operation);
/// Whether the operation has a root.
bool has_root(std::string_view operation);
/// Whether the operation has a few processors with data for all, or receiving from all.
bool has_few(std::string_view operation);

/// The blocks of a task on `nodes` processors, and their final places.
///
///     alltoall                 one for every ordered pair of processors, at its destination
///     scatter, gather          of those, the pairs whose origin, or whose destination, is the root
///     some-to-all, all-to-some of those, the pairs whose origin, or whose destination, is below `few`
///     broadcast, allgather     one of the root, or of every processor; all hold it in the end
///     permute, transpose, send those that the schedule moves, for any pairs of processors, as above
class TaskBlocks {
 public:
  /// The operation must be one of these, and the ranks in the task less than `nodes`.
  TaskBlocks(const Task& task, Rank nodes);

  /// Processors of the task.
  Rank nodes() const { return nodes_; }
  /// Whether every processor holds every block in the end; a sender keeps what it sends.
  bool are_for_all() const { return for_all_; }
  /// Whether only the schedule determines which blocks there are; others stay where they are.
  bool are_told_by_moves() const { return told_by_moves_; }
  /// Whether the task has that block, or may have it, and the block has to move.
  bool has(const BlockLabels& block) const;
  /// How many blocks there are or may be, those that do not move included; the number of a block, from 0.
  std::size_t numbers() const;
  /// The place of a block that the task has, below numbers().
  std::size_t number(const BlockLabels& block) const;

  /// The ranks with blocks of their own, and those that blocks are for: all of them from `first` on.
  Rank first_origin() const { return first_origin_; }
  /// One past the last rank with a block.
  Rank end_of_origins() const { return end_of_origins_; }
  /// The first rank that blocks are for.
  Rank first_destination() const { return first_destination_; }
  /// One past the last rank that blocks are for.
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
