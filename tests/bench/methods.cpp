// Methods of the catalogue, run as the command runs them; their own oracles check the data.
#include <sstream>
#include <stdexcept>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/memory.hpp"
#include "machine_run.hpp"

namespace lockstep::bench {
namespace {

/// The settings that flags such as "--words 5 --tries 20" name.
Settings settings_of(std::string_view flags) {
  Settings settings;
  std::istringstream in{std::string(flags)};
  for (std::string flag, value; in >> flag >> value;) {
    for (const SettingFlag& known : setting_flags()) {
      if (known.flag() == flag) known.set(settings, value);
    }
  }
  return settings;
}

}  // namespace

Timing run_method(const MethodSize& size, unsigned threads) {
  const MachineSpec machine = parse_machine(std::string(size.machine));
  const Method& method = find_method(size.method, machine.family);
  const Model& model = method.defaults;
  Settings settings = settings_of(size.flags);
  method.resolve(machine, model, settings);
  const std::uint64_t needed = method.bytes(machine, model, settings);
  if (needed > available_memory()) {
    throw MemoryError(std::string(size.method) + " on " + machine.text, needed, available_memory());
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
                                      .options = {.name = std::string(size.method)}});
  if (!outcome.wrong.empty()) throw std::logic_error(outcome.wrong);
  return {.setup_seconds = seconds_between(start, made) + outcome.report.setup_seconds,
          .run_seconds = outcome.report.run_seconds,
          .verify_seconds = outcome.verify_seconds,
          .messages = outcome.report.messages,
          .words = outcome.report.words,
          .processors = machine.processors};
}

Timing total_exchange_on_torus(unsigned side, unsigned threads) {
  const std::string machine = "torus:" + std::to_string(side) + "x" + std::to_string(side);
  return run_method({"alltoall/product", machine, "--words 1"}, threads);
}

Timing allgather_adea(unsigned n, unsigned threads) {
  const std::string machine = "hypercube:" + std::to_string(n);
  Timing timing = run_method({"allgather/adea", machine, "--words 512"}, threads);  // blocks of 4 KiB
  timing.messages =
      timing.processors * (timing.processors - 1);  // blocks: every processor gets each of the others once
  return timing;
}

}  // namespace lockstep::bench
