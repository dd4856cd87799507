#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "lockstep/core/detail/atomics.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep::detail {

/// Which processors have something to do in the next cycle, and why.
///
/// Thread-safety: within a cycle any thread may mark any processor; drain() runs alone, at the barrier.
/// 1. A receiver's mark is a byte that goes from 0 to 1 within a cycle, by relaxed stores that may be repeated. A
///    processor that asks to be visited again sets a bit, by a relaxed fetch_or. No thread acts on a mark before the
///    barrier, which makes it visible.
/// 2. A byte of a level says that one of its 64 children is marked. A thread that finds a byte set may stop: the thread
///    that set it sets the bytes above before the barrier.
/// 3. drain() leaves everything 0.
/// The cost of drain() follows the marks, not the size of the machine.
class MarkTree {
 public:
  /// Marks of 64 neighbouring processors, bit i for rank 64 * group + i.
  struct Group {
    std::uint32_t index;
    std::uint64_t received;  ///< was sent a message
    std::uint64_t again;     ///< asked to be visited
  };

  explicit MarkTree(Rank processors) {
    std::size_t size = (std::size_t{processors} + fan_out - 1) / fan_out;
    received_.resize(size * fan_out);
    again_.resize(size);
    groups_.resize(rounded(size));
    while (size > fan_out) {
      size = (size + fan_out - 1) / fan_out;
      levels_.emplace_back(rounded(size));
    }
  }

  /// Forgets all marks.
  void clear() {
    drain([](const Group&) {});
  }

  void mark_received(Rank rank) {
    set(received_[rank]);
    mark_group(rank / fan_out);
  }
  void mark_again(Rank rank) {
    mark_again(static_cast<std::uint32_t>(rank / fan_out), std::uint64_t{1} << rank % fan_out);
  }
  /// Marks the processors of a group whose bits are set in `ranks`.
  void mark_again(std::uint32_t group, std::uint64_t ranks) {
    AtomicRef<std::uint64_t>(again_[group]).fetch_or(ranks, std::memory_order_relaxed);
    mark_group(group);
  }

  /// Calls visit(Group) for every group with a mark, in ascending order, and clears all marks.
  template <class Visit>
  void drain(Visit&& visit) {
    const std::size_t top = levels_.size();
    for (std::size_t block = 0; block < level(top).size(); block += fan_out) drain_children(top, block, visit);
  }

 private:
  using Bytes = std::vector<std::uint8_t>;
  static constexpr std::size_t fan_out = 64;

  static bool is_set(std::uint8_t& byte) { return AtomicRef<std::uint8_t>(byte).load(std::memory_order_relaxed) != 0; }
  static void set(std::uint8_t& byte) { AtomicRef<std::uint8_t>(byte).store(1, std::memory_order_relaxed); }

  void mark_group(std::size_t group) {
    if (!is_set(groups_[group])) mark_new_group(group);
  }
  [[gnu::noinline]] void mark_new_group(std::size_t group) {
    set(groups_[group]);
    for (Bytes& above : levels_) {
      group /= fan_out;
      if (is_set(above[group])) return;
      set(above[group]);
    }
  }

  static std::size_t rounded(std::size_t size) { return (size + fan_out - 1) / fan_out * fan_out; }
  Bytes& level(std::size_t height) { return height == 0 ? groups_ : levels_[height - 1]; }

  /// The 64 bytes from `bytes` on as bits; clears them.
  static std::uint64_t take(std::uint8_t* bytes) {
    std::uint64_t bits = 0;
    for (unsigned word = 0; word < 8; ++word) {
      std::uint64_t eight = 0;
      read_alone(&eight, bytes + 8 * word, sizeof eight);
      // Each byte is 0 or 1; the product gathers the eight low bits in the highest byte.
      bits |= ((eight * 0x0102040810204080U) >> 56) << (8 * word);
    }
    if (bits != 0) clear_alone(bytes, fan_out);
    return bits;
  }

  template <class Visit>
  void drain_children(std::size_t height, std::size_t first, Visit& visit) {
    for (std::uint64_t marked = take(level(height).data() + first); marked != 0; marked &= marked - 1) {
      const std::size_t child = first + static_cast<std::size_t>(std::countr_zero(marked));
      if (height > 0) {
        drain_children(height - 1, child * fan_out, visit);
      } else {
        visit(Group{static_cast<std::uint32_t>(child), take(received_.data() + child * fan_out),
                    take_alone(again_[child])});
      }
    }
  }

  static_assert(std::endian::native == std::endian::little);

  Bytes received_;                    // a byte per processor
  std::vector<std::uint64_t> again_;  // a bit per processor
  Bytes groups_;                      // a byte per 64 processors
  std::vector<Bytes> levels_;         // levels_[0] has a byte for 64 groups, levels_[1] one for 4096, ...
};

}  // namespace lockstep::detail
