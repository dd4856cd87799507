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
/// Not thread-safe: each worker of a run has its own. A frame may be given back to the pool of another worker; it goes
/// home at the barrier, so no pool hoards frames that another lacks, and a pool never carves out more than its peak
/// demand. All pools of a run end together, after the last frame. Under AddressSanitizer every frame is a separate
/// allocation, so that a use after free is detected.
class FramePool {
 public:
#if defined(__SANITIZE_ADDRESS__)  // g++
  static constexpr bool pooled = false;
#elif defined(__has_feature)  // clang
  static constexpr bool pooled = !__has_feature(address_sanitizer);
#else
  static constexpr bool pooled = true;
#endif

  FramePool() = default;
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  /// Throws std::bad_alloc, without effect, if there is no memory.
  void* take(std::size_t bytes) {
    void* const frame = find(bytes);
    ++taken_;
    return frame;
  }

  /// Takes back a frame of this many bytes that was taken from the pool `home`.
  void give_back(void* frame, std::size_t bytes, FramePool& home) {
    --taken_;
    const std::size_t kind = (bytes + grain - 1) / grain;
    if (!pooled || kind >= free_.size()) return ::operator delete(frame);
    if (&home == this || !keep_for(home, kind, frame)) free_[kind] = new (frame) Free{free_[kind]};
  }

  /// Returns the frames of other pools to them; called when no other thread uses a pool.
  void send_home() {
    for (const Guests& guests : guests_) {
      guests.last->next = guests.home->free_[guests.kind];
      guests.home->free_[guests.kind] = guests.first;
    }
    guests_.clear();
  }

  /// Frames taken here minus frames given back here; 0 over all pools of a run when no coroutine is alive.
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

  void* find(std::size_t bytes) {
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

  /// Keeps a frame of another pool until it is sent home. False if there is no memory to record that: the frame may
  /// stay here, as all pools of a run live equally long.
  bool keep_for(FramePool& home, std::size_t kind, void* frame) {
    for (Guests& guests : guests_) {
      if (guests.home == &home && guests.kind == kind) {
        guests.first = new (frame) Free{guests.first};
        return true;
      }
    }
    try {
      guests_.push_back({&home, kind, nullptr, nullptr});
    } catch (const std::bad_alloc&) {
      return false;
    }
    guests_.back().first = guests_.back().last = new (frame) Free{nullptr};
    return true;
  }

  /// Not inlined: g++ 12 would see an operator new that the coroutine's operator delete does not match, and warn.
  [[gnu::noinline]] static void* allocate(std::size_t bytes) { return ::operator new(bytes); }

  void grow(std::size_t at_least) {
    const std::size_t slab = slab_bytes_ == 0 ? first_slab : std::min(2 * slab_bytes_, largest_slab);
    const std::size_t bytes = std::max(slab, at_least);
    next_ = slabs_.emplace_back(bytes).data();
    left_ = bytes;
    slab_bytes_ = slab;
  }

  std::array<Free*, 128> free_{};  // by size in grains
  std::vector<Guests> guests_;     // few: one entry per home and size
  std::vector<LargeArray<std::byte>> slabs_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t slab_bytes_ = 0;
  std::ptrdiff_t taken_ = 0;
};

}  // namespace lockstep::detail
