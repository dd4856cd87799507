#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "lockstep/core/payload.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// Stands for a shared memory at one end of a transfer; the slot takes the place of the port there.
inline constexpr Rank memory_rank = no_rank;

/// One message on its way over one directed link. On a bus and a switch the ports are the ranks of the other end, and a
/// transaction has a transfer for each of its receivers. An access to a memory has one for each slot: from the
/// processor to memory_rank, or from memory_rank to the processor.
template <Payload T>
struct Transfer {
  Rank from = no_rank;         ///< rank of the sender
  Port port = 0;               ///< of the sender
  End to;                      ///< the receiver and its port
  std::uint64_t words = 0;     ///< length of the payload
  double arrival = 0;          ///< modelled
  T payload;                   ///< may be changed before it arrives
  std::uint64_t startups = 1;  ///< of the payload, see startups()
  std::string_view phase{};    ///< in which it was sent; empty if none was named. It lasts as long as the run.
};

/// Local work that a processor has charged and that took time: a copy, arithmetic or looks, on the asynchronous clock.
struct Charge {
  Rank rank = no_rank;  ///< the processor
  double start = 0;     ///< when all that it had taken had arrived and its earlier work was done
  double end = 0;       ///< when its next message can leave
};

/// Sees every message between the cycle in which it was sent and the one in which it arrives. Traces, fault injection
/// and tests are observers; a machine without an observer pays nothing for them.
template <Payload T>
class Observer {
 public:
  virtual ~Observer() = default;

  /// Called at the barrier of a cycle in which messages moved, on the thread that called run(); not in the cycle in
  /// which a processor fails or breaks a rule. The transfers are ordered by (from, port), those from a memory by reader
  /// and then as in the reader's list of slots. The transfers that the observer leaves in the list arrive: it may
  /// change payloads and destinations, drop transfers and add copies. Counts and rules apply to the messages as sent.
  /// run() throws std::out_of_range if a destination does not exist, RunError (overflow) if a channel cannot hold them.
  virtual void barrier(Cycle cycle, std::vector<Transfer<T>>& transfers) = 0;

  /// Called before barrier(), and at barriers without messages too, if processors have charged local work that took
  /// time: ordered by rank, then in the order of charging.
  virtual void charged(Cycle, std::span<const Charge>) {}

  /// Whether the observer holds messages that it will add in a later cycle: then it is called at the next barrier even
  /// if nothing moves, and the clock does not jump. Messages that it still holds when all programs have returned are
  /// lost.
  virtual bool holds_messages() const { return false; }
};

}  // namespace lockstep
