#pragma once

#include <bit>
#include <cstddef>
#include <memory>
#include <utility>

#include "lockstep/core/flow.hpp"
#include "lockstep/core/message.hpp"

namespace lockstep::detail {

/// The payloads on their way over one directed link, where a queue of its own would cost too much memory: a ring of
/// slots, addressed by the totals of the link's Flow. Bounded, and without a loop or an atomic access: who writes or
/// reads a slot does not wait for anybody.
///
/// Thread-safety: the link's sender may put while its receiver takes, in the same cycle, because they never touch the
/// same slot in one cycle. Message number m, counted from 0, has slot m mod 2^k, where 2^k >= Capacity. A slot is
///   free      the sender may put message m: `sent.total` is m, and was_full() has said that fewer than Capacity
///             messages are left of those sent, so message m - 2^k was taken in an earlier cycle;
///   written   by the sender, in the cycle of `sent.latest`; the receiver does not look, since has_arrived()
///             counts only what was sent before its cycle;
///   arrived   from the next barrier on: the receiver may take message m, `taken.total` being m;
///   emptied   by the receiver, in the cycle of `taken.latest`; the sender does not look, since was_full() counts only
///             what was taken before its cycle. From the next barrier on it is free again.
/// So the two accesses to a slot that follow each other always have a barrier of the machine between them, and what the
/// barrier orders needs no order of its own.
template <Payload T, std::size_t Capacity>
class CompactChannel {
 public:
  /// Puts message `number` into its slot, which is free.
  void put(Total number, T&& payload, double arrival) {
    Slot& slot = slot_of(number);
    std::construct_at(slot.payload(), std::move(payload));
    slot.arrival = arrival;
  }

  /// Takes message `number`, which has arrived.
  Message<T> take(Total number, Port port) {
    Slot& slot = slot_of(number);
    Message<T> message{std::move(*slot.payload()), port, slot.arrival};
    std::destroy_at(slot.payload());
    return message;
  }

  /// Destroys the messages first .. last-1, which are in the channel.
  void clear(Total first, Total last) {
    for (; first != last; ++first) std::destroy_at(slot_of(first).payload());
  }

 private:
  struct Slot {
    alignas(T) std::byte memory[sizeof(T)];
    double arrival;

    T* payload() { return reinterpret_cast<T*>(memory); }
  };
  static constexpr std::size_t slots = std::bit_ceil(Capacity);

  Slot& slot_of(Total number) { return slots_[number % slots]; }

  Slot slots_[slots];
};

}  // namespace lockstep::detail
