#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep::detail {

/// Which processors have something to do in the next cycle, and why.
///
/// Thread-safety: within a cycle any thread may mark any processor; drain() runs alone, at the barrier.
/// 1. A mark is a byte that goes from 0 to 1 within a cycle, by relaxed stores that may be repeated; nobody reads marks
///    to learn anything before the barrier, which gives them their visibility.
/// 2. A byte of a level above says that one of its 64 children is marked. Whoever finds a byte set may stop: the one
///    who set it sets the bytes above before the barrier.
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
    std::size_t size = processors;
    do {
      size = (size + fan_out - 1) / fan_out;
      levels_.emplace_back(size);
    } while (size > fan_out);
    received_.resize(levels_.front().size() * fan_out);
    again_.resize(levels_.front().size() * fan_out);
    for (auto& level : levels_) level.resize((level.size() + fan_out - 1) / fan_out * fan_out);
  }

  void mark_received(Rank rank) { mark(received_, rank); }
  void mark_again(Rank rank) { mark(again_, rank); }

  /// Calls visit(Group) for every group with a mark, in ascending order, and clears all marks.
  template <class Visit>
  void drain(Visit&& visit) {
    const std::size_t top = levels_.size() - 1;
    for (std::size_t block = 0; block < levels_[top].size(); block += fan_out) drain_children(top, block, visit);
  }

 private:
  using Bytes = std::vector<std::uint8_t>;
  static constexpr std::size_t fan_out = 64;

  /// Sets a byte; false if it was set already.
  static bool set(std::uint8_t& byte) {
    std::atomic_ref<std::uint8_t> shared(byte);
    if (shared.load(std::memory_order_relaxed) != 0) return false;
    shared.store(1, std::memory_order_relaxed);
    return true;
  }

  void mark(Bytes& leaves, Rank rank) {
    if (!set(leaves[rank])) return;
    std::size_t index = rank;
    for (Bytes& level : levels_) {
      index /= fan_out;
      if (!set(level[index])) return;
    }
  }

  /// The 64 bytes from `bytes` on as bits; clears them.
  static std::uint64_t take(std::uint8_t* bytes) {
    std::uint64_t bits = 0;
    for (unsigned word = 0; word < 8; ++word) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, bytes + 8 * word, sizeof eight);
      // Each byte is 0 or 1; the product gathers the eight low bits in the highest byte.
      bits |= ((eight * 0x0102040810204080U) >> 56) << (8 * word);
    }
    if (bits != 0) std::memset(bytes, 0, fan_out);
    return bits;
  }

  template <class Visit>
  void drain_children(std::size_t level, std::size_t first, Visit& visit) {
    for (std::uint64_t marked = take(levels_[level].data() + first); marked != 0; marked &= marked - 1) {
      const std::size_t child = first + static_cast<std::size_t>(std::countr_zero(marked));
      if (level > 0) {
        drain_children(level - 1, child * fan_out, visit);
      } else {
        visit(Group{static_cast<std::uint32_t>(child), take(received_.data() + child * fan_out),
                    take(again_.data() + child * fan_out)});
      }
    }
  }

  static_assert(std::endian::native == std::endian::little);

  Bytes received_;
  Bytes again_;
  std::vector<Bytes> levels_;  // levels_[0] has a byte for 64 processors, levels_[1] one for 4096, ...
};

}  // namespace lockstep::detail
