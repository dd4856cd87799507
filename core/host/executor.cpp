#include "lockstep/core/executor.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "host/cores.hpp"
#include "host/gate.hpp"
#include "host/tbb_executor.hpp"

namespace lockstep {
namespace {

using detail::Gate;

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
  explicit ThreadsExecutor(unsigned threads) : threads_(threads), gate_(threads) {
    try {
      for (unsigned part = 1; part < threads; ++part) {
        pool_.emplace_back([this, part] { gate_.serve(part); });
      }
    } catch (...) {
      gate_.close();
      throw;
    }
  }
  ~ThreadsExecutor() override { gate_.close(); }

  void run(std::size_t count, unsigned parts, Body body, void* context) override {
    gate_.run(count, parts, body, context);
  }
  std::string_view name() const override { return "threads"; }
  unsigned workers() const override { return threads_; }

 private:
  unsigned threads_;
  detail::ServedGate gate_;
  std::vector<std::jthread> pool_;  // last: the threads end before the members that they use
};

class TbbExecutor : public Executor {
 public:
  explicit TbbExecutor(unsigned threads) : threads_(threads) {
    // oneTBB ends the process if a thread cannot be started; try it out first.
    if (threads > host_cores()) ThreadsExecutor{threads};
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
  if (threads == 0) threads = host_cores();
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
