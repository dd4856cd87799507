#pragma once

#include <coroutine>
#include <cstdint>

#include "lockstep/core/flow.hpp"
#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

template <class T, std::size_t Capacity>
class Processor;

namespace detail {

struct Worker;

/// What a processor waits for.
enum class Waiting : std::uint8_t {
  ready,  ///< nothing: another of its coroutines goes on at once
  cycle,
  message,  ///< on one port
  any_message,
  message_of_peer,  ///< on a bus or a switch: from one rank
  values,           ///< that it has read from a memory
  ended
};

/// The emulator's hot record of one processor: a cache line. Only the worker that visits the processor touches it.
struct alignas(64) Control {
  std::coroutine_handle<> current;  ///< the innermost coroutine: the one that runs or that the next visit resumes
  Worker* worker = nullptr;         ///< who visits the processor in this cycle
  double ready_time = 0;            ///< modelled: all that was taken has arrived, all charged copies have ended
  double send_clock = 0;            ///< one-port: modelled time at which the last transfer out ended
  std::size_t waiting_slot = 0;     ///< of the port that it waits on; or how many values it waits for
  Rank rank = 0;
  union {
    Port waiting_port;     ///< of a message; on a medium the rank of its sender
    Stamp not_before = 0;  ///< the cycle that is waited for
  };
  Stamp waiting_since = 0;
  Stamp last_send = 0;  ///< the latest cycle with a send
  Port sent_port = 0;   ///< the port (or rank) of that send; several_ports after a multicast or more than one send
  Waiting waiting = Waiting::cycle;
  std::uint8_t phase = 0;

  static constexpr Port several_ports = ~Port{0};

  /// Has the visit go on with another coroutine of the program.
  void continue_with(std::coroutine_handle<> coroutine) {
    current = coroutine;
    waiting = Waiting::ready;
  }
};
static_assert(sizeof(Control) == 64);

/// Whether T is a Processor<..>.
template <class T>
inline constexpr bool is_processor = false;
template <class T, std::size_t Capacity>
inline constexpr bool is_processor<Processor<T, Capacity>> = true;

/// Leads from a Processor to its record, for the coroutines that take one as their first parameter.
struct Access {
  template <class Processor>
  static Control& control(Processor& processor) {
    return processor.control_;
  }
};

// Where assertions are on, a thread notes which processor it visits, so that a program that uses the Processor of
// another is found. Calls, because a coroutine may go on on another thread and must not keep the note's address.

/// Notes the processor that the calling thread visits; nullptr at the end of the visit.
void set_visited(const Control* control);
/// Does that for a scope.
struct VisitNote {
#ifdef NDEBUG
  explicit VisitNote(const Control&) {}
#else
  explicit VisitNote(const Control& control) { set_visited(&control); }
  VisitNote(const VisitNote&) = delete;
  VisitNote& operator=(const VisitNote&) = delete;
  ~VisitNote() { set_visited(nullptr); }
#endif
};
/// Throws std::logic_error if the calling thread visits another processor.
void check_visited(const Control& used);

/// Destroys the program of a processor with all its sub-programs, if it has one.
void destroy_program(Control& control);

}  // namespace detail
}  // namespace lockstep
