#pragma once

#include <coroutine>
#include <cstdint>

#include "lockstep/core/flow.hpp"
#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep::detail {

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
  double ready_time = 0;            ///< latest modelled arrival of a message taken
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

/// Leads from a Processor to its record, for the coroutines that take one as their first parameter.
struct Access {
  template <class Processor>
  static Control& control(Processor& processor) {
    return processor.control_;
  }
};

/// Destroys the program of a processor with all its sub-programs, if it has one.
void destroy_program(Control& control);

}  // namespace lockstep::detail
