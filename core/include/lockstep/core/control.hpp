#pragma once

#include <coroutine>
#include <cstdint>

#include "lockstep/core/flow.hpp"
#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep::detail {

struct Worker;

/// What a processor waits for. `ready` while it runs.
enum class Waiting : std::uint8_t { ready, cycle, message, any_message, ended };

/// The emulator's hot record of one processor: a cache line. Only the worker that visits the processor touches it.
struct alignas(64) Control {
  std::coroutine_handle<> current;  ///< the innermost coroutine: what the next visit resumes
  Worker* worker = nullptr;         ///< who visits the processor in this cycle
  double ready_time = 0;            ///< latest modelled arrival of a message taken
  double send_clock = 0;            ///< one-port: modelled time at which the last transfer out ended
  Rank rank = 0;
  Port waiting_port = 0;
  Stamp waiting_since = 0;
  Stamp not_before = 0;  ///< no resume before this cycle
  Stamp last_send = 0;   ///< the latest cycle with a send
  Port sent_port = 0;    ///< the port of that send; several_ports after a multicast or more than one send
  Waiting waiting = Waiting::cycle;
  std::uint8_t phase = 0;

  static constexpr Port several_ports = ~Port{0};
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
