#include <chrono>
#include <utility>

#include "kernel.hpp"

namespace lockstep::bench {

Timing exchange_plain_loop(unsigned dimensions, unsigned) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Word> values(std::size_t{1} << dimensions);
  std::vector<Word> next(values.size());
  for (std::size_t rank = 0; rank < values.size(); ++rank) values[rank] = rank;
  const auto ready = std::chrono::steady_clock::now();
  for (unsigned dimension = 0; dimension < dimensions; ++dimension) {
    const std::size_t bit = std::size_t{1} << dimension;
    for (std::size_t rank = 0; rank < values.size(); ++rank) next[rank] = values[rank] + values[rank ^ bit];
    std::swap(values, next);
  }
  const auto end = std::chrono::steady_clock::now();
  check_sums(values);
  return {std::chrono::duration<double>(ready - start).count(), std::chrono::duration<double>(end - ready).count(), 0};
}

}  // namespace lockstep::bench
