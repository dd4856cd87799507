// A host that lets the process use only one core: runs with more threads still end.
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>

#include "lockstep/core/executor.hpp"
#include "lockstep/core/machine.hpp"

namespace lockstep::one_core_test {
namespace {

/// Restricts the process to the first core that it may use.
void use_one_core() {
  cpu_set_t all;
  sched_getaffinity(0, sizeof all, &all);
  std::size_t first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  sched_setaffinity(0, sizeof one, &one);
}

Process hand_on(Processor<Word>& self) {
  for (Port port = 0; port < self.ports(); ++port) {
    self.send(port, self.rank());
    co_await self.cycle();
    self.receive(port);
  }
}

[[noreturn]] void run_on_one_core(ExecutorKind kind) {
  alarm(60);  // stops a run that hangs
  use_one_core();
  {
    const Topology pair("pair", 2, 1, [](Rank rank, Port) { return End{rank ^ 1U, 0}; });
    const auto executor = make_executor(kind, 4);
    Machine<Word> machine(pair, {}, *executor);
    RunOptions options;
    options.share_from = 1;
    options.oversubscribe_from = 1;
    machine.run([](Processor<Word>& self) { return hand_on(self); }, options);
  }
  std::exit(0);
}

TEST(OneCore, RunsSeveralThreadsToTheirEnd) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_on_one_core(ExecutorKind::tbb), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(run_on_one_core(ExecutorKind::threads), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace lockstep::one_core_test
