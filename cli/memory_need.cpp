#include "memory_need.hpp"

#include <algorithm>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/core/memory.hpp"

namespace lockstep::cli {

std::uint64_t machine_memory(const MachineSpec& machine, const Model& model) {
  // An end of a link takes less than 2^10 bytes, so nothing below overflows 64 bits.
  constexpr std::uint64_t most_ends = std::uint64_t{1} << 50;
  if (machine.processors > most_processors || machine.ports >= most_ends / machine.processors) return beyond_measure;
  return machine_bytes<Block>(machine, model);
}

std::uint64_t run_memory(const Method& method, const MachineSpec& machine, const Model& model,
                         const Settings& settings) {
  const std::uint64_t bare = machine_memory(machine, model);
  return bare == beyond_measure ? bare : std::max(bare, method.bytes(machine, model, settings));
}

void refuse_if_too_large(const std::string& what_for, std::uint64_t bytes) {
  const std::uint64_t available = available_memory();
  if (bytes == beyond_measure) {
    throw InputError(what_for + " needs more memory than any host has; " + format_bytes(available) + " are available");
  }
  if (bytes > available) throw MemoryError(what_for, bytes, available);
}

}  // namespace lockstep::cli
