// Boost.Fiber at its best for kernel E: a fiber a processor, the fibers split over the threads by their highest address
// bits (so that only the last dimensions cross threads), a round-robin scheduler on each thread, all fibers made before
// the clock starts. Links lie dimension by dimension in memory, and stacks are as small as possible, in one piece of
// memory with huge pages; both are up to twice as fast as channels and pooled stacks allocated one by one.
#include <atomic>
#include <boost/fiber/algo/round_robin.hpp>
#include <boost/fiber/all.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <thread>

#include "exchange.hpp"
#include "lockstep/core/detail/large_array.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/memory.hpp"
#include "machine_run.hpp"
#include "peak_memory.hpp"

namespace lockstep::bench {
namespace {

/// The link that users of Boost.Fiber would choose.
struct BufferedLink {
  /// 6.1 KiB is the deepest use seen: the lock of a contended channel keeps the state of a random generator there.
  static constexpr std::size_t stack_bytes = 7168;
  static constexpr std::size_t heap_bytes = 32;  // the channel allocates its slots

  void push(Word value) { channel.push(value); }
  Word pop() { return channel.value_pop(); }

  boost::fibers::buffered_channel<Word> channel{2};
};

/// Faster, since a waiting fiber is in no list; but it costs its thread time while it waits.
struct PolledLink {
  static constexpr std::size_t stack_bytes = 2048;  // 1.3 KiB is the deepest use seen
  static constexpr std::size_t heap_bytes = 0;

  void push(Word value) { queue.push(value); }
  Word pop() {
    Word value = 0;
    while (!queue.pop(value)) boost::this_fiber::yield();
    return value;
  }

  boost::lockfree::spsc_queue<Word, boost::lockfree::capacity<2>> queue;
};

/// Hands out the stacks of one thread's fibers, one after the other.
template <class Link>
class Stacks {
 public:
  // A cache line more than a stack, so that the tops of all stacks do not share a few sets of the cache.
  static constexpr std::size_t stride = Link::stack_bytes + 64;

  explicit Stacks(std::size_t count) : memory_(count * stride) {}

  boost::context::stack_context next() {
    boost::context::stack_context stack;
    stack.size = Link::stack_bytes;
    stack.sp = memory_.data() + stride * used_++ + Link::stack_bytes;
    return stack;
  }

 private:
  detail::LargeArray<std::byte> memory_;
  std::size_t used_ = 0;
};

/// An allocator of stacks for Boost.Fiber.
template <class Link>
struct StackAllocator {
  boost::context::stack_context allocate() { return stacks->next(); }
  void deallocate(boost::context::stack_context&) noexcept {}

  Stacks<Link>* stacks;
};

template <class Link>
struct Cube {
  explicit Cube(unsigned n) : dimensions(n), size(std::size_t{1} << n), links(dimensions * size) {}
  Link& inbound(std::size_t rank, unsigned dimension) { return links[dimension * size + rank]; }

  void construct(std::size_t first, std::size_t last) {
    for (unsigned dimension = 0; dimension < dimensions; ++dimension) {
      links.construct(dimension * size + first, dimension * size + last);
    }
  }
  void destroy() { links.destroy(0, links.size()); }

  unsigned dimensions;
  std::size_t size;
  detail::LargeArray<Link> links;
};

template <class Link>
void processor(Cube<Link>& cube, std::size_t rank, Word& value) {
  value = rank;
  for (unsigned dimension = 0; dimension < cube.dimensions; ++dimension) {
    cube.inbound(rank ^ (std::size_t{1} << dimension), dimension).push(value);
    value += cube.inbound(rank, dimension).pop();
  }
}

template <class Link>
void require_memory(unsigned n) {
  const std::uint64_t links = n * (sizeof(Link) + Link::heap_bytes);
  const std::uint64_t needed = (Stacks<Link>::stride + links + sizeof(Word) + sizeof(boost::fibers::fiber)) << n;
  if (needed > available_memory()) {
    throw MemoryError("Boost.Fiber on hypercube:" + std::to_string(n), needed, available_memory());
  }
}

/// A barrier that threads leave at once, since they do not sleep; it records when the last one arrived.
class SpinningBarrier {
 public:
  explicit SpinningBarrier(unsigned threads) : missing_(threads) {}

  void arrive_and_wait() {
    if (missing_.fetch_sub(1, std::memory_order_acq_rel) == 1) last_came_ = std::chrono::steady_clock::now();
    while (missing_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
  }
  /// Valid after the threads have ended.
  std::chrono::steady_clock::time_point last_came() const { return last_came_; }

 private:
  std::atomic<unsigned> missing_;
  std::chrono::steady_clock::time_point last_came_;
};

template <class Link>
Timing measure(unsigned n, unsigned threads) {
  require_memory<Link>(n);
  const PeakMemory memory;
  const auto start = std::chrono::steady_clock::now();
  Cube<Link> cube(n);
  std::vector<Word> values(cube.size);
  std::vector<Stacks<Link>> stacks;
  for (unsigned part = 0; part < threads; ++part) stacks.emplace_back(cube.size / threads + 1);
  SpinningBarrier created(threads);
  SpinningBarrier ended(threads);
  const auto run_part = [&](unsigned part) {
    boost::fibers::use_scheduling_algorithm<boost::fibers::algo::round_robin>();
    const std::size_t first = cube.size * part / threads;
    const std::size_t last = cube.size * (part + 1) / threads;
    cube.construct(first, last);
    std::vector<boost::fibers::fiber> fibers;
    fibers.reserve(last - first);
    for (std::size_t rank = first; rank < last; ++rank) {
      fibers.emplace_back(boost::fibers::launch::post, std::allocator_arg, StackAllocator<Link>{&stacks[part]},
                          processor<Link>, std::ref(cube), rank, std::ref(values[rank]));
    }
    created.arrive_and_wait();
    for (boost::fibers::fiber& fiber : fibers) fiber.join();
    ended.arrive_and_wait();
  };
  std::vector<std::jthread> pool;
  for (unsigned part = 0; part < threads; ++part) pool.emplace_back(run_part, part);
  pool.clear();  // the stacks are in use until the schedulers end with their threads
  const std::uint64_t peak_bytes = memory.growth();
  cube.destroy();
  check_sums(values);
  return {.setup_seconds = seconds_between(start, created.last_came()),
          .run_seconds = seconds_between(created.last_came(), ended.last_came()),
          .messages = n * cube.size,
          .processors = cube.size,
          .peak_bytes = peak_bytes};
}

}  // namespace

Timing exchange_boost_fiber(unsigned n, unsigned threads) { return measure<BufferedLink>(n, threads); }

Timing exchange_boost_fiber_polling(unsigned n, unsigned threads) { return measure<PolledLink>(n, threads); }

}  // namespace lockstep::bench
