// Cycles in which few processors have something to do: their cost must follow the work, not the machine.
#include <benchmark/benchmark.h>

#include "lockstep/core/machine.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::bench {
namespace {

Process broadcast(Processor<Word>& self, Word& item) {
  if (self.rank() != 0) item = co_await self.message(highest_bit(self.rank()));
  for (Port dimension = width(self.rank()); dimension < self.ports(); ++dimension) {
    self.send(dimension, item);
    co_await self.cycle();
  }
}

Process pass_token(Processor<Word>& self) {
  if (self.rank() == 0) self.send(0, 1);
  const Word token = co_await self.message(1);
  if (self.rank() != 0) self.send(0, token + 1);
}

template <class Program>
void measure(benchmark::State& state, const Topology& topology, const Program& program) {
  const auto executor = make_executor(ExecutorKind::tbb, 2);
  Machine<Word> machine(topology, {}, *executor);
  Report report;
  double run = 0;
  for (auto _ : state) {
    report = machine.run(program);
    state.SetIterationTime(report.run_seconds);
    run += report.run_seconds;
  }
  const auto messages = static_cast<double>(report.messages);
  state.counters["ns/message"] = run * 1e9 / (messages * static_cast<double>(state.iterations()));
  state.counters["visits/message"] = static_cast<double>(report.visits) / messages;
}

/// Spanning-binomial-tree broadcast of one word: 2^n - 1 messages, and most processors asleep most of the time.
void broadcast_sbt(benchmark::State& state) {
  const Topology cube = hypercube(static_cast<Port>(state.range(0)));
  std::vector<Word> items(cube.processors());
  measure(state, cube, [&](Processor<Word>& self) { return broadcast(self, items[self.rank()]); });
}

/// One token goes once round a ring: one processor acts in each cycle.
void token_on_ring(benchmark::State& state) {
  const Topology circle = ring(Rank{1} << state.range(0));
  measure(state, circle, [](Processor<Word>& self) { return pass_token(self); });
}

BENCHMARK(broadcast_sbt)->Arg(10)->Arg(16)->Arg(20)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(token_on_ring)->Arg(10)->Arg(16)->Arg(20)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lockstep::bench
