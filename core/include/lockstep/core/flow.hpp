#pragma once

#include <atomic>
#include <cstdint>

namespace lockstep::detail {

/// A cycle as channels and processors remember it: cycle + 1 in 32 bits, 0 for never.
using Stamp = std::uint32_t;

/// How many messages one end of a channel has moved, as seen in any cycle: the cycle of the latest move, and the
/// totals before and after the moves of that cycle (modulo 2^16; a channel holds far fewer).
struct Moves {
  Stamp latest = 0;
  std::uint16_t before = 0;
  std::uint16_t total = 0;

  /// Moves made before the cycle of `now`.
  std::uint16_t until(Stamp now) const { return latest == now ? before : total; }

  Moves plus_one(Stamp now) const { return {now, until(now), static_cast<std::uint16_t>(total + 1)}; }
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
  std::atomic<Moves> sent;
  std::atomic<Moves> taken;
};
static_assert(sizeof(Flow) == 16 && std::atomic<Moves>::is_always_lock_free);

}  // namespace lockstep::detail
