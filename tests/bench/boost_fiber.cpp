// Boost.Fiber at its best for this kernel: a fiber a processor, a buffered channel a directed link, the fibers split
// over the threads by their highest address bits (so that only the last dimensions cross threads), a round-robin
// scheduler on each thread, pooled stacks, and all fibers made before the clock starts.
#include <barrier>
#include <boost/fiber/algo/round_robin.hpp>
#include <boost/fiber/all.hpp>
#include <boost/fiber/pooled_fixedsize_stack.hpp>
#include <chrono>
#include <memory>
#include <thread>

#include "kernel.hpp"

namespace lockstep::bench {
namespace {

using Channel = boost::fibers::buffered_channel<Word>;

struct Cube {
  explicit Cube(unsigned dimension_count) : dimensions(dimension_count), size(std::size_t{1} << dimension_count) {
    inbound.reserve(dimensions * size);
    for (std::size_t index = 0; index < dimensions * size; ++index) {
      inbound.push_back(std::make_unique<Channel>(2));
    }
  }
  Channel& channel(std::size_t rank, unsigned dimension) { return *inbound[dimension * size + rank]; }

  unsigned dimensions;
  std::size_t size;
  std::vector<std::unique_ptr<Channel>> inbound;
};

void processor(Cube& cube, std::size_t rank, Word& value) {
  value = rank;
  for (unsigned dimension = 0; dimension < cube.dimensions; ++dimension) {
    cube.channel(rank ^ (std::size_t{1} << dimension), dimension).push(value);
    value += cube.channel(rank, dimension).value_pop();
  }
}

}  // namespace

Timing exchange_boost_fiber(unsigned dimensions, unsigned threads) {
  const auto start = std::chrono::steady_clock::now();
  Cube cube(dimensions);
  std::vector<Word> values(cube.size);
  std::barrier created(static_cast<std::ptrdiff_t>(threads) + 1);
  std::barrier ended(static_cast<std::ptrdiff_t>(threads) + 1);
  const auto run_part = [&](unsigned part) {
    boost::fibers::use_scheduling_algorithm<boost::fibers::algo::round_robin>();
    constexpr std::size_t stack_bytes = std::size_t{16} << 10;  // 8 KiB overflow in the channel's contended lock
    boost::fibers::pooled_fixedsize_stack stacks(stack_bytes);
    std::vector<boost::fibers::fiber> fibers;
    const std::size_t last = cube.size * (part + 1) / threads;
    for (std::size_t rank = cube.size * part / threads; rank < last; ++rank) {
      fibers.emplace_back(boost::fibers::launch::post, std::allocator_arg, stacks, processor, std::ref(cube), rank,
                          std::ref(values[rank]));
    }
    created.arrive_and_wait();
    for (boost::fibers::fiber& fiber : fibers) fiber.join();
    ended.arrive_and_wait();
  };
  std::vector<std::jthread> pool;
  for (unsigned part = 0; part < threads; ++part) pool.emplace_back(run_part, part);
  created.arrive_and_wait();
  const auto ready = std::chrono::steady_clock::now();
  ended.arrive_and_wait();
  const auto end = std::chrono::steady_clock::now();
  pool.clear();
  check_sums(values);
  return {std::chrono::duration<double>(ready - start).count(), std::chrono::duration<double>(end - ready).count(), 0};
}

}  // namespace lockstep::bench
