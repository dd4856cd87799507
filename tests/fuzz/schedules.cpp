// Schedules from files, recognized by their content: Lockstep's own, of blocks and of chunks, MSCCL XML, the JSON of
// SCCL and TACCL, GOAL, and traces of SimGrid. Each is read, checked and, on a small machine, run.
#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "lockstep/algorithms/chunk_program.hpp"
#include "lockstep/algorithms/replay.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"
#include "target.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t small = 64;  // processors

/// On the given machine, if any, otherwise on a switch.
void carry_out(WrittenSchedule schedule, std::string machine) {
  if (schedule->processors() > small) return;
  if (machine.empty()) machine = "switch:" + std::to_string(schedule->processors());
  const MachineSpec spec = parse_machine(machine);
  const Method& method = schedule->method();
  const Model model = method.defaults;
  Settings settings;
  settings.written_schedule = std::move(schedule);
  method.resolve(spec, model, settings);
  constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
  if (method.bytes(spec, model, settings) > most_bytes) return;
  const Topology topology = build(spec);
  const auto executor = make_executor(ExecutorKind::sequential);
  method.run({.machine = spec,
              .topology = topology,
              .model = model,
              .settings = settings,
              .executor = *executor,
              .options = {.name = "input", .max_cycles = 10'000}});
}

/// The first byte selects the machine.
void take(std::span<const std::uint8_t> bytes) {
  constexpr std::array machines{"", "hypercube:2", "ring:5", "mesh:3x2", "complete:8", "switch:8", "path:3", "ring:2"};
  if (bytes.empty()) return;
  const std::string machine = machines[bytes.front() % machines.size()];
  const std::string text(bytes.begin() + 1, bytes.end());
  if (is_chunk_program(text)) {
    carry_out(std::make_shared<const ChunkProgram>(read_chunk_program(text, "input")), machine);
  } else if (is_replay(text)) {
    carry_out(std::make_shared<const ReplayProgram>(read_replay({{"input", text}})), machine);
  } else if (is_chunk_schedule(text)) {
    carry_out(read_written_schedule(text, "input"), machine);
  } else {
    files_of_trace_list(text);
    const MachineSpec spec = parse_machine(machine.empty() ? machine_in_schedule(text) : machine);
    if (spec.medium || spec.processors > small) return;
    carry_out(read_written_schedule(text, "input", static_cast<Rank>(spec.processors)), spec.text);
  }
}

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  try {
    lockstep::take({bytes, count});
  } catch (const lockstep::InputError&) {
  } catch (const lockstep::MachineSpecError&) {
  } catch (const lockstep::RunError&) {
  }
  return 0;
}
