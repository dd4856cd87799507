#pragma once

#include <cstdint>

#include "lockstep/algorithms/run_observer.hpp"

namespace lockstep {

/// What can be done to a message.
enum class FaultKind {
  drop,    ///< the message does not arrive
  repeat,  ///< it arrives twice
  swap,    ///< it changes payloads with the next message of its cycle that carries something else, if there is one
  corrupt  ///< every bit of one word of its data is inverted; a string becomes longer
};

/// One fault, done to the `transfer`-th message of a run (from 0, in the order of cycle, sender, port).
struct Fault {
  FaultKind kind = FaultKind::drop;  ///< what is done
  std::uint64_t transfer = 0;        ///< to which message
  bool* done = nullptr;              ///< becomes true when what arrives has been changed
  std::uint64_t* seen = nullptr;     ///< becomes the number of messages of the run
};

/// Does a fault to one run of any method, to see it caught.
class FaultPlanter : public RunObserver {
 public:
  /// The fault; what it points to must outlive the run.
  explicit FaultPlanter(const Fault& fault) : fault_(fault) {}

  void barrier(MovingMessages& messages) override;

 private:
  Fault fault_;
  std::uint64_t seen_ = 0;
};

}  // namespace lockstep
