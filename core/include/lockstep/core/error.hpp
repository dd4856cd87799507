#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lockstep/core/memory_limit.hpp"
#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// The reason why a run ended. Among several failures in one cycle, the one with the lowest (rank, kind) is reported.
enum class ErrorKind {
  no_link,          ///< a send or receive on a port that has no link, or a rank or slot that does not exist
  link_down,        ///< a send over a link that has failed, or to a processor that has
  send_limit,       ///< more sends in one cycle than the port model or the link allows
  overflow,         ///< a send into a channel that is full
  receive_limit,    ///< more messages sent to one processor in one cycle than it may receive, alone or while sending
  one_strict,       ///< one-strict: sent and received on different ports
  half_link,        ///< both directions of one link used in one cycle
  half_node,        ///< a processor that sent and received in one cycle
  medium_limit,     ///< more transactions on a bus, or accesses to a memory, in one cycle than it serves
  blocked,          ///< two messages that need the same output of a stage of the network in a switch
  write_conflict,   ///< two processors wrote one slot of a memory in one cycle
  bank_conflict,    ///< two processors had access to one bank of a memory in one cycle
  nothing_arrived,  ///< receive on a port where no message has arrived, or read of a slot that was never written
  exception,        ///< the program threw an exception of its own
  deadlock,         ///< processors wait for messages that will never be sent
  livelock,         ///< the run exceeded its limit of cycles
  undelivered,      ///< a message that was never received
  too_many_phases,  ///< more names of phases than a run may have
  count_overflow,   ///< a count of words, start-ups or local work beyond 64 bits
  interrupted,      ///< the run was asked to stop
  invalid_schedule  ///< the schedule to be carried out breaks a rule or does not complete its operation
};

/// As JSON reports name it: "deadlock".
std::string_view name(ErrorKind kind);

/// A run that failed, with its coordinates. what() is one line: algorithm, cycle, rank, ports, rule.
class RunError : public std::runtime_error {
 public:
  /// `text` becomes what(); the other parameters are the coordinates.
  RunError(ErrorKind kind, Cycle cycle, Rank rank, std::vector<Port> ports, const std::string& text)
      : std::runtime_error(text), kind_(kind), cycle_(cycle), rank_(rank), ports_(std::move(ports)) {}

  /// The rule that was broken, or the other reason for the end.
  ErrorKind kind() const { return kind_; }
  /// The cycle of the failure; for an undelivered message the cycle of the send, for a livelock the limit.
  Cycle cycle() const { return cycle_; }
  /// The processor concerned; for a livelock the first whose program has not ended, for an interrupt and for too many
  /// phases no_rank.
  Rank rank() const { return rank_; }
  /// The ports concerned; on a bus and a switch the ranks of the other processors, on a memory the slots.
  const std::vector<Port>& ports() const { return ports_; }
  /// Whether a rule of the machine was broken (and not, say, the program's own exception).
  bool is_violation() const { return kind_ < ErrorKind::exception; }

 private:
  ErrorKind kind_;
  Cycle cycle_;
  Rank rank_;
  std::vector<Port> ports_;
};

/// One waiting processor. It waits for a message from `neighbour` on `port`, or on any port if `any_port`. On a medium
/// there are no ports; a processor that waits for a memory has no neighbour either.
struct Wait {
  Rank rank = no_rank;                      ///< the processor that waits
  bool on_medium = false;                   ///< for the bus, switch or memory, not for a port
  bool any_port = false;                    ///< a message on any of its ports will do
  Port port = 0;                            ///< where it waits, unless `any_port`
  Cycle since = 0;                          ///< the cycle in which the wait began
  Rank neighbour = no_rank;                 ///< the processor that would have to send; no_rank if none in particular
  bool neighbour_ended = false;             ///< its program has returned or was ended by a fault, so it will never send
  std::optional<Cycle> neighbour_failed{};  ///< the cycle of that fault
};

/// All processors wait for one another. The waits form a cycle, or a chain that ends at a processor whose program has
/// returned.
class DeadlockError : public RunError {
 public:
  /// The first of `waits` is the one reported; `text` becomes what().
  DeadlockError(Cycle cycle, std::vector<Wait> waits, const std::string& text)
      : RunError(ErrorKind::deadlock, cycle, waits.empty() ? no_rank : waits.front().rank, {}, text),
        waits_(std::move(waits)) {}

  /// The waits, in the order of their cycle or chain.
  const std::vector<Wait>& waits() const { return waits_; }
  /// The waits as a graph in Graphviz' DOT language.
  std::string dot() const;

 private:
  std::vector<Wait> waits_;
};

/// The program of a processor threw; cause() is its exception.
class ProgramError : public RunError {
 public:
  /// `rank` is the processor whose program threw; `text` becomes what().
  ProgramError(Cycle cycle, Rank rank, const std::string& text, std::exception_ptr cause)
      : RunError(ErrorKind::exception, cycle, rank, {}, text), cause_(std::move(cause)) {}

  /// The program's exception.
  const std::exception_ptr& cause() const { return cause_; }

 private:
  std::exception_ptr cause_;
};

/// A run under several costs at once used a message whose times it no longer had: see RunOptions::arrivals_bytes.
class ArrivalsForgotten : public std::runtime_error {
 public:
  ArrivalsForgotten() : std::runtime_error("a message was held so long that its times under several costs are gone") {}
};

/// A machine that does not fit in memory; nothing has been allocated.
class MemoryError : public std::runtime_error {
 public:
  /// `what_for` names what does not fit; both sizes are in bytes.
  MemoryError(const std::string& what_for, std::uint64_t needed, std::uint64_t available);
  /// The same for the limit that it exceeds, which the message names.
  MemoryError(const std::string& what_for, std::uint64_t needed, const MemoryLimit& limit);
  /// Bytes that the run would need.
  std::uint64_t needed() const { return needed_; }
  /// Bytes that the process may still allocate.
  std::uint64_t available() const { return available_; }

 private:
  std::uint64_t needed_;
  std::uint64_t available_;
};

}  // namespace lockstep
