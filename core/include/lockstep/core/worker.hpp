#pragma once

#include <array>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/error.hpp"
#include "lockstep/core/flow.hpp"
#include "lockstep/core/frame_pool.hpp"
#include "lockstep/core/medium.hpp"

namespace lockstep::detail {

class Engine;

/// Why a run must end: a failure of one processor in one cycle.
struct Failure {
  Rank rank = no_rank;
  ErrorKind kind = ErrorKind::exception;
  std::vector<Port> ports;
  std::string rule;          ///< what was done and what is allowed
  std::exception_ptr cause;  ///< for ErrorKind::exception

  bool before(const Failure& other) const { return rank != other.rank ? rank < other.rank : kind < other.kind; }
};

/// What one worker counts of one phase in one cycle.
struct Tally {
  std::uint64_t messages = 0;
  std::uint64_t words = 0;
  std::uint64_t longest = 0;
};

/// What one worker counts and keeps in one cycle; merged and cleared at the barrier.
struct alignas(128) Worker {
  static constexpr std::size_t most_phases = 64;  ///< the one without a name included

  Engine* engine = nullptr;
  Cycle now = 0;
  Stamp stamp = 0;
  unsigned index = 0;

  std::uint64_t saved_sends = 0;     ///< messages beyond the one of each send: multicasts
  std::uint64_t extra_startups = 0;  ///< start-ups beyond the one of each message
  std::uint64_t taken = 0;
  std::uint64_t ended = 0;
  std::uint64_t visits = 0;
  std::uint64_t again = 0;  ///< of the group that is being visited: who goes on in the next cycle, bit by bit
  std::uint64_t copied = 0;
  std::uint64_t visit_copied = 0;  ///< by the processor that is being visited
  std::uint64_t most_copied = 0;   ///< by one processor
  double dearest = 0;              ///< modelled time of the dearest message

  // On a medium.
  std::uint64_t delivered = 0;      ///< messages that have gone to inboxes, and values to readers
  bool collided = false;            ///< somebody was not the first to send to a processor, or to write a slot
  std::vector<Crossing> crossings;  ///< who has sent to whom, or written which slot

  // Over the whole run.
  std::uint64_t busiest_link_words = 0;
  std::uint64_t peak_words_held = 0;
  double latest_arrival = 0;
  double latest_copy = 0;  ///< modelled end of a local copy

  std::array<Tally, most_phases> phases{};      ///< of this cycle
  std::map<Cycle, std::vector<Rank>> sleepers;  ///< who went to sleep in this cycle, until which
  std::optional<Failure> failure;               ///< the first by (rank, kind) of this cycle
  FramePool frames;

  void record(Failure&& found) {
    if (!failure || found.before(*failure)) failure = std::move(found);
  }
};

}  // namespace lockstep::detail
