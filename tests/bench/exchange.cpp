#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <string>

#include "kernel.hpp"
#include "lockstep/core/machine.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::bench {
namespace {

Process exchange(Processor<Word>& self, Word& value) {
  value = self.rank();
  for (Port dimension = 0; dimension < self.ports(); ++dimension) {
    value += co_await self.exchange(dimension, value);
  }
}

}  // namespace

void check_sums(const std::vector<Word>& values) {
  const Word size = values.size();
  for (const Word value : values) {
    if (value != size * (size - 1) / 2) throw std::logic_error("a processor ended with a wrong sum");
  }
}

std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total_pages = 0;
  std::uint64_t resident_pages = 0;
  statm >> total_pages >> resident_pages;
  return resident_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

Timing exchange_lockstep(unsigned dimensions, unsigned threads) {
  const std::uint64_t before = resident_bytes();
  const auto start = std::chrono::steady_clock::now();
  const auto executor = make_executor(ExecutorKind::tbb, threads);
  const Topology cube = build(parse_machine("hypercube:" + std::to_string(dimensions)), *executor);
  Machine<Word> machine(cube, {.ports = PortModel::one}, *executor);
  std::vector<Word> values(cube.processors());
  const auto made = std::chrono::steady_clock::now();
  const Report report =
      machine.run([&](Processor<Word>& self) { return exchange(self, values[self.rank()]); }, {.name = "kernel E"});
  const std::uint64_t after = resident_bytes();
  check_sums(values);
  return {std::chrono::duration<double>(made - start).count() + report.setup_seconds, report.run_seconds,
          after > before ? after - before : 0};
}

}  // namespace lockstep::bench
