#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/core/report.hpp"

namespace lockstep {

// The machine of a payload takes seconds to compile, so each is compiled once: a source with its own payload defines
// these two for it with run_program_definition.hpp. Those of Block and Bundle are in the library.

/// Bytes of a topology and of a machine on it with payloads of type T; a shared memory has `memory_slots` slots.
template <Payload T>
std::uint64_t machine_bytes(const MachineSpec& machine, const Model& model, std::uint64_t memory_slots = 0);

/// As machine_bytes(), where a run touches at most `of_links` bytes of what belongs to links.
template <Payload T>
std::uint64_t machine_bytes_touched(const MachineSpec& machine, const Model& model, Wide of_links) {
  const std::uint64_t all = machine_bytes<T>(machine, model);
  if (machine.medium) return all;
  MachineSpec without_links = machine;
  without_links.ports = 0;
  const Wide without = machine_bytes<T>(without_links, model);
  return static_cast<std::uint64_t>(without + std::min(all - without, of_links));
}

/// As machine_bytes(), for a run that uses this number of directions of links, those of each port at ranks in a row: of
/// the others, some pages a port are touched, in the tables of links and of their ends.
template <Payload T>
std::uint64_t machine_bytes_used(const MachineSpec& machine, const Model& model, Wide directions) {
  const Wide ends = Wide{machine.processors} * machine.ports;
  if (machine.medium || directions >= ends) return machine_bytes<T>(machine, model);
  constexpr std::uint64_t around = std::uint64_t{3} << 20;  // a huge page of links, and half of one of ends
  MachineSpec without_links = machine;
  without_links.ports = 0;
  const Wide of_links = machine_bytes<T>(machine, model) - machine_bytes<T>(without_links, model);
  return machine_bytes_touched<T>(machine, model, of_links * directions / ends + machine.ports * around);
}

/// As machine_bytes_used(), where the directions lie anywhere: each touches a huge page.
template <Payload T>
std::uint64_t machine_bytes_scattered(const MachineSpec& machine, const Model& model, Wide directions) {
  constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;
  return machine_bytes_touched<T>(machine, model, directions * huge_page);
}

/// Runs a program for a method: on a machine of the request's model and executor, with its observer, if any, and with
/// `memory_slots` slots if it is a shared memory. Throws what Machine::run throws. If the request has an ending, it
/// takes a RunError instead, and the report is that until the error.
template <Payload T>
Report run_program(const RunRequest& request, const std::function<Process(Processor<T>&)>& program,
                   std::size_t memory_slots = 0);

}  // namespace lockstep
