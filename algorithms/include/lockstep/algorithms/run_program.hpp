#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/core/report.hpp"

namespace lockstep {

// The machine of a payload takes seconds to compile, so that each is compiled once: who has a payload of its own
// defines these two for it with run_program_definition.hpp. Those of Block and Bundle are in the library.

/// Bytes of a topology and of a machine on it that carries payloads of type T; of a shared memory with so many slots.
template <Payload T>
std::uint64_t machine_bytes(const MachineSpec& machine, const Model& model, std::uint64_t memory_slots = 0);

/// Runs a program for a method: on a machine of the request's model and executor, under the eyes of its observer if it
/// has one, and with so many slots if it is a shared memory. Throws what Machine::run throws.
template <Payload T>
Report run_program(const RunRequest& request, const std::function<Process(Processor<T>&)>& program,
                   std::size_t memory_slots = 0);

}  // namespace lockstep
