#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lockstep::detail {

/// A cycle as channels and processors remember it: cycle + 1 in 32 bits, 0 for never.
using Stamp = std::uint32_t;

/// How many messages have been moved, modulo 2^16: a channel holds far fewer.
using Total = std::uint16_t;

/// What a sender has put on its link: the cycle of the latest message, and the total with it. A link carries one
/// message a cycle.
class Sent {
 public:
  Sent() = default;
  Sent(Stamp latest, std::uint32_t total) : bits_(std::uint64_t{total} << 32 | latest) {}

  Stamp latest() const { return static_cast<Stamp>(bits_); }
  std::uint32_t total() const { return static_cast<std::uint32_t>(bits_ >> 32); }

  /// Messages sent before the cycle of `now`.
  Total until(Stamp now) const { return static_cast<Total>(total() - (latest() == now ? 1U : 0U)); }
  Sent plus_one(Stamp now) const { return {now, total() + 1}; }

 private:
  std::uint64_t bits_ = 0;  // in one word, or g++ 12 puts it together in vector registers
};

/// What a receiver has taken from its link: the cycle of the latest message, and the totals before and after that
/// cycle, in which it may have taken several.
struct Taken {
  Stamp latest = 0;
  Total before = 0;
  Total total = 0;

  /// Messages taken before the cycle of `now`.
  Total until(Stamp now) const { return latest == now ? before : total; }
  Taken plus_one(Stamp now) const { return {now, until(now), static_cast<Total>(total + 1)}; }
};

/// The two counters of a directed link. They decide what has arrived and whether there is room, the same whoever
/// comes first within a cycle; the queue of the channel only carries the payloads.
///
/// Thread-safety: the sender alone writes `sent`, the receiver alone writes `taken`.
/// 1. The sender in cycle c counts taken.until(c); the receiver in cycle c counts sent.until(c). Both were fixed before
///    c began, so it makes no difference whether the other side has already moved in c. The barrier makes the earlier
///    moves visible, and relaxed accesses suffice.
/// 2. sent.total - taken.total messages are in the channel at a barrier.
struct Flow {
  std::atomic<Sent> sent;
  std::atomic<Taken> taken;

  bool has_arrived(Stamp now) const {
    return sent.load(std::memory_order_relaxed).until(now) != taken.load(std::memory_order_relaxed).total;
  }
};
static_assert(sizeof(Flow) == 16 && std::atomic<Sent>::is_always_lock_free && std::atomic<Taken>::is_always_lock_free);

/// Whether a channel of that capacity was full when the cycle of `now` began.
inline bool was_full(Sent sent, Taken taken, Stamp now, std::size_t capacity) {
  // What was taken before the latest take's cycle was taken before this one: mostly that is room enough.
  if (static_cast<Total>(sent.total() - taken.before) < capacity) return false;
  return static_cast<Total>(sent.total() - taken.until(now)) >= capacity;
}

}  // namespace lockstep::detail
