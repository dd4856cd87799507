#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/core/detail/atomics.hpp"
#include "lockstep/core/executor.hpp"

namespace lockstep::detail {

/// The data that the threads of one cycle share, with the two edges that order their work with the caller's.
///
/// 1. The caller writes the plain members, then stores `start` (release). A part loads `start` (acquire) before it
///    reads anything plain; it reaches the gate through an address that it was given by value. Whatever starts a part
///    makes sure that it does not load an older value: oneTBB, whose own order ThreadSanitizer does not see, or
///    ServedGate, whose order alone would do.
/// 2. A part adds 1 to `ended` (release) after its last access. The caller loads `ended` (acquire) until all parts
///    have ended. The additions form one release sequence, so the load synchronises with every part; they do not
///    acquire, so that no order between parts is made up that would hide a race from ThreadSanitizer.
class Gate {
 public:
  void open(std::size_t work, unsigned part_count, Executor::Body function, void* argument) {
    count_ = work;
    parts_ = part_count;
    body_ = function;
    context_ = argument;
    ended_.store(0, std::memory_order_relaxed);
    start_.fetch_add(1, std::memory_order_release);  // pairs with the acquire in run_part
  }

  void run_part(unsigned part) {
    start_.load(std::memory_order_acquire);  // pairs with open
    const unsigned parts = parts_;
    const std::size_t count = count_;
    const std::size_t first = count * part / parts;
    const std::size_t last = count * (part + 1) / parts;
    if (first < last) {
      const Executor::Body body = body_;
      body(context_, part, first, last);
    }
    ended_.fetch_add(1, std::memory_order_release);  // pairs with wait_for_parts
  }

  void wait_for_parts(unsigned expected) const {
    for (unsigned looks = 0; ended_.load(std::memory_order_acquire) != expected; ++looks) {  // pairs with run_part
      pause(looks);
    }
  }

 private:
  Atomic<std::uint64_t> start_{0};
  Atomic<unsigned> ended_{0};
  Owned<std::size_t> count_ = 0;
  Owned<unsigned> parts_ = 1;
  Owned<Executor::Body> body_ = nullptr;
  Owned<void*> context_ = nullptr;
};

/// A gate whose parts, except the first, are run by threads of its owner, one thread per part.
///
/// Thread-safety: run() and close() are for one caller; serve(part) for one thread each.
/// 1. The caller writes the data that a part needs, then adds 1 to the part's `times` (release) and notifies. The
/// serving thread
///    loads `times` (acquire) until it has changed. It sleeps on the value that it has seen, which is not the present
///    one if the caller has been there since, so that no waking is lost.
/// 2. `is_closed_` is written before such an addition, and read after such a load.
class ServedGate {
 public:
  explicit ServedGate(unsigned threads) : starts_(threads) {}

  void run(std::size_t count, unsigned parts, Executor::Body body, void* context) {
    gate_.open(count, parts, body, context);
    for (unsigned part = 1; part < parts; ++part) wake(part);
    gate_.run_part(0);
    gate_.wait_for_parts(parts);
  }

  /// Makes every serve() return; no run follows.
  void close() {
    is_closed_ = true;
    for (unsigned part = 1; part < starts_.size(); ++part) wake(part);
  }

  /// Runs the part of this number in every run that has one.
  void serve(unsigned part) {
    const Atomic<std::uint64_t>& start = starts_[part].times;
    std::uint64_t seen = 0;
    while (true) {
      std::uint64_t now = start.load(std::memory_order_acquire);  // pairs with wake
      for (unsigned looks = 0; now == seen && looks < looks_before_sleep; ++looks) {
        now = start.load(std::memory_order_acquire);  // pairs with wake
      }
      if (now == seen) {
        start.wait(seen, std::memory_order_relaxed);
        continue;
      }
      seen = now;
      if (is_closed_) return;
      gate_.run_part(part);
    }
  }

 private:
  /// How often a thread was woken, on its own cache line.
  struct alignas(64) Start {
    Atomic<std::uint64_t> times{0};
  };

  void wake(unsigned part) {
    starts_[part].times.fetch_add(1, std::memory_order_release);  // pairs with the acquire in serve
    starts_[part].times.notify_one();
  }

  Gate gate_;
  Owned<bool> is_closed_ = false;
  std::vector<Start> starts_;
};

}  // namespace lockstep::detail
