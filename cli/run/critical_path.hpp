#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lockstep/algorithms/run_observer.hpp"
#include "lockstep/core/detail/fault_table.hpp"
#include "lockstep/core/observer.hpp"
#include "run_plan.hpp"

namespace lockstep::cli::run {

/// A message that the end of a run has waited for; on a memory an access to a slot. Or local work of a processor, which
/// is both ends of it.
struct CriticalMessage {
  Rank from = no_rank;  ///< memory_rank, where a memory is read
  Rank to = no_rank;    ///< memory_rank, where it is written
  Cycle cycle = 0;      ///< in which it was sent
  double start = 0;     ///< of the transfer, on the asynchronous clock
  double end = 0;       ///< when it has arrived
  double waited = 0;    ///< how long until then nothing else was on its way to the receiver, or from it

  /// The processor whose time it takes: who reads a memory, else the sender.
  Rank mover() const { return from == memory_rank ? to : from; }
  bool is_local_work() const { return from == to; }
};

/// Whether a run of the plan has one in its report: where somebody lags behind it is of interest who waits for whom.
bool has_critical_path(const RunPlan& plan);

/// Takes down when messages are on their way, and finds the chain of those that the last one has waited for: for the
/// clock of its sender's sends or of its receiver's receives, which under `all` and `ring` each port has for itself,
/// for its data at its sender, or for the bus or the memory, which is free when all accesses of earlier cycles have
/// ended.
class TransferTimes : public RunObserver {
 public:
  /// Of a run of the plan, which must outlive it.
  explicit TransferTimes(const RunPlan& plan);

  void barrier(MovingMessages& messages) override;
  void charged(Cycle cycle, std::span<const Charge> charges) override;

  /// Whether there were no more than most_messages, local work among them.
  bool is_complete() const { return is_complete_; }

  /// In the order in which they follow each other; none if it is not complete.
  std::vector<CriticalMessage> critical_path() const;

  /// What is taken down of each, and then sorted, takes some 110 bytes.
  static constexpr std::size_t most_messages = 1'000'000;

 private:
  /// Or local work, from a processor to itself.
  struct Transfer {
    Rank from;
    Port port;
    End to;
    Cycle cycle;
    double start;
    double end;

    Rank mover() const { return from == memory_rank ? to.rank : from; }
    bool is_local_work() const { return from == to.rank; }
  };

  /// Whether there is room for so many more.
  bool has_room(std::size_t more);

  const Model& model_;
  const detail::FaultTable faults_;
  const bool in_memory_;
  const bool takes_turns_;  // for a bus or a memory
  std::vector<Transfer> transfers_;
  bool is_complete_ = true;
};

}  // namespace lockstep::cli::run
