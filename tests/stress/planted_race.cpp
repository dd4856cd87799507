// A program that breaks the isolation of the processors: all of them write one plain variable in every cycle.
// ThreadSanitizer must report it, under the executor and with the threads that the command line names.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "lockstep/core/machine.hpp"
#include "wirings.hpp"

namespace {

using namespace lockstep;

/// Two processors must never touch it.
unsigned planted = 0;

Process write_what_is_shared(Processor<Word>& self) {
  for (int cycle = 0; cycle < 2000; ++cycle) {
    planted += self.rank();
    co_await self.cycle();
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 3) {
    std::fputs("usage: planted_race tbb|threads THREADS\n", stderr);
    return 2;
  }
  const bool tbb = std::string_view(arguments[1]) == "tbb";
  const auto threads = static_cast<unsigned>(std::atoi(arguments[2]));
  const auto executor = make_executor(tbb ? ExecutorKind::tbb : ExecutorKind::threads, threads);
  const Topology ring = wirings::ring(64);
  Machine<Word> machine(ring, {}, *executor);
  RunOptions options;
  options.share_from = 1;
  options.oversubscribe_from = 1;
  machine.run(write_what_is_shared, options);
  std::printf("no race was reported; the sum is %u\n", planted);
  return 0;
}
