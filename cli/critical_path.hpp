#pragma once

#include <cstddef>
#include <vector>

#include "lockstep/algorithms/run_observer.hpp"
#include "lockstep/core/faults.hpp"

namespace lockstep::cli {

/// A message that the end of a run has waited for.
struct CriticalMessage {
  Rank from = no_rank;
  Rank to = no_rank;
  Cycle cycle = 0;    ///< in which it was sent
  double start = 0;   ///< of the transfer, on the asynchronous clock
  double end = 0;     ///< when it has arrived
  double waited = 0;  ///< how long nothing else came to the receiver, or left it, before that
};

/// Takes down when messages are on their way, and finds the chain of those that the last one has waited for: for its
/// data at its sender, for its sender's port, or, where processors use one port at a time, for its receiver's.
class TransferTimes : public RunObserver {
 public:
  /// Of a run under these rules, store-and-forward. Both must outlive it.
  TransferTimes(const Model& model, const Faults& faults) : model_(model), faults_(faults) {}

  void barrier(MovingMessages& messages) override;

  /// In the order in which they follow each other; none if there were more than most_messages.
  std::vector<CriticalMessage> critical_path() const;

  /// What is taken down of each takes some 40 bytes.
  static constexpr std::size_t most_messages = 10'000'000;

 private:
  struct Transfer {
    Rank from;
    Rank to;
    Cycle cycle;
    double start;
    double end;
  };

  const Model& model_;
  const Faults& faults_;
  std::vector<Transfer> transfers_;
  bool is_complete_ = true;
};

}  // namespace lockstep::cli
