#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "lockstep/core/memory.hpp"

namespace lockstep::detail {

/// Memory for coroutine frames: free lists by size over slabs that are kept until the pool ends.
///
/// Not thread-safe: each worker of a run has its own. A frame may come back to another worker's pool than it was taken
/// from; all pools of a run end together, after the last frame.
/// Under AddressSanitizer every frame is an allocation of its own, so that a use after its end is seen.
class FramePool {
 public:
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

  void give_back(void* frame, std::size_t bytes) {
    --taken_;
    const std::size_t kind = (bytes + grain - 1) / grain;
    if (!pooled || kind >= free_.size()) return ::operator delete(frame);
    free_[kind] = new (frame) Free{free_[kind]};
  }

  /// Frames taken and not given back here; over all pools of a run 0 when no coroutine is alive.
  std::ptrdiff_t outstanding() const { return taken_; }

 private:
#if defined(__SANITIZE_ADDRESS__)
  static constexpr bool pooled = false;
#else
  static constexpr bool pooled = true;
#endif
  static constexpr std::size_t grain = 32;
  static constexpr std::size_t first_slab = std::size_t{64} << 10;
  static constexpr std::size_t largest_slab = std::size_t{16} << 20;

  struct Free {
    Free* next;
  };

  /// Not inlined: g++ 12 would see an operator new that the coroutine's operator delete does not match, and warn.
  [[gnu::noinline]] static void* allocate(std::size_t bytes) { return ::operator new(bytes); }

  void grow(std::size_t at_least) {
    slab_bytes_ = slab_bytes_ == 0 ? first_slab : std::min(2 * slab_bytes_, largest_slab);
    left_ = std::max(slab_bytes_, at_least);
    slabs_.emplace_back(allocate_pages(left_));
    next_ = static_cast<std::byte*>(slabs_.back().get());
  }

  struct FreePages {
    void operator()(void* memory) const { free_pages(memory); }
  };

  std::array<Free*, 128> free_{};
  std::vector<std::unique_ptr<void, FreePages>> slabs_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t slab_bytes_ = 0;
  std::ptrdiff_t taken_ = 0;
};

}  // namespace lockstep::detail
