#pragma once

#include <cstdint>

#include "method_sizes.hpp"

// The measured kernels: the emulator's and, for comparison, the same data movement by other means. Each runs once,
// throws std::logic_error if the data is wrong afterwards, and MemoryError if it would not fit memory.
namespace lockstep::bench {

/// The times of one run; set-up (threads, allocation, creation of processors and channels) is separate from the run.
struct Timing {
  double setup_seconds = 0;
  double run_seconds = 0;
  double verify_seconds = 0;   ///< of a method
  std::uint64_t messages = 0;  ///< over links; in kernel B the blocks in them
  std::uint64_t words = 0;     ///< of a method
  std::uint64_t processors = 0;
  std::uint64_t peak_bytes = 0;  ///< growth of this process's memory at its highest; 0 where it is not measured
};

/// Kernel E is measured for these n.
inline constexpr unsigned smallest_n = 6;
inline constexpr unsigned largest_n = 20;

// Kernel E: recursive-doubling exchange on the n-cube. In step d = 0 .. n-1 every processor exchanges one word with its
// neighbour across dimension d and adds the received word, so that all end with the sum of the ranks. n 2^n messages.
Timing exchange_lockstep(unsigned n, unsigned threads);
/// With the channels of Boost.Lockfree, which machines of few ports have.
Timing exchange_lockfree(unsigned n, unsigned threads);
/// On a machine that builds the table of its ports' ends before the run instead of at the first use.
Timing exchange_tabled(unsigned n, unsigned threads);
/// With an observer that sees every message and changes nothing.
Timing exchange_observed(unsigned n, unsigned threads);
/// With messages whose length is computed by words(), as for most payloads.
Timing exchange_items(unsigned n, unsigned threads);
Timing exchange_bare_coroutines(unsigned n, unsigned threads);
/// Boost.Fiber's own buffered channels.
Timing exchange_boost_fiber(unsigned n, unsigned threads);
/// Fibers that poll lock-free queues and yield while these are empty.
Timing exchange_boost_fiber_polling(unsigned n, unsigned threads);
Timing exchange_plain_loop(unsigned n, unsigned threads);

/// Kernel R: all processors of a ring of 2^n send a word to their next neighbour in each of 64 cycles.
Timing shift_on_ring(unsigned n, unsigned threads);

/// Kernel S: one token makes 2^20 hops on a ring of 2^n; one processor acts in a cycle, and all others sleep.
Timing token_on_ring(unsigned n, unsigned threads);

/// Spanning-binomial-tree broadcast of one word on the n-cube: 2^n - 1 messages, and most processors asleep.
Timing broadcast_sbt(unsigned n, unsigned threads);

/// A method of the catalogue, its data checked by its oracle.
Timing run_method(const MethodSize& size, unsigned threads);

/// alltoall/product, one word a pair of processors, on a torus of side x side.
Timing total_exchange_on_torus(unsigned side, unsigned threads);

// Kernel B: every processor of the n-cube has a block of 4 KiB and receives those of all others.
Timing allgather_adea(unsigned n, unsigned threads);
/// The same blocks copied by one memcpy a message, into memory that has been touched before.
Timing allgather_memcpy(unsigned n, unsigned threads);

}  // namespace lockstep::bench
