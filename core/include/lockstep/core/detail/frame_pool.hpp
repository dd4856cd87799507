#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "lockstep/core/detail/large_array.hpp"

namespace lockstep::detail {

/// Memory for coroutine frames: free lists by size over slabs that are kept until the pool ends.
///
/// Not thread-safe: each worker of a run has its own. A frame may be given back to another worker's pool than it was
/// taken from; it goes home at the barrier, so that no pool hoards what another lacks, and a pool never cuts more than
/// the most that was taken from it at one time. All pools of a run end together, after the last frame.
/// Under AddressSanitizer every frame is an allocation of its own, so that a use after its end is seen.
class FramePool {
 public:
#if defined(__SANITIZE_ADDRESS__)
  static constexpr bool pooled = false;
#else
  static constexpr bool pooled = true;
#endif

  FramePool() = default;
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  void* take(std::size_t bytes) {
    ++taken_;
    const std::size_t kind = (bytes + grain - 1) / grain;
    if (!pooled || kind >= free_.size()) return allocate(bytes);
    if (Free* frame = free_[kind]) {
      free_[kind] = frame->next;
      return frame;
    }
    if (left_ < kind * grain) grow(kind * grain);
    void* frame = next_;
    next_ += kind * grain;
    left_ -= kind * grain;
    return frame;
  }

  /// Takes a frame that was taken from the pool `home` and was of so many bytes.
  void give_back(void* frame, std::size_t bytes, FramePool& home) {
    --taken_;
    const std::size_t kind = (bytes + grain - 1) / grain;
    if (!pooled || kind >= free_.size()) return ::operator delete(frame);
    if (&home == this) {
      free_[kind] = new (frame) Free{free_[kind]};
    } else {
      keep_for(home, kind, frame);
    }
  }

  /// Gives all frames of other pools to them; called when no other thread uses a pool.
  void send_home() {
    for (const Guests& guests : guests_) {
      guests.last->next = guests.home->free_[guests.kind];
      guests.home->free_[guests.kind] = guests.first;
    }
    guests_.clear();
  }

  /// Frames taken and not given back here; over all pools of a run 0 when no coroutine is alive.
  std::ptrdiff_t outstanding() const { return taken_; }

 private:
  static constexpr std::size_t grain = 32;
  static constexpr std::size_t first_slab = std::size_t{64} << 10;
  static constexpr std::size_t largest_slab = std::size_t{16} << 20;

  struct Free {
    Free* next;
  };
  /// Free frames of one size that belong to another pool.
  struct Guests {
    FramePool* home;
    std::size_t kind;
    Free* first;
    Free* last;
  };

  void keep_for(FramePool& home, std::size_t kind, void* frame) {
    for (Guests& guests : guests_) {
      if (guests.home == &home && guests.kind == kind) {
        guests.first = new (frame) Free{guests.first};
        return;
      }
    }
    auto* only = new (frame) Free{nullptr};
    guests_.push_back({&home, kind, only, only});
  }

  /// Not inlined: g++ 12 would see an operator new that the coroutine's operator delete does not match, and warn.
  [[gnu::noinline]] static void* allocate(std::size_t bytes) { return ::operator new(bytes); }

  void grow(std::size_t at_least) {
    slab_bytes_ = slab_bytes_ == 0 ? first_slab : std::min(2 * slab_bytes_, largest_slab);
    left_ = std::max(slab_bytes_, at_least);
    next_ = slabs_.emplace_back(left_).data();
  }

  std::array<Free*, 128> free_{};  // by size in grains
  std::vector<Guests> guests_;     // few: one entry a home and size
  std::vector<LargeArray<std::byte>> slabs_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t slab_bytes_ = 0;
  std::ptrdiff_t taken_ = 0;
};

}  // namespace lockstep::detail
