#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>

#include "lockstep/core/detail/stamp.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

template <class T, std::size_t Capacity>
class Processor;

namespace detail {

struct LinkHead;
struct Worker;

/// The event that a processor waits for.
enum class Waiting : std::uint8_t {
  ready,  ///< nothing: another of its coroutines continues at once
  ended,
  cycle,
  message,  ///< on one port, or of one rank
  any_message,
  values  ///< that it has read from a memory
};

/// The emulator's hot record of one processor: a cache line. Only the worker that visits the processor touches it.
struct alignas(64) Control {
  std::coroutine_handle<> current;   ///< the innermost coroutine: the one that runs or that the next visit resumes
  Worker* worker = nullptr;          ///< the worker that visits the processor in this cycle
  double ready_time = 0;             ///< modelled: everything taken has arrived, all charged copies have ended
  double send_clock = 0;             ///< one-port: modelled time at which the last transfer out ended
  LinkHead* waiting_link = nullptr;  ///< the link of the awaited message; if null, `waiting` says what it waits for
  // Members that one verb writes are kept apart: g++ 12 would first combine them in vector registers.
  Stamp last_send = 0;  ///< the latest cycle with a send
  Rank rank = 0;
  union {
    Port waiting_port;             ///< of a message; on a medium the rank of its sender
    Stamp not_before = 0;          ///< the cycle that it waits for
    std::uint32_t waiting_values;  ///< how many values are awaited
  };
  Stamp waiting_since = 0;  ///< the latest cycle in which it began to wait, unless by an exchange
  Port sent_port = 0;       ///< the port (or rank) of the latest send; several_ports after a multicast
  Waiting waiting = Waiting::cycle;
  std::uint8_t phase = 0;
  std::uint16_t sends = 0;  ///< of the latest cycle with one, under k_ports()

  static constexpr Port several_ports = ~Port{0};

  /// Makes the visit continue with another coroutine of the program.
  void continue_with(std::coroutine_handle<> coroutine) {
    current = coroutine;
    wait_for(Waiting::ready);
  }
  void wait_for(Waiting what) {
    waiting = what;
    waiting_link = nullptr;
  }
};
static_assert(sizeof(Control) == 64);

/// Whether T is a Processor<..>.
template <class T>
inline constexpr bool is_processor = false;
template <class T, std::size_t Capacity>
inline constexpr bool is_processor<Processor<T, Capacity>> = true;

/// Gives coroutines the record of the Processor that is their first parameter.
struct Access {
  template <class Processor>
  static Control& control(Processor& processor) {
    return processor.control_;
  }
};

/// Puts the processor to sleep until that cycle.
void sleep_until(Control& control, Cycle cycle);

// With assertions on, a program records its processor whenever it resumes, so that use of another program's Processor
// is detected. These are calls because a coroutine may resume on another thread and must not keep the address of the
// record.

/// Records the processor whose program the calling thread runs; nullptr when it runs none.
void set_visited(const Control* control);
/// Throws std::logic_error if the calling thread runs the program of another processor.
void check_visited(const Control& used);
/// Records that the program of a processor resumes, if assertions are on.
inline void note_visit([[maybe_unused]] const Control& control) {
#ifndef NDEBUG
  set_visited(&control);
#endif
}

}  // namespace detail
}  // namespace lockstep
