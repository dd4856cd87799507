#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/schedule.hpp"
#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/algorithms/task.hpp"

// Written schedules, of blocks and of chunks, as one type, which one reader, writer, checker and executor share.
namespace lockstep::written {

/// One chunk of a block over one link in one step.
struct ChunkTransfer {
  Rank from = no_rank;         ///< the sender
  Rank to = no_rank;           ///< the receiver
  Rank origin = no_rank;       ///< the rank that the block comes from; of a sum, the processor that numbers it
  Rank destination = no_rank;  ///< the rank that it is for: the origin, where it is for all
  std::uint32_t chunk = 0;     ///< number among the block's chunks
  std::uint32_t sum : 31 = 0;  ///< place of its summands in Plan::sums, from 1; 0: all that the sender has
  std::uint32_t adds : 1 = 0;  ///< the receiver adds it to what it has

  BlockLabels block() const { return {origin, destination}; }
};

/// The form of a written schedule.
enum class PlanForm {
  blocks,  ///< whole blocks; one for a single processor leaves its sender
  chunks   ///< chunks and sums of them; a sender keeps copies
};

/// A schedule, in any form of file or program. In the form of blocks, a block is one chunk, and nothing is added to it.
struct Plan {
  PlanForm form = PlanForm::blocks;
  Rank nodes = 0;
  Task task{};
  std::uint32_t chunks = 1;                ///< of a block
  Rank owners = 0;                         ///< as in ChunkTask
  bool combined = false;                   ///< all that crosses one link in one step is one message
  std::vector<ChunkTransfer> transfers{};  ///< of all steps, one after the other
  std::vector<std::size_t> ends{};         ///< by step, one past its last transfer
  std::vector<std::vector<Rank>> sums{};   ///< summands of messages that hold a part of what the sender has, ascending

  std::size_t steps() const { return ends.size(); }
  std::span<const ChunkTransfer> step(std::size_t number) const {
    const std::size_t first = number == 0 ? 0 : ends[number - 1];
    return std::span(transfers).subspan(first, ends[number] - first);
  }
  /// Ends a step: transfers added from now on belong to the next one.
  void end_step() { ends.push_back(transfers.size()); }
  /// The summands that a transfer of this plan names; none: all that the sender has.
  const std::vector<Rank>& summands(const ChunkTransfer& transfer) const;
};

/// The numbers of a plan's sums while it is made.
class SumNumbers {
 public:
  /// Makes these ranks, ascending, the summands of the transfer; with no ranks it has all that the sender has. All
  /// calls must have the same plan.
  void set_summands(ChunkTransfer& transfer, const std::vector<Rank>& ranks, Plan& plan);

 private:
  std::map<std::vector<Rank>, std::uint32_t> numbers_;
};

/// The same schedule. One that is passed by value is freed step by step.
Plan plan_of(Schedule schedule);
Plan plan_of(const ChunkSchedule& schedule);
Schedule schedule_of(const Plan& plan);
ChunkSchedule chunk_schedule_of(const Plan& plan);

inline ChunkTransfer transfer_of(const Move& move) { return {move.from, move.to, move.origin, move.destination}; }
inline Move move_of(const ChunkTransfer& transfer) {
  return {transfer.from, transfer.to, transfer.origin, transfer.destination};
}

/// Whether every processor begins with a summand of every chunk.
bool is_summed_up(std::string_view operation);
/// Whether the operation has a root in schedules of chunks: reduce, and those with has_root().
bool has_root_in_chunks(std::string_view operation);
/// Whether a processor's data are blocks, each with an origin or a destination of its own: allgather, alltoall, gather
/// and scatter.
bool is_of_blocks(std::string_view operation);

/// "the schedule is for 8 processors, switch:4 has 4", for errors.
std::string other_size(std::uint64_t of_schedule, std::string_view machine, std::uint64_t of_machine);

/// The chunks of a plan's task, their first places, and their required final places.
class Chunks {
 public:
  /// Throws std::invalid_argument if no schedule of that form can have the operation.
  Chunks(PlanForm form, const Task& task, Rank nodes, std::uint32_t chunks = 1, Rank owners = 0);
  explicit Chunks(const Plan& plan) : Chunks(plan.form, plan.task, plan.nodes, plan.chunks, plan.owners) {}

  /// Whether every processor begins with a summand of every chunk.
  bool are_summed() const { return summed_; }
  /// Whether all processors hold all chunks in the end.
  bool are_for_all() const { return for_all_; }
  /// Whether a chunk may be at several processors, as the sender keeps it.
  bool are_copied() const { return copied_; }
  bool are_told_by_moves() const { return blocks_.are_told_by_moves(); }

  bool has(const ChunkTransfer& transfer) const {
    return transfer.chunk < chunks_ && transfer.origin < end_of_origins_ && blocks_.has(transfer.block());
  }
  /// How many there are or may be.
  std::uint64_t numbers() const { return std::uint64_t{blocks_.numbers()} * chunks_; }
  /// The place of a chunk that the task has, below numbers().
  std::uint64_t number(const BlockLabels& block, std::uint32_t chunk) const {
    return std::uint64_t{blocks_.number(block)} * chunks_ + chunk;
  }
  std::uint64_t number(const ChunkTransfer& transfer) const { return number(transfer.block(), transfer.chunk); }
  /// The chunk at that place.
  std::pair<BlockLabels, std::uint32_t> at(std::uint64_t number) const;

  /// Whether the processor has to hold the block in the end.
  bool ends_at(Rank rank, const BlockLabels& block) const { return for_all_ || rank == block.destination; }

  /// Calls visit(labels) for every block, by origin and destination; not for those determined by moves.
  template <class Visit>
  void for_each_block(const Visit& visit) const {
    for (Rank origin = blocks_.first_origin(); origin < end_of_origins_; ++origin) {
      if (blocks_.are_for_all()) {
        visit(BlockLabels{origin, origin});
        continue;
      }
      for (Rank to = blocks_.first_destination(); to < blocks_.end_of_destinations(); ++to) {
        if (to != origin) visit(BlockLabels{origin, to});
      }
    }
  }

  /// The chunk's name for users: "0->2", "the block of 0", "chunk 1 of 0" or "chunk 1 of 0 for 2".
  std::string text(const BlockLabels& block, std::uint32_t chunk) const;
  std::string text(const ChunkTransfer& transfer) const { return text(transfer.block(), transfer.chunk); }

 private:
  TaskBlocks blocks_;
  PlanForm form_;
  std::uint32_t chunks_;
  Rank end_of_origins_;
  bool summed_;
  bool for_all_;
  bool copied_;
};

}  // namespace lockstep::written
