#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lockstep/algorithms/run_observer.hpp"
#include "lockstep/core/detail/fault_table.hpp"
#include "lockstep/core/observer.hpp"
#include "run_plan.hpp"

namespace lockstep::cli::run {

/// A message on which the end of a run depends (on a memory, an access to a slot), or a processor's local work, with
/// that processor at both ends.
struct CriticalMessage {
  Rank from = no_rank;  ///< memory_rank when a memory is read
  Rank to = no_rank;    ///< memory_rank when it is written
  Cycle cycle = 0;      ///< of the send
  double start = 0;     ///< of the transfer, on the asynchronous clock
  double end = 0;       ///< of the transfer
  double waited = 0;    ///< how long before the end the receiver sent and received nothing else

  /// The processor whose time it takes: the reader of a memory, else the sender.
  Rank mover() const { return from == memory_rank ? to : from; }
  bool is_local_work() const { return from == to; }
};

/// Whether reports show the critical path of a run of the plan: they do if a processor lags behind.
bool has_critical_path(const RunPlan& plan);

/// Records the times of transfers and finds the chain on which the last one depends. A transfer waits for the clock of
/// its sender's sends or its receiver's receives (one clock a port under `all` and `ring`), for its data at the sender,
/// or for the bus or memory, which is free once all accesses of earlier cycles have ended.
class TransferTimes : public RunObserver {
 public:
  /// The plan is that of the run and must outlive this object.
  explicit TransferTimes(const RunPlan& plan);

  void barrier(MovingMessages& messages) override;
  void charged(Cycle cycle, std::span<const Charge> charges) override;

  /// Whether the run had at most most_messages, including local work.
  bool is_complete() const { return is_complete_; }

  /// In the order of time; empty if it is not complete.
  std::vector<CriticalMessage> critical_path() const;

  /// Recording and sorting one takes about 110 bytes.
  static constexpr std::size_t most_messages = 1'000'000;

 private:
  /// A message, or local work from a processor to itself.
  struct TimedTransfer {
    Rank from;
    Port port;
    End to;
    Cycle cycle;
    double start;
    double end;

    Rank mover() const { return from == memory_rank ? to.rank : from; }
    bool is_local_work() const { return from == to.rank; }
  };

  /// Whether there is room for that many more.
  bool has_room(std::size_t more);

  const Model& model_;
  const detail::FaultTable faults_;
  const bool in_memory_;
  const bool takes_turns_;  // on a bus or a memory
  std::vector<TimedTransfer> transfers_;
  bool is_complete_ = true;
};

}  // namespace lockstep::cli::run
