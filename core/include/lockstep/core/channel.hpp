#pragma once

#include <cassert>
#include <cstddef>
#include <optional>
#include <utility>

#include "lockstep/core/lockfree.hpp"
#include "lockstep/core/message.hpp"

namespace lockstep::detail {

/// The payloads on their way over one directed link: a bounded lock-free FIFO for one sender and one receiver.
///
/// Thread-safety: one thread may push while another pops. Whether a message may be pushed or is there to be popped in
/// this cycle is decided by the link's Flow, not here; the queue's own acquire and release hand over the payload.
/// A queue of fixed capacity does not destroy what is left in it: who owns the channel takes everything out.
template <Payload T, std::size_t Capacity>
class Channel {
 public:
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Puts a message behind the others, of which there are fewer than `Capacity`.
  void put(T&& payload, double arrival) {
    [[maybe_unused]] const bool had_room = queue_.push(Slot(std::move(payload), arrival));
    assert(had_room);
  }

  /// Takes the oldest message; there must be one.
  Message<T> take(Port port) {
    std::optional<T> payload;
    double arrival = 0;
    queue_.consume_one([&](Slot& slot) {
      payload.emplace(std::move(slot.payload));
      arrival = slot.arrival;
    });
    assert(payload);
    return {*std::move(payload), port, arrival};
  }

 private:
  /// spsc_queue copies what is pushed; a slot's copy takes the payload over, so that data moves by ownership.
  struct Slot {
    Slot(T&& value, double time) : payload(std::move(value)), arrival(time) {}
    Slot(const Slot& other) : payload(std::move(other.payload)), arrival(other.arrival) {}
    Slot& operator=(const Slot&) = delete;
    ~Slot() = default;

    mutable T payload;
    double arrival;
  };

  boost::lockfree::spsc_queue<Slot, boost::lockfree::capacity<Capacity>> queue_;
};

}  // namespace lockstep::detail
