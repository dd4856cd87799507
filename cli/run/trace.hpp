#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lockstep/algorithms/fault.hpp"
#include "lockstep/algorithms/move_log.hpp"
#include "lockstep/algorithms/run_observer.hpp"
#include "lockstep/core/detail/fault_table.hpp"
#include "run_plan.hpp"
#include "trace_limits.hpp"

namespace lockstep::cli::run {

/// One message as a run counts it: a journey over a link, a transaction on a medium.
struct TracedMessage {
  Cycle cycle = 0;
  Rank from = no_rank;  ///< memory_rank when a memory is read
  Port port = 0;        ///< of the sender; on a bus and a switch the first receiver, around a memory the first slot
  std::uint64_t words = 0;
  std::uint64_t startups = 1;
  double start = 0;  ///< on the asynchronous clock: the end minus the message's cost to its sender
  double end = 0;    ///< when it arrives
  std::uint32_t phase = 0;
  std::uint32_t receivers = 1;
  std::size_t first_receiver = 0;
  std::size_t first_block = 0;
  std::size_t blocks = 0;
  bool lists_blocks = false;  ///< whether its blocks are known
};

/// A cycle with kept messages, and its start and end by the host's clock in seconds since the recorder was made. It
/// starts when the one before it ended.
struct TracedCycle {
  Cycle cycle = 0;
  std::size_t first_message = 0;
  double wall_start = 0;
  double wall_end = 0;
};

/// Messages of a run that a trace has left out.
struct LeftOut {
  std::uint64_t before_from_cycle = 0;
  std::uint64_t of_other_ranks = 0;
  std::uint64_t past_max_events = 0;
  std::uint64_t block_lists = 0;  ///< kept messages without the list of their blocks

  std::uint64_t messages() const { return before_from_cycle + of_other_ranks + past_max_events; }
};

/// What moved in a run, in the order of cycle, sender and port. Its memory grows with the messages that are kept.
class Trace {
 public:
  const std::vector<TracedMessage>& messages() const { return messages_; }
  const std::vector<TracedCycle>& cycles() const { return cycles_; }
  std::span<const TracedMessage> messages_of(std::size_t cycle_index) const;
  /// Processors with their ports; for a write to a memory memory_rank with the slots, for a read the reader with the
  /// slots.
  std::span<const End> receivers(const TracedMessage& message) const {
    return std::span(receivers_).subspan(message.first_receiver, message.receivers);
  }
  /// The fate of each receiver's copy; empty if faults affect no message of the run.
  std::span<const Fate> fates(const TracedMessage& message) const {
    if (fates_.empty()) return {};
    return std::span(fates_).subspan(message.first_receiver, message.receivers);
  }
  std::span<const BlockLabels> blocks(const TracedMessage& message) const {
    return std::span(blocks_).subspan(message.first_block, message.blocks);
  }
  const std::string& phase(const TracedMessage& message) const { return phases_[message.phase]; }
  const LeftOut& left_out() const { return left_out_; }
  /// Whether blocks were divided, so that several messages may carry parts of one.
  bool has_parts() const { return has_parts_; }

 private:
  friend class TraceRecorder;

  std::vector<TracedMessage> messages_;
  std::vector<TracedCycle> cycles_;
  std::vector<End> receivers_;
  std::vector<Fate> fates_;  // of the receivers
  std::vector<BlockLabels> blocks_;
  std::vector<std::string> phases_{""};
  LeftOut left_out_;
  bool has_parts_ = false;
};

/// Throws InputError if the limits name a rank that the machine does not have.
void refuse_ranks(const TraceLimits& limits, const MachineSpec& machine);

/// The most that a trace of a run keeps; there may be more parts of blocks.
struct TraceBound {
  std::uint64_t messages = 0;
  std::uint64_t cycles = 0;
  std::uint64_t blocks = 0;

  /// Includes the memory of the forms that sort messages.
  std::uint64_t bytes() const;
};
TraceBound trace_bound(const RunPlan& plan, const TraceLimits& limits);

/// Records a trace of a run of the plan.
class TraceRecorder : public RunObserver {
 public:
  /// Throws what refuse_ranks() throws.
  TraceRecorder(const RunPlan& plan, const TraceLimits& limits);

  void barrier(MovingMessages& messages) override;

  const Trace& trace() const { return trace_; }

 private:
  /// The number of messages from `first` on that count as one.
  std::size_t transaction(const MovingMessages& messages, std::size_t first) const;
  bool is_kept(const MovingMessages& messages, std::size_t first, std::size_t count);
  void keep(const MovingMessages& messages, std::size_t first, std::size_t count);
  void list_blocks(const MovingMessages& messages, std::size_t first, TracedMessage& message);
  std::uint32_t phase_number(std::string_view name);
  double seconds() const;

  const Model model_;
  const detail::FaultTable faults_;
  const MessageFaults message_faults_;
  const bool on_medium_;
  const bool in_memory_;
  const TraceLimits limits_;
  std::vector<bool> is_wanted_;  // by rank; empty if all are
  bool moves_blocks_ = false;    // with labels; else the content of messages is unknown
  MoveLog log_;
  std::vector<Move> moves_;
  Trace trace_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double wall_ = 0;
};

}  // namespace lockstep::cli::run
