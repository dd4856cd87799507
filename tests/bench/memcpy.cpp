// For comparison with kernel B: the memory's speed for copying the same blocks and nothing else.
#include <cstring>
#include <stdexcept>

#include "kernels.hpp"
#include "lockstep/core/detail/large_array.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/memory.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "machine_run.hpp"

namespace lockstep::bench {
namespace {

constexpr std::size_t block_words = 4096 / sizeof(Word);

/// The blocks of all processors in one piece of memory: for each, its own first, then the others in order of arrival.
class Blocks {
 public:
  explicit Blocks(unsigned n)
      : n_(n), processors_(std::size_t{1} << n), words_(processors_ * processors_ * block_words) {}

  /// Touches all memory of the rank and writes its own block.
  void fill(std::size_t rank) {
    std::memset(block(rank, 0), 0, processors_ * block_words * sizeof(Word));
    for (std::size_t index = 0; index < block_words; ++index) block(rank, 0)[index] = word(rank, index);
  }

  /// Exchange i = 1 .. n: the rank appends to the blocks that it holds those of its neighbour across dimension n - i.
  void take(std::size_t rank, unsigned i) {
    const std::size_t held = std::size_t{1} << (i - 1);
    const std::size_t neighbour = rank ^ (std::size_t{1} << (n_ - i));
    std::memcpy(block(rank, held), block(neighbour, 0), held * block_words * sizeof(Word));
  }

  bool right(std::size_t rank) {
    for (std::size_t place = 0; place < processors_; ++place) {
      // Exchange i, across dimension n - i, doubled the places by bit i - 1.
      const std::size_t origin = rank ^ reversed(static_cast<Rank>(place), n_);
      for (std::size_t index = 0; index < block_words; ++index) {
        if (block(rank, place)[index] != word(origin, index)) return false;
      }
    }
    return true;
  }

 private:
  Word* block(std::size_t rank, std::size_t place) { return &words_[(rank * processors_ + place) * block_words]; }
  static Word word(std::size_t origin, std::size_t index) { return origin * block_words + index + 1; }

  unsigned n_;
  std::size_t processors_;
  detail::LargeArray<Word> words_;
};

}  // namespace

Timing allgather_memcpy(unsigned n, unsigned threads) {
  const std::size_t size = std::size_t{1} << n;
  const std::uint64_t needed = size * size * block_words * sizeof(Word);
  if (needed > available_memory()) throw MemoryError("memcpy of kernel B", needed, available_memory());
  const auto start = std::chrono::steady_clock::now();
  const auto executor = make_executor(ExecutorKind::tbb, threads);
  Blocks blocks(n);
  executor->for_ranges(size, [&](unsigned, std::size_t first, std::size_t last) {
    for (std::size_t rank = first; rank < last; ++rank) blocks.fill(rank);
  });
  const auto ready = std::chrono::steady_clock::now();
  for (unsigned i = 1; i <= n; ++i) {
    executor->for_ranges(size, [&](unsigned, std::size_t first, std::size_t last) {
      for (std::size_t rank = first; rank < last; ++rank) blocks.take(rank, i);
    });
  }
  const auto end = std::chrono::steady_clock::now();
  for (std::size_t rank = 0; rank < size; ++rank) {
    if (!blocks.right(rank)) throw std::logic_error("a block is wrong");
  }
  return {.setup_seconds = seconds_between(start, ready),
          .run_seconds = seconds_between(ready, end),
          .messages = size * (size - 1),
          .processors = size};
}

}  // namespace lockstep::bench
