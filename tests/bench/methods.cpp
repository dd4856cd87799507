// Methods of the catalogue, run as the command runs them; their own oracles check the data.
#include <stdexcept>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/memory.hpp"
#include "machine_run.hpp"

namespace lockstep::bench {
namespace {

Timing run_method(std::string_view name, const std::string& machine_text, std::uint64_t words, unsigned threads) {
  const MachineSpec machine = parse_machine(machine_text);
  const Method& method = find_method(name, machine.family);
  const Model& model = method.defaults;
  Settings settings;
  settings.words = words;
  method.resolve(machine, model, settings);
  const std::uint64_t needed = method.bytes(machine, model, settings);
  if (needed > available_memory()) {
    throw MemoryError(std::string(name) + " on " + machine_text, needed, available_memory());
  }
  const auto start = std::chrono::steady_clock::now();
  const auto executor = make_executor(ExecutorKind::tbb, threads);
  const Topology topology = build(machine);
  const auto made = std::chrono::steady_clock::now();
  const Outcome outcome = method.run({.machine = machine,
                                      .topology = topology,
                                      .model = model,
                                      .settings = settings,
                                      .executor = *executor,
                                      .options = {.name = std::string(name)}});
  if (!outcome.wrong.empty()) throw std::logic_error(outcome.wrong);
  return {.setup_seconds = seconds_between(start, made) + outcome.report.setup_seconds,
          .run_seconds = outcome.report.run_seconds,
          .messages = outcome.report.messages,
          .processors = machine.processors};
}

}  // namespace

Timing total_exchange_on_torus(unsigned side, unsigned threads) {
  return run_method("alltoall/product", "torus:" + std::to_string(side) + "x" + std::to_string(side), 1, threads);
}

Timing allgather_adea(unsigned n, unsigned threads) {
  constexpr std::uint64_t block_words = 4096 / sizeof(Word);
  Timing timing = run_method("allgather/adea", "hypercube:" + std::to_string(n), block_words, threads);
  timing.messages =
      timing.processors * (timing.processors - 1);  // blocks: every processor gets each of the others once
  return timing;
}

}  // namespace lockstep::bench
