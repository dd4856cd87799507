#pragma once

#include <atomic>
#include <thread>

#include "lockstep/core/executor.hpp"

namespace lockstep {

/// Forwards the work of another executor piece by piece, with random pauses between: none, a few turns of a loop, or
/// the rest of the thread's time slice. So the threads reach the same processors at varying times.
class DelayingExecutor : public Executor {
 public:
  DelayingExecutor(Executor& inner, std::uint64_t seed) : inner_(inner), seed_(seed) {}

  void run(std::size_t count, unsigned parts, Body body, void* context) override {
    ++seed_;
    inner_.for_ranges(count, parts, [&](unsigned worker, std::size_t first, std::size_t last) {
      for (std::size_t index = first; index < last; ++index) {
        pause(seed_ * 0x9e3779b97f4a7c15U + index);
        body(context, worker, index, index + 1);
      }
    });
  }
  std::string_view name() const override { return inner_.name(); }
  unsigned workers() const override { return inner_.workers(); }
  bool one_by_one() const override { return true; }

 private:
  static void pause(std::uint64_t number) {
    const std::uint64_t random = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9U;
    if (random >> 60 == 0) std::this_thread::yield();
    if (random >> 62 != 1) return;
    for (std::atomic<std::uint64_t> left = random >> 32 & 0x7ff; left > 0; --left) {
    }
  }

  Executor& inner_;
  std::uint64_t seed_;
};

}  // namespace lockstep
