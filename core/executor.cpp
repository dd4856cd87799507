#include "lockstep/core/executor.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "tbb_executor.hpp"

namespace lockstep {
namespace {

/// What the threads of one cycle share, with the two edges that order their work with the caller's.
///
/// 1. The caller writes the plain members, then stores `start` (release). A part loads `start` (acquire) before it
///    reads anything plain; it reaches the gate through an address that it was given by value.
/// 2. A part adds 1 to `ended` (release) after its last access. The caller loads `ended` (acquire) until all parts
///    have ended. The additions form one release sequence, so the load synchronises with every part; they do not
///    acquire, so that no order between parts is made up that would hide a race from ThreadSanitizer.
struct Gate {
  std::atomic<std::uint64_t> start{0};
  std::atomic<unsigned> ended{0};
  std::size_t count = 0;
  unsigned parts = 1;
  Executor::Body body = nullptr;
  void* context = nullptr;

  void open(std::size_t work, unsigned part_count, Executor::Body function, void* argument) {
    count = work;
    parts = part_count;
    body = function;
    context = argument;
    ended.store(0, std::memory_order_relaxed);
    start.fetch_add(1, std::memory_order_release);  // pairs with the acquire in run_part
  }

  void run_part(unsigned part) {
    start.load(std::memory_order_acquire);  // pairs with open
    const std::size_t first = count * part / parts;
    const std::size_t last = count * (part + 1) / parts;
    if (first < last) body(context, part, first, last);
    ended.fetch_add(1, std::memory_order_release);  // pairs with wait_for_parts
  }

  void wait_for_parts(unsigned expected) const {
    for (unsigned spins = 0; ended.load(std::memory_order_acquire) != expected; ++spins) {  // pairs with run_part
      if (spins > 1000) std::this_thread::yield();
    }
  }
};

class SequentialExecutor : public Executor {
 public:
  void run(std::size_t count, unsigned, Body body, void* context) override {
    if (count > 0) body(context, 0, 0, count);
  }
  std::string_view name() const override { return "sequential"; }
};

class SeededExecutor : public Executor {
 public:
  explicit SeededExecutor(std::uint64_t seed) : random_(seed) {}

  void run(std::size_t count, unsigned, Body body, void* context) override {
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t left = count; left > 1; --left) std::swap(order_[left - 1], order_[random_() % left]);
    for (const std::size_t index : order_) body(context, 0, index, index + 1);
  }
  std::string_view name() const override { return "seeded"; }
  bool one_by_one() const override { return true; }

 private:
  std::mt19937_64 random_;
  std::vector<std::size_t> order_;
};

class ThreadsExecutor : public Executor {
 public:
  explicit ThreadsExecutor(unsigned threads) : threads_(threads), starts_(threads) {
    try {
      for (unsigned part = 1; part < threads; ++part) {
        pool_.emplace_back([this, part](const std::stop_token& stop) { serve(stop, part); });
      }
    } catch (...) {
      stop();
      throw;
    }
  }
  ~ThreadsExecutor() override { stop(); }

  void run(std::size_t count, unsigned parts, Body body, void* context) override {
    gate_.open(count, parts, body, context);
    for (unsigned part = 1; part < parts; ++part) wake(part);
    gate_.run_part(0);
    gate_.wait_for_parts(parts);
  }
  std::string_view name() const override { return "threads"; }
  unsigned workers() const override { return threads_; }

 private:
  /// Times that a thread was woken, on a cache line of its own.
  struct alignas(64) Start {
    std::atomic<std::uint64_t> times{0};
  };

  void wake(unsigned part) {
    starts_[part].times.fetch_add(1, std::memory_order_release);  // pairs with the acquire in serve
    starts_[part].times.notify_one();
  }

  void stop() {
    for (std::jthread& thread : pool_) thread.request_stop();
    for (unsigned part = 1; part < threads_; ++part) wake(part);
  }

  void serve(const std::stop_token& stop_token, unsigned part) {
    const std::atomic<std::uint64_t>& start = starts_[part].times;
    std::uint64_t seen = 0;
    while (true) {
      std::uint64_t now = start.load(std::memory_order_acquire);  // pairs with wake
      for (unsigned spins = 0; now == seen && spins < 2000; ++spins) now = start.load(std::memory_order_acquire);
      if (now == seen) {
        start.wait(seen, std::memory_order_acquire);
        continue;
      }
      seen = now;
      if (stop_token.stop_requested()) return;
      gate_.run_part(part);
    }
  }

  unsigned threads_;
  Gate gate_;
  std::vector<Start> starts_;
  std::vector<std::jthread> pool_;  // last: the threads end before what they use
};

class TbbExecutor : public Executor {
 public:
  explicit TbbExecutor(unsigned threads) : threads_(threads) {
    // oneTBB ends the process if a thread cannot be started; find out before it tries.
    if (threads > std::thread::hardware_concurrency()) ThreadsExecutor{threads};
    arena_ = detail::make_tbb_arena(threads);
  }
  ~TbbExecutor() override { detail::free_tbb_arena(arena_); }

  void run(std::size_t count, unsigned parts, Body body, void* context) override {
    gate_.open(count, parts, body, context);
    detail::run_in_tbb_arena(
        arena_, parts, [](void* gate, unsigned part) { static_cast<Gate*>(gate)->run_part(part); }, &gate_);
    gate_.wait_for_parts(parts);
  }
  std::string_view name() const override { return "tbb"; }
  unsigned workers() const override { return threads_; }

 private:
  unsigned threads_;
  detail::TbbArena* arena_ = nullptr;
  Gate gate_;
};

}  // namespace

std::unique_ptr<Executor> make_executor(ExecutorKind kind, unsigned threads, std::uint64_t schedule_seed) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  switch (kind) {
    case ExecutorKind::sequential:
      return std::make_unique<SequentialExecutor>();
    case ExecutorKind::seeded:
      return std::make_unique<SeededExecutor>(schedule_seed);
    case ExecutorKind::threads:
      return std::make_unique<ThreadsExecutor>(threads);
    case ExecutorKind::tbb:
      break;
  }
  return std::make_unique<TbbExecutor>(threads);
}

}  // namespace lockstep
