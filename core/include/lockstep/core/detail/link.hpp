#pragma once

#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "lockstep/core/channel_kind.hpp"
#include "lockstep/core/detail/atomics.hpp"
#include "lockstep/core/detail/payload_operations.hpp"
#include "lockstep/core/detail/place.hpp"
#include "lockstep/core/payload.hpp"

namespace lockstep::detail {

/// The head of the record of one directed link, independent of what its messages carry.
///
/// Thread-safety: the sender alone writes `sent` and `next_in`, the receiver alone `next_out`, and each of them the
/// state of a place only while the place is its own.
/// 1. A place belongs to the sender while it is free, from the barrier after it was emptied on; to the receiver while
///    its message has arrived, from the barrier after it was filled on. In the cycle in which one side has filled or
///    emptied it, it belongs to neither.
/// 2. So whether there is room for a message, and whether one has arrived, was decided before the cycle began,
/// regardless of what
///    the other side does during it. The two accesses to a place that follow each other have a barrier of the machine
///    between them; relaxed accesses suffice, and the payload needs none of its own.
/// 3. Messages fill the places in turn and are taken in the same order.
/// A record of zero bytes is a link that has carried nothing.
struct LinkHead {
  Owned<std::uint32_t> sent;      ///< messages that the sender has sent
  Owned<std::uint16_t> next_in;   ///< byte offset, among the states, of the place of the next message
  Owned<std::uint16_t> next_out;  ///< the same for the oldest message

  /// The states of the places, which follow the head.
  Atomic<Place>& place(std::size_t offset) {
    return *reinterpret_cast<Atomic<Place>*>(reinterpret_cast<std::byte*>(this + 1) + offset);
  }
  const Atomic<Place>& place(std::size_t offset) const { return const_cast<LinkHead*>(this)->place(offset); }
  /// The state of the place of the oldest message.
  Place first() const { return place(next_out).load(std::memory_order_relaxed); }
};
static_assert(sizeof(LinkHead) == 8 && alignof(LinkHead) >= alignof(Atomic<Place>) &&
              Atomic<Place>::is_always_lock_free);

/// The offsets of the states of two consecutive places differ by this much.
inline constexpr std::size_t place_bytes = sizeof(Atomic<Place>);

/// The payloads on their way over a link, each in the place that the head names by the offset of its state. The
/// receiver moves a payload out and destroys it before its cycle ends.
template <Payload T, std::size_t Capacity>
class CompactChannel {
 public:
  void put(std::size_t place, T&& payload, double arrival) {
    Letter& letter = at(place);
    ::new (letter.payload) T(std::move(payload));
    letter.arrival = arrival;
  }
  Taken take(std::size_t place) {
    Letter& letter = at(place);
    return {pass(*reinterpret_cast<T*>(letter.payload)), letter.arrival};
  }
  /// Takes the newest message out of the channel again, at a barrier.
  double take_back(std::size_t place, void* into) {
    T* payload = reinterpret_cast<T*>(at(place).payload);
    ::new (into) T(std::move(*payload));
    std::destroy_at(payload);
    return at(place).arrival;
  }

 private:
  struct Letter {
    alignas(T) std::byte payload[sizeof(T)];
    double arrival;
  };
  static_assert(sizeof(Letter) % place_bytes == 0);

  Letter& at(std::size_t place) {
    return *reinterpret_cast<Letter*>(reinterpret_cast<std::byte*>(letters_) + place * (sizeof(Letter) / place_bytes));
  }

  Letter letters_[Capacity];
};

/// The same in a queue of Boost.Lockfree, which finds the place itself and publishes the payload by its own acquire and
/// release. The first message constructs the queue.
template <Payload T, std::size_t Capacity>
class LockfreeChannel {
 public:
  void begin() { ::new (queue_memory_) Queue; }

  void put(std::size_t, T&& payload, double arrival) {
    [[maybe_unused]] const bool had_room = queue().push(Letter(std::move(payload), arrival));
    assert(had_room);
  }
  /// The queue has one place more than the channel, so a taken payload stays there until the cycle ends.
  Taken take(std::size_t) {
    const Letter& letter = queue().front();
    const Taken taken{pass(*reinterpret_cast<T*>(letter.payload)), letter.arrival};
    queue().pop();
    return taken;
  }
  double take_back(std::size_t, void* into) {
    std::size_t older = queue().read_available() - 1;
    for (; older > 0; --older) {
      const Letter letter = queue().front();
      queue().pop();
      queue().push(letter);
    }
    T* payload = reinterpret_cast<T*>(queue().front().payload);
    ::new (into) T(std::move(*payload));
    std::destroy_at(payload);
    const double arrival = queue().front().arrival;
    queue().pop();
    return arrival;
  }

 private:
  /// spsc_queue copies what is pushed; copying a letter moves its payload, so that data moves by ownership. Destroying
  /// a letter leaves the payload to its new owner.
  struct Letter {
    Letter(T&& value, double time) : arrival(time) { ::new (payload) T(std::move(value)); }
    Letter(const Letter& other) : arrival(other.arrival) {
      T* from = reinterpret_cast<T*>(other.payload);
      ::new (payload) T(std::move(*from));
      std::destroy_at(from);
    }
    Letter& operator=(const Letter&) = delete;
    ~Letter() = default;

    alignas(T) mutable std::byte payload[sizeof(T)];
    double arrival;
  };
  using Queue = boost::lockfree::spsc_queue<Letter, boost::lockfree::capacity<Capacity>>;

  Queue& queue() { return *reinterpret_cast<Queue*>(queue_memory_); }

  alignas(Queue) std::byte queue_memory_[sizeof(Queue)];
};

/// The ports that a processor may use in one cycle for sends, and for receives.
enum class PortUse { one, limited, all };

/// Everything that belongs to one directed link, side by side.
template <Payload T, std::size_t Capacity, PortUse use, ChannelKind kind>
struct Link {
  /// Words that the link has carried; if all messages are single words, LinkHead::sent counts them.
  struct Words {
    std::uint64_t words;
  };
  /// Modelled time at which its last transfer ended; under `all`, where its two ports do nothing else.
  struct Clock {
    double clock;
  };
  struct NoWords {};
  struct NoClock {};

  LinkHead head;
  Atomic<Place> places[Capacity];
  [[no_unique_address]] std::conditional_t<std::is_arithmetic_v<T>, NoWords, Words> words;
  [[no_unique_address]] std::conditional_t<use == PortUse::all, Clock, NoClock> clock;
  std::conditional_t<kind == ChannelKind::lockfree, LockfreeChannel<T, Capacity>, CompactChannel<T, Capacity>> channel;
};

}  // namespace lockstep::detail
