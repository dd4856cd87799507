#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "lockstep/core/lockfree.hpp"
#include "lockstep/core/payload.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// A message that was received: what it carries, the port it came in on, and the modelled time of its arrival.
template <Payload T>
struct Message {
  T payload;
  Port port = 0;
  double arrival = 0;

  operator T() && { return std::move(payload); }  // NOLINT: a received message is its payload
};

namespace detail {

/// The payloads on their way over one directed link: a bounded lock-free FIFO for one sender and one receiver.
///
/// Thread-safety: one thread may push while another pops. Whether a message may be pushed or is there to be popped in
/// this cycle is decided by the link's Flow, not here; the queue's own acquire and release hand over the payload.
template <Payload T, std::size_t Capacity>
class Channel {
 public:
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      // The queue of fixed capacity does not destroy what is left in it.
      while (queue_.consume_one([](Slot&) {})) {
      }
    }
  }

  /// False if `Capacity` messages are in the channel.
  bool push(T&& payload, double arrival) { return queue_.push(Slot(std::move(payload), arrival)); }

  /// Takes the oldest message; there must be one.
  Message<T> pop(Port port) {
    std::optional<Message<T>> message;
    queue_.consume_one([&](Slot& slot) { message.emplace(Message<T>{std::move(slot.payload), port, slot.arrival}); });
    return *std::move(message);
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

}  // namespace detail
}  // namespace lockstep
