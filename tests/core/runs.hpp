#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "../sanitized.hpp"
#include "lockstep/core/machine.hpp"

namespace lockstep::runs {

/// One way to execute a run.
struct Execution {
  ExecutorKind kind = ExecutorKind::sequential;
  unsigned threads = 1;
  std::uint64_t schedule_seed = 1;

  std::string text() const {
    return std::string(name(kind)) + ", " + std::to_string(threads) + " threads, schedule seed " +
           std::to_string(schedule_seed);
  }
};

/// Four executors, 1, 2, 4 and 8 threads, and the given number of schedule seeds.
inline std::vector<Execution> executions(std::uint64_t schedule_seeds = 20) {
  std::vector<Execution> all{{ExecutorKind::sequential, 1, 1}};
  for (std::uint64_t seed = 1; seed <= schedule_seeds; ++seed) all.push_back({ExecutorKind::seeded, 1, seed});
  for (const unsigned threads : {1U, 2U, 4U, 8U}) {
    all.push_back({ExecutorKind::tbb, threads, 1});
    all.push_back({ExecutorKind::threads, threads, 1});
  }
  return all;
}

/// Calls body(executor) for every one of executions(schedule_seeds).
template <class Body>
void on_every_executor(std::uint64_t schedule_seeds, Body&& body) {
  for (const Execution& execution : executions(schedule_seeds)) {
    SCOPED_TRACE(execution.text());
    const auto executor = make_executor(execution.kind, execution.threads, execution.schedule_seed);
    body(*executor);
    if (testing::Test::HasFailure()) return;  // the others would fail alike
  }
}

inline constexpr std::array<ChannelKind, 2> channel_kinds{ChannelKind::lockfree, ChannelKind::compact};

/// As above, with both kinds of channel: calls body(executor, channels).
template <class Body>
void on_every_executor_and_channel(std::uint64_t schedule_seeds, Body&& body) {
  for (const ChannelKind channels : channel_kinds) {
    SCOPED_TRACE(std::string(name(channels)));
    on_every_executor(schedule_seeds, [&](Executor& executor) { body(executor, channels); });
    if (testing::Test::HasFailure()) return;
  }
}

/// Options of a test run: even a cycle of one processor goes through the executor, and a run that hangs is stopped.
inline RunOptions options(std::string run_name = "test") {
  RunOptions chosen;
  chosen.name = std::move(run_name);
  chosen.share_from = 1;
  chosen.oversubscribe_from = 1;
  chosen.max_cycles = 5'000'000;
  return chosen;
}

/// The error that ends a run; an error of another type, or none, fails the test.
template <class Error = RunError, class Machine, class Program>
Error failure_of(Machine& machine, Program&& program, const RunOptions& chosen = options()) {
  try {
    machine.run(program, chosen);
  } catch (const Error& error) {
    return error;
  }
  throw std::logic_error("the run did not fail");
}

struct Expected {
  ErrorKind kind;
  Cycle cycle;
  Rank rank;
  std::vector<Port> ports;
  std::string text;
};

inline void expect_failure(const RunError& error, const Expected& expected) {
  EXPECT_EQ(name(error.kind()), name(expected.kind));
  EXPECT_EQ(error.cycle(), expected.cycle);
  EXPECT_EQ(error.rank(), expected.rank);
  EXPECT_EQ(error.ports(), expected.ports);
  EXPECT_STREQ(error.what(), expected.text.c_str());
  EXPECT_EQ(error.is_violation(), expected.kind < ErrorKind::exception);
}

/// Counts its live objects; every coroutine of a test that checks for leaks has one as a local.
class Counted {
 public:
  Counted() { ++alive; }
  Counted(const Counted&) { ++alive; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --alive; }

  inline static std::atomic<int> alive{0};
};

/// The amount of work of a test; the environment variable LOCKSTEP_STRESS multiplies it, so that it can take hours.
inline std::uint64_t stressed(std::uint64_t at_first) {
  const char* factor = std::getenv("LOCKSTEP_STRESS");
  return at_first * (factor == nullptr ? 1 : std::max(1UL, std::strtoul(factor, nullptr, 10)));
}

}  // namespace lockstep::runs
