// One coroutine a processor and plain arrays between them: no channels, no checks, no counts. The extra cost of the
// emulator's verbs is the price of its rules.
#include <coroutine>
#include <exception>

#include "exchange.hpp"
#include "machine_run.hpp"
#include "peak_memory.hpp"

namespace lockstep::bench {
namespace {

struct Bare {
  struct promise_type {
    Bare get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

Bare processor(std::size_t rank, unsigned dimensions, std::vector<Word>& even, std::vector<Word>& odd, Word& value) {
  value = rank;
  for (unsigned dimension = 0; dimension < dimensions; ++dimension) {
    std::vector<Word>& slots = dimension % 2 == 0 ? even : odd;
    slots[rank ^ (std::size_t{1} << dimension)] = value;
    co_await std::suspend_always{};
    value += slots[rank];
  }
}

}  // namespace

Timing exchange_bare_coroutines(unsigned n, unsigned threads) {
  const PeakMemory memory;
  const auto start = std::chrono::steady_clock::now();
  const auto executor = make_executor(ExecutorKind::tbb, threads);
  const std::size_t size = std::size_t{1} << n;
  std::vector<Word> even(size);
  std::vector<Word> odd(size);
  std::vector<Word> values(size);
  std::vector<std::coroutine_handle<>> handles(size);
  executor->for_ranges(size, [&](unsigned, std::size_t first, std::size_t last) {
    for (std::size_t rank = first; rank < last; ++rank) {
      handles[rank] = processor(rank, n, even, odd, values[rank]).handle;
    }
  });
  const auto ready = std::chrono::steady_clock::now();
  for (unsigned cycle = 0; cycle <= n; ++cycle) {
    executor->for_ranges(size, [&](unsigned, std::size_t first, std::size_t last) {
      for (std::size_t rank = first; rank < last; ++rank) handles[rank].resume();
    });
  }
  const auto end = std::chrono::steady_clock::now();
  const std::uint64_t peak_bytes = memory.growth();
  for (const std::coroutine_handle<> handle : handles) handle.destroy();
  check_sums(values);
  return {.setup_seconds = seconds_between(start, ready),
          .run_seconds = seconds_between(ready, end),
          .messages = n * size,
          .processors = size,
          .peak_bytes = peak_bytes};
}

}  // namespace lockstep::bench
