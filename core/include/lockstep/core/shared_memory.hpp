#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "lockstep/core/flow.hpp"
#include "lockstep/core/medium.hpp"
#include "lockstep/core/payload.hpp"

namespace lockstep::detail {

/// The slots of a shared memory, each of which holds one value at most.
///
/// Thread-safety: within a cycle any number of processors may read a slot while others write it; nobody waits for
/// anybody.
/// 1. A slot keeps its two latest values. Who writes in cycle c first claims the slot, by compare-and-swap, so that one
///    writer a cycle succeeds; it replaces the older value and then says in `latest` that this one is the newer, of
///    cycle c. Other writers of the cycle have broken a rule; the run ends at the barrier.
/// 2. Who reads in cycle c takes the newer value if it was written before c, and the older one if it was written in c:
///    the same value, whether it looks before or after the writer. The writer touches only the other one.
/// 3. The two accesses to a value that follow each other, one of them a write, have a barrier of the machine between
///    them, so relaxed accesses suffice.
template <Payload T>
class SharedMemory {
 public:
  struct Value {
    T payload;
    double arrival;  ///< modelled time at which it was there
  };

  explicit SharedMemory(std::size_t slots) : cells_(slots) {}

  static constexpr std::uint64_t bytes(std::uint64_t slots) { return slots * sizeof(Cell); }

  std::size_t slots() const { return cells_.size(); }

  /// Whether nobody has claimed the slot in this cycle yet.
  bool claim(Slot slot, Stamp now) {
    Stamp last = cells_[slot].claimed.load(std::memory_order_relaxed);
    return last != now && cells_[slot].claimed.compare_exchange_strong(last, now, std::memory_order_relaxed);
  }
  /// Whether the slot has been written in this cycle; for the barrier.
  bool was_written(Slot slot, Stamp now) const {
    return cells_[slot].latest.load(std::memory_order_relaxed).written == now;
  }
  /// Writes a slot; the caller has claimed it in this cycle, or it is the barrier.
  void write(Slot slot, Stamp now, T&& payload, double arrival) {
    Cell& cell = cells_[slot];
    const Latest before = cell.latest.load(std::memory_order_relaxed);
    const Latest after{now, static_cast<std::uint16_t>(1 - before.newer), before.written != 0};
    cell.values[after.newer] = Value{std::move(payload), arrival};
    cell.latest.store(after, std::memory_order_relaxed);
  }
  /// What was written last before this cycle; null if nothing was.
  const Value* read(Slot slot, Stamp now) const {
    const Cell& cell = cells_[slot];
    const Latest latest = cell.latest.load(std::memory_order_relaxed);
    if (latest.written == 0) return nullptr;
    if (latest.written < now) return &*cell.values[latest.newer];
    return latest.has_older ? &*cell.values[1 - latest.newer] : nullptr;
  }

 private:
  struct Latest {
    Stamp written = 0;  ///< 0: never
    std::uint16_t newer = 0;
    std::uint16_t has_older = 0;
  };
  struct Cell {
    std::atomic<Stamp> claimed{0};
    std::atomic<Latest> latest{};
    std::optional<Value> values[2];
  };
  static_assert(std::atomic<Latest>::is_always_lock_free);

  std::vector<Cell> cells_;
};

}  // namespace lockstep::detail
