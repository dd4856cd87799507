#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// What ended a run. Of several failures in one cycle the one of the lowest (rank, kind) is reported.
enum class ErrorKind {
  no_link,          ///< a send or receive on a port that has no link, or a rank or slot that does not exist
  link_down,        ///< a send over a link that has failed, or to a processor that has
  send_limit,       ///< more sends in one cycle than the port model or the link allows
  overflow,         ///< a send into a channel that is full
  receive_limit,    ///< more messages sent to one processor in one cycle than it may receive, or receive as it sends
  one_strict,       ///< one-strict: sent and received on different ports
  half_link,        ///< both directions of one link used in one cycle
  half_node,        ///< a processor that sent and received in one cycle
  medium_limit,     ///< more transactions on a bus, or accesses to a memory, in one cycle than it serves
  blocked,          ///< two messages that want the same output of a stage of the network in a switch
  write_conflict,   ///< two processors wrote one slot of a memory in one cycle
  bank_conflict,    ///< two processors had access to one bank of a memory in one cycle
  nothing_arrived,  ///< receive on a port on which no message has arrived, or read of a slot that nobody has written
  exception,        ///< the program threw an exception of its own
  deadlock,         ///< processors wait for messages that nobody will send
  livelock,         ///< the run went on past its limit of cycles
  undelivered,      ///< a message that nobody received
  too_many_phases,  ///< more names of phases than a run may have
  count_overflow,   ///< a count of words, start-ups or local work that goes beyond 64 bits
  interrupted,      ///< the run was asked to stop
  invalid_schedule  ///< the plan that the processors were to carry out breaks a rule or does not do its work
};

/// As JSON reports name it: "deadlock".
std::string_view name(ErrorKind kind);

/// A run that failed, with its coordinates. what() is one line: algorithm, cycle, rank, ports, rule.
class RunError : public std::runtime_error {
 public:
  /// `text` is what what() says, the rest its coordinates.
  RunError(ErrorKind kind, Cycle cycle, Rank rank, std::vector<Port> ports, const std::string& text)
      : std::runtime_error(text), kind_(kind), cycle_(cycle), rank_(rank), ports_(std::move(ports)) {}

  /// Which rule it broke, or what else ended it.
  ErrorKind kind() const { return kind_; }
  /// The cycle in which it happened; for messages nobody received, the cycle of sending; for a livelock the limit.
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

/// One processor that waits: for a message on `port` (or on any, then `any_port`) from `neighbour`. On a medium there
/// are no ports; who waits for a memory has no neighbour either.
struct Wait {
  Rank rank = no_rank;           ///< who waits
  bool on_medium = false;        ///< for the bus, switch or memory, not for a port
  bool any_port = false;         ///< a message on any of its ports will do
  Port port = 0;                 ///< on which it waits, if that is one
  Cycle since = 0;               ///< the cycle in which the wait began
  Rank neighbour = no_rank;      ///< who would have to send; no_rank if nobody in particular
  bool neighbour_ended = false;  ///< its program has returned, or was ended by a fault, so that it never will
  std::optional<Cycle> neighbour_failed{};  ///< the cycle of that fault
};

/// All processors wait for one another. The waits form a cycle, or a chain that ends at a processor whose program has
/// returned.
class DeadlockError : public RunError {
 public:
  /// Of these waits, the first of which is the one that is reported; `text` is what what() says.
  DeadlockError(Cycle cycle, std::vector<Wait> waits, const std::string& text)
      : RunError(ErrorKind::deadlock, cycle, waits.empty() ? no_rank : waits.front().rank, {}, text),
        waits_(std::move(waits)) {}

  /// The cycle or chain of them, in its order.
  const std::vector<Wait>& waits() const { return waits_; }
  /// The waits as a graph in Graphviz' DOT language.
  std::string dot() const;

 private:
  std::vector<Wait> waits_;
};

/// The program of a processor threw; cause() is its exception.
class ProgramError : public RunError {
 public:
  /// Of the processor `rank`; `text` is what what() says.
  ProgramError(Cycle cycle, Rank rank, const std::string& text, std::exception_ptr cause)
      : RunError(ErrorKind::exception, cycle, rank, {}, text), cause_(std::move(cause)) {}

  /// What the program threw.
  const std::exception_ptr& cause() const { return cause_; }

 private:
  std::exception_ptr cause_;
};

/// A machine that would not fit memory; nothing has been allocated.
class MemoryError : public std::runtime_error {
 public:
  /// `what_for` says what would not fit; both sizes are in bytes.
  MemoryError(const std::string& what_for, std::uint64_t needed, std::uint64_t available);
  /// Bytes that the run would take.
  std::uint64_t needed() const { return needed_; }
  /// Bytes that the process may take.
  std::uint64_t available() const { return available_; }

 private:
  std::uint64_t needed_;
  std::uint64_t available_;
};

}  // namespace lockstep
