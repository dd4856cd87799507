#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/detail/control.hpp"
#include "lockstep/core/detail/frame_pool.hpp"
#include "lockstep/core/detail/place.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/medium.hpp"
#include "lockstep/core/observer.hpp"

namespace lockstep::detail {

class Network;
class PhaseNames;

/// Why a run must end: a failure of one processor in one cycle.
struct Failure {
  Rank rank = no_rank;
  ErrorKind kind = ErrorKind::exception;
  std::vector<Port> ports;
  std::string rule;          ///< what was done and what is allowed
  std::exception_ptr cause;  ///< for ErrorKind::exception

  bool before(const Failure& other) const { return rank != other.rank ? rank < other.rank : kind < other.kind; }
};

/// The counts of one worker for one phase in one cycle, besides its messages.
struct Tally {
  std::uint64_t words = 0;
  std::uint64_t longest = 0;
};

/// The local work of one kind that processors have charged in one cycle: copied words, operations, or looks.
struct LocalWork {
  const Control* latest = nullptr;  ///< the last processor to charge some
  std::uint64_t by_latest = 0;
  std::uint64_t sum = 0;
  std::uint64_t most = 0;  ///< by one processor

  void add(const Control& control, std::uint64_t amount) {
    if (latest != &control) by_latest = 0;
    latest = &control;
    sum += amount;
    if (__builtin_add_overflow(by_latest, amount, &by_latest)) by_latest = std::numeric_limits<std::uint64_t>::max();
    most = std::max(most, by_latest);
  }
};

/// Messages whose sender began another phase in the cycle in which it sent them.
struct PhaseLeft {
  Rank rank;
  std::vector<Port> ports;  ///< empty on a medium: everything it sent is one transaction
  std::uint8_t phase;       ///< in which they were sent
};

/// The counts and records of one worker in one cycle; merged and cleared at the barrier.
struct alignas(128) Worker {
  static constexpr std::size_t most_phases = 64;  ///< the one without a name included

  Cycle now = 0;
  Network* network = nullptr;
  Stamp stamp = 0;
  Place filled_now = 0;  ///< filled(stamp)
  Place empty_now = 0;   ///< empty(stamp)
  unsigned index = 0;
  Port ports = 0;  ///< of the machine

  std::uint64_t saved_sends = 0;     ///< messages beyond the one of each send: multicasts
  std::uint64_t extra_startups = 0;  ///< start-ups beyond the one of each message
  std::uint64_t taken = 0;
  std::uint64_t ended = 0;
  std::uint64_t again = 0;  ///< of the group being visited: a bit for each processor that continues in the next cycle
  LocalWork copied;         ///< words
  LocalWork computed;       ///< operations
  LocalWork scanned;        ///< looks at blocks
  double costliest = 0;     ///< modelled time of the costliest message

  // On a medium.
  std::uint64_t delivered = 0;      ///< messages put into inboxes, and values given to readers
  bool collided = false;            ///< a processor was sent, or a slot was written, more than once
  std::vector<Crossing> crossings;  ///< from sender to receiver, or from writer to slot
  std::vector<Rank> readers;        ///< processors that have read a memory

  // For an observer, or for clocks of several costs.
  bool is_observed = false;
  std::vector<PhaseLeft> phases_left;  ///< in this cycle; the first that names a message counts
  std::vector<Charge> charges;         ///< in this cycle, those that take time

  // Over the whole run.
  std::uint64_t busiest_link_words = 0;
  std::uint64_t busiest_link_messages = 0;  ///< 0 where all messages are single words, so that they are the same
  std::uint64_t peak_words_held = 0;
  double latest_arrival = 0;
  double latest_work = 0;  ///< modelled end of a local copy, of arithmetic or of looks

  std::array<std::uint64_t, most_phases> messages{};  ///< of this cycle, by phases
  std::array<Tally, most_phases> phases{};            ///< likewise
  std::vector<std::pair<Cycle, Rank>> sleepers;       ///< which processors went to sleep in this cycle, and until when
  std::optional<Failure> failure;                     ///< the first by (rank, kind) of this cycle
  PhaseNames* phase_names = nullptr;
  FramePool frames;

  void begin(Cycle cycle) {
    now = cycle;
    stamp = stamp_of(cycle);
    filled_now = filled(stamp);
    empty_now = empty(stamp);
  }
  void record(Failure&& found) {
    if (!failure || found.before(*failure)) failure = std::move(found);
  }
};

/// Makes the processor wait, from this cycle on.
inline void suspend(Control& control, Waiting waiting) {
  control.wait_for(waiting);
  control.waiting_since = control.worker->stamp;
}
/// Makes it wait for the message that the network expects.
inline void suspend_for_message(Control& control) {
  control.waiting = Waiting::message;
  control.waiting_since = control.worker->stamp;
}
/// Ensures that it is visited in the next cycle.
inline void continue_next_cycle(Worker& worker, const Control& control) {
  worker.again |= std::uint64_t{1} << control.rank % 64;
}

/// Messages that the processor sends from now on belong to the phase of that name. A run with too many phase names ends
/// at the barrier.
void begin_phase(Control& control, std::string_view name);

}  // namespace lockstep::detail
