#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/core/detail/atomics.hpp"
#include "lockstep/core/detail/stamp.hpp"
#include "lockstep/core/medium.hpp"
#include "network/letters.hpp"

namespace lockstep::detail {

/// The slots of a shared memory, each of which holds one value at most.
///
/// Thread-safety: within a cycle any number of processors may read a slot while others write it; no thread waits for
/// another.
/// 1. A slot keeps its two latest values and the cycle in which each was written. A writer in cycle c first claims the
///    slot, by compare-and-swap, so one writer per cycle succeeds; it replaces the older value. Other writers of the
///    cycle have broken a rule; the run ends at the barrier.
/// 2. A reader in cycle c takes the newer of the values written before c: the same one whether it reads before or after
///    the writer, which touches only the other one and marks it with c.
/// 3. Consecutive accesses to a value, one of them a write, have a barrier of the machine between them, so relaxed
///    accesses suffice.
class SharedMemory {
 public:
  SharedMemory(std::size_t slots, const PayloadOperations& payload) : cells_(slots), values_(2 * slots, payload) {}

  static std::uint64_t bytes(std::uint64_t slots, const PayloadOperations& payload) {
    return slots * sizeof(Cell) + Letters::bytes(2 * slots, payload);
  }

  std::size_t slots() const { return cells_.size(); }

  /// Claims the slot for this cycle; false if another writer has.
  bool claim(Slot slot, Stamp now) {
    Stamp last = cells_[slot].claimed.load(std::memory_order_relaxed);
    return last != now && cells_[slot].claimed.compare_exchange_strong(last, now, std::memory_order_relaxed);
  }
  /// Writes a slot; the caller has claimed it in this cycle, or it is the barrier.
  void write(Slot slot, Stamp now, void* payload, double arrival) {
    const std::size_t older = newest(slot, now) == 2 * std::size_t{slot} ? 1 : 0;
    Atomic<Stamp>& written = cells_[slot].written[older];
    if (written.load(std::memory_order_relaxed) != 0) values_.destroy(2 * std::size_t{slot} + older);
    values_.put(2 * std::size_t{slot} + older, payload, arrival);
    written.store(now, std::memory_order_relaxed);
  }
  /// The place among values() of the latest value written before the cycle of `now`; nowhere if there is none.
  std::size_t newest(Slot slot, Stamp now) const {
    const Cell& cell = cells_[slot];
    std::size_t newest = nowhere;
    Stamp latest = 0;
    for (std::size_t value = 0; value < 2; ++value) {
      const Stamp written = cell.written[value].load(std::memory_order_relaxed);
      if (written <= latest || written >= now) continue;
      latest = written;
      newest = 2 * std::size_t{slot} + value;
    }
    return newest;
  }
  Letters& values() { return values_; }

  // At the barrier.

  /// The place of the value written in the cycle of `now`; nowhere if there is none.
  std::size_t written_in(Slot slot, Stamp now) const {
    for (std::size_t value = 0; value < 2; ++value) {
      if (cells_[slot].written[value].load(std::memory_order_relaxed) == now) return 2 * std::size_t{slot} + value;
    }
    return nowhere;
  }
  /// Resets the place as if nothing had been written there.
  void forget(std::size_t place) { cells_[place / 2].written[place % 2].store(0, std::memory_order_relaxed); }
  /// Destroys all values.
  void clear() {
    for (std::size_t place = 0; place < 2 * cells_.size(); ++place) {
      if (cells_[place / 2].written[place % 2].exchange(0, std::memory_order_relaxed) != 0) values_.destroy(place);
    }
  }

  static constexpr std::size_t nowhere = ~std::size_t{0};

 private:
  struct Cell {
    Atomic<Stamp> claimed{0};
    Atomic<Stamp> written[2]{};  ///< 0: never
  };

  std::vector<Cell> cells_;
  Letters values_;  // two consecutive ones per slot
};

}  // namespace lockstep::detail
