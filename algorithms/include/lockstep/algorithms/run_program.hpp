#pragma once

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

/// Runs a program for a method: on a machine of the request's model and executor, with its observer, if any, and with
/// `memory_slots` slots if it is a shared memory. Throws what Machine::run throws. If the request has an ending, it
/// takes a RunError instead, and the report is that until the error.
template <Payload T>
Report run_program(const RunRequest& request, const std::function<Process(Processor<T>&)>& program,
                   std::size_t memory_slots = 0);

}  // namespace lockstep
