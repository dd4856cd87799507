#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>
#include <utility>

namespace lockstep {

/// Runs the work of one cycle on host threads: the only place where the emulator touches threads.
///
/// run() cuts [0, count) into ranges for the workers 0 .. parts-1, hands each to body(worker, first, last), and returns
/// when all are done; 1 <= parts <= workers(). Each worker number is busy at most once at a time. Everything before
/// run() happens before every body, and every body happens before the return; bodies are not ordered among each other.
class Executor {
 public:
  /// Processes the range [first, last) as that worker; `context` is the one given to run(). Must not throw.
  using Body = void (*)(void* context, unsigned worker, std::size_t first, std::size_t last);

  virtual ~Executor() = default;
  /// Processes the range [0, count) with `parts` workers, as described above.
  virtual void run(std::size_t count, unsigned parts, Body body, void* context) = 0;
  /// As reports name it: "tbb".
  virtual std::string_view name() const = 0;
  /// Worker numbers are 0 .. workers()-1.
  virtual unsigned workers() const { return 1; }
  /// Whether the work must be split into single processors, because the executor chooses their order.
  virtual bool one_by_one() const { return false; }

  /// Calls body(worker, first, last) for the ranges of [0, count). Rethrows the first exception of a body once all have
  /// ended.
  template <class Function>
  void for_ranges(std::size_t count, Function&& function) {
    for_ranges(count, workers(), function);
  }
  /// The same with at most `parts` workers.
  template <class Function>
  void for_ranges(std::size_t count, unsigned parts, Function&& function) {
    Call<std::remove_reference_t<Function>> call{function};
    run(
        count, parts,
        [](void* context, unsigned worker, std::size_t first, std::size_t last) {
          auto& of_all = *static_cast<decltype(call)*>(context);
          try {
            of_all.function(worker, first, last);
          } catch (...) {
            if (!of_all.has_thrown.exchange(true, std::memory_order_relaxed)) of_all.thrown = std::current_exception();
          }
        },
        &call);
    if (call.thrown) std::rethrow_exception(std::move(call.thrown));
  }

 private:
  /// The data that the ranges of one call share.
  template <class Function>
  struct Call {
    Function& function;
    std::atomic<bool> has_thrown{false};
    std::exception_ptr thrown{};  // written by one range, read after all have ended
  };
};

/// The executors there are. Results never depend on which it is.
enum class ExecutorKind {
  tbb,         ///< oneTBB: one range per thread in a task arena (the default)
  sequential,  ///< the calling thread, ascending
  seeded,      ///< the calling thread, a new random order in every cycle, replayable by its seed
  threads      ///< std::jthread, without oneTBB
};

/// As --executor takes it: "tbb".
std::string_view name(ExecutorKind kind);

/// `threads` = 0 means one per hardware thread; `sequential` and `seeded` always use one.
/// Throws std::system_error if the threads cannot be started.
std::unique_ptr<Executor> make_executor(ExecutorKind kind, unsigned threads = 0, std::uint64_t schedule_seed = 1);

}  // namespace lockstep
