#pragma once

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "lockstep/core/channel_kind.hpp"
#include "lockstep/core/detail/stamp.hpp"
#include "lockstep/core/payload.hpp"

namespace lockstep::detail {

/// One place of a link's channel, as a number that says what is there.
///   0                the link has never been used, and its channel is not made;
///   1                never used;
///   filled | stamp   holds a message that was sent in the cycle of the stamp;
///   stamp            empty; its last message was taken in the cycle of the stamp.
using Place = std::atomic<std::uint32_t>;

inline constexpr std::uint32_t filled = std::uint32_t{1} << 31;

/// Whether who sends in the cycle of `now` finds the place ready and free: empty since an earlier cycle.
inline bool is_free(std::uint32_t place, Stamp now) { return place - 1 < now - 1; }
/// Whether the place holds a message of an earlier cycle than that of `now`.
inline bool has_arrived(std::uint32_t place, Stamp now) {
  return static_cast<std::int32_t>(place) < static_cast<std::int32_t>(filled | now);
}

/// What leads to the messages on one directed link: the head of its record, whatever they carry.
///
/// Thread-safety: the sender alone writes `sent` and `next_in`, the receiver alone `next_out`, and each of them the
/// state of a place only while the place is its own.
/// 1. A place belongs to the sender while it is free, from the barrier after it was emptied on; to the receiver while
///    its message has arrived, from the barrier after it was filled on. In the cycle in which one side has filled or
///    emptied it, it belongs to nobody.
/// 2. So whether there is room for a message, and whether one has arrived, was decided before the cycle began, whatever
///    the other side does in it. The two accesses to a place that follow each other have a barrier of the machine
///    between them; relaxed accesses suffice, and the payload needs none of its own.
/// 3. Messages fill the places in turn and are taken in the same order.
/// A record of zero bytes is a link that has carried nothing.
struct LinkHead {
  std::uint32_t sent;      ///< messages that the sender has sent
  std::uint16_t next_in;   ///< the place of the next message
  std::uint16_t next_out;  ///< the place of the oldest message

  /// The states of the places, which follow the head.
  Place* places() { return reinterpret_cast<Place*>(this + 1); }
  const Place* places() const { return reinterpret_cast<const Place*>(this + 1); }
  std::uint32_t first_state() const { return places()[next_out].load(std::memory_order_relaxed); }
};
static_assert(sizeof(LinkHead) == 8 && alignof(LinkHead) >= alignof(Place) && Place::is_always_lock_free);

/// The payloads on their way over a link, each in the place that the head names. Who takes a payload moves it away and
/// destroys it before its cycle ends.
template <Payload T, std::size_t Capacity>
class CompactChannel {
 public:
  void put(std::size_t place, T&& payload, double arrival) {
    Letter& letter = letters_[place];
    ::new (letter.payload) T(std::move(payload));
    letter.arrival = arrival;
  }
  /// Where the payload of the oldest message is, and when it arrived.
  std::pair<void*, double> take(std::size_t place) { return {letters_[place].payload, letters_[place].arrival}; }
  /// The same of the newest message, at a barrier: it is no longer in the channel.
  double take_back(std::size_t place, void* into) {
    T* payload = reinterpret_cast<T*>(letters_[place].payload);
    ::new (into) T(std::move(*payload));
    std::destroy_at(payload);
    return letters_[place].arrival;
  }

 private:
  struct Letter {
    alignas(T) std::byte payload[sizeof(T)];
    double arrival;
  };

  Letter letters_[Capacity];
};

/// The same in a queue of Boost.Lockfree, which finds the place itself and hands over the payload by acquire and
/// release of its own. The first message makes the queue.
template <Payload T, std::size_t Capacity>
class LockfreeChannel {
 public:
  void begin() { ::new (queue_memory_) Queue; }

  void put(std::size_t, T&& payload, double arrival) {
    [[maybe_unused]] const bool had_room = queue().push(Letter(std::move(payload), arrival));
    assert(had_room);
  }
  /// The queue has one place more than the channel, so that what has been taken lies there until the cycle ends.
  std::pair<void*, double> take(std::size_t) {
    const Letter& letter = queue().front();
    const std::pair<void*, double> taken(letter.payload, letter.arrival);
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
    const auto [payload, arrival] = take(0);
    ::new (into) T(std::move(*static_cast<T*>(payload)));
    std::destroy_at(static_cast<T*>(payload));
    return arrival;
  }

 private:
  /// spsc_queue copies what is pushed; a letter's copy takes the payload over, so that data moves by ownership. Its
  /// destruction leaves the payload to whom it was given.
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

/// All that belongs to one directed link, side by side.
template <Payload T, std::size_t Capacity, bool all_ports, ChannelKind kind>
struct Link {
  /// Words that the link has carried; if its messages are single words, these are the messages.
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
  Place places[Capacity];
  [[no_unique_address]] std::conditional_t<std::is_arithmetic_v<T>, NoWords, Words> words;
  [[no_unique_address]] std::conditional_t<all_ports, Clock, NoClock> clock;
  std::conditional_t<kind == ChannelKind::lockfree, LockfreeChannel<T, Capacity>, CompactChannel<T, Capacity>> channel;
};

}  // namespace lockstep::detail
