// The lockstep command with kernel E as a method, so that mpirun can start it: `lockstep_bench_command run --machine
// hypercube:16 --algorithm bench/exchange`.
#include <chrono>

#include "exchange.hpp"
#include "host/started_processes.hpp"
#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/algorithms/run_program_definition.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/command/command.hpp"

namespace lockstep {
namespace {

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings&) {
  return machine_bytes<Word>(machine, model) + machine.processors * sizeof(Word);
}

Outcome run(const RunRequest& request) {
  PerRank<Word> values(request);
  Outcome outcome;
  outcome.report =
      run_program<Word>(request, [&](Processor<Word>& self) { return bench::exchange(self, values[self.rank()]); });
  const auto start = std::chrono::steady_clock::now();
  const Word processors = request.topology.processors();
  const auto judge = [&](Rank rank) -> Verdict {
    const bool is_right = values[rank] == processors * (processors - 1) / 2;  // the sum of all ranks
    return {values[rank], is_right ? "" : "rank " + std::to_string(rank) + " has " + std::to_string(values[rank])};
  };
  verify_ranks(request, start, judge, outcome);
  return outcome;
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  const auto processes = lockstep::started_processes();
  const lockstep::Method method{.name = "bench/exchange",
                                .families = {"hypercube"},
                                .summary = "kernel E: every processor exchanges a word over each dimension",
                                .bytes = lockstep::bytes,
                                .run = lockstep::run};
  return lockstep::command(argc, argv, {.methods = {method}}, processes.get());
}
