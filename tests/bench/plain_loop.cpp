#include <utility>

#include "exchange.hpp"
#include "machine_run.hpp"

namespace lockstep::bench {

Timing exchange_plain_loop(unsigned n, unsigned) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Word> values(std::size_t{1} << n);
  std::vector<Word> next(values.size());
  for (std::size_t rank = 0; rank < values.size(); ++rank) values[rank] = rank;
  const auto ready = std::chrono::steady_clock::now();
  for (unsigned dimension = 0; dimension < n; ++dimension) {
    const std::size_t bit = std::size_t{1} << dimension;
    for (std::size_t rank = 0; rank < values.size(); ++rank) next[rank] = values[rank] + values[rank ^ bit];
    std::swap(values, next);
  }
  const auto end = std::chrono::steady_clock::now();
  check_sums(values);
  return {.setup_seconds = seconds_between(start, ready),
          .run_seconds = seconds_between(ready, end),
          .messages = n * values.size(),
          .processors = values.size()};
}

}  // namespace lockstep::bench
