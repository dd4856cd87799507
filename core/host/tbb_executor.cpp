// The only source file that includes oneTBB. It is built without ThreadSanitizer, because Debian's libtbb is not
// instrumented; executor.cpp wraps what it calls in atomics that ThreadSanitizer sees. For the same reason this file
// includes no other header of the project that could leave an uninstrumented copy of a shared inline function.
#include "host/tbb_executor.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <optional>

namespace lockstep::detail {

struct TbbArena {
  explicit TbbArena(int threads) : arena(threads) {
    // The limit holds for the whole process, and the lowest wins: only raise it.
    constexpr auto parallelism = tbb::global_control::max_allowed_parallelism;
    const auto wanted = static_cast<std::size_t>(threads);
    if (wanted > tbb::global_control::active_value(parallelism)) limit.emplace(parallelism, wanted);
  }
  // Ends oneTBB's threads and waits for them, once the arena is gone. A thread that is still ending while the process
  // exits frees memory that others have read, which ThreadSanitizer, blind to libtbb's own order, reports as a race.
  struct Threads {
    tbb::task_scheduler_handle handle{tbb::attach{}};
    ~Threads() { tbb::finalize(handle, std::nothrow); }
  };
  std::optional<tbb::global_control> limit;  // destroyed last: if the limit is 1 without this, finalize() waits forever
  Threads threads_end_after_the_arena;
  tbb::task_arena arena;
};

TbbArena* make_tbb_arena(unsigned threads) { return new TbbArena(static_cast<int>(threads)); }
void free_tbb_arena(TbbArena* arena) { delete arena; }

void run_in_tbb_arena(TbbArena* arena, unsigned parts, void (*part)(void*, unsigned), void* context) {
  try {
    arena->arena.execute([parts, part, context] {
      tbb::parallel_for(
          0U, parts, [part, context](unsigned index) { part(context, index); }, tbb::static_partitioner());
    });
  } catch (...) {
    // Parts throw nothing, so oneTBB ran out of memory, and finalize() would wait forever for the work that it had
    // begun.
    arena->threads_end_after_the_arena.handle.release();
    throw;
  }
}

}  // namespace lockstep::detail
