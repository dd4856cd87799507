#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "written/holdings.hpp"
#include "written/plan.hpp"

namespace lockstep::written {

/// The places of a plan's chunks during a walk, step by step.
class PlanPlaces {
 public:
  explicit PlanPlaces(const Plan& plan);

  const Chunks& chunks() const { return chunks_; }

  /// Whether the processor has the chunk, or a part of its sum. Chunks in transit are nowhere.
  bool has(Rank node, const ChunkTransfer& transfer);
  /// The only processor that has a chunk that is not copied; no_rank while it is in transit.
  Rank holder(const ChunkTransfer& transfer) const;
  /// Whether the sender can make what it sends from what it has.
  bool can_give(const ChunkTransfer& transfer);

  /// The sender sends it. The receiver has it after arrive(), which is called, in the same order, when all transfers of
  /// the step have left.
  void leave(const ChunkTransfer& transfer);
  /// Returns a rank whose summand the receiver would add for the second time, if there is one.
  std::optional<Rank> arrive(const ChunkTransfer& transfer);

  /// Throws ScheduleError unless every chunk is where it should be after `steps` steps.
  void check_end(std::uint64_t steps);

 private:
  void put(const ChunkTransfer& transfer, Rank node);
  void check_arrival(const std::string& after, std::uint64_t steps, const ChunkTransfer& transfer) const;
  void check_copies(const std::string& after, std::uint64_t steps, const BlockLabels& block);
  bool lacks(Rank node, const ChunkTransfer& transfer);

  const Plan& plan_;
  Chunks chunks_;
  std::vector<Rank> holders_;                 // by number, of chunks that one processor has at a time
  std::map<std::uint64_t, Rank> moved_;       // the same for those determined by moves, once they have moved
  std::vector<bool> holds_;                   // by number and node, of chunks that all hold in the end
  std::unordered_set<std::uint64_t> copies_;  // number and node of copies of other chunks, besides those at the origin
  std::optional<Holdings> sums_;              // of chunks that are summed up
  std::vector<Summands> leaving_;             // of the transfers of the step, in their order
  std::size_t arrived_ = 0;                   // of those
};

}  // namespace lockstep::written
