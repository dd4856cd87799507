#include "memory_need.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/memory.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::run {

std::uint64_t machine_memory(const MachineSpec& machine, const Model& model) {
  // An end of a link takes less than 2^10 bytes, so nothing below overflows 64 bits.
  constexpr std::uint64_t most_ends = std::uint64_t{1} << 50;
  if (machine.processors > most_processors || machine.ports >= most_ends / machine.processors) return beyond_measure;
  return machine_bytes<Block>(machine, model);
}

std::optional<TouchedMemory> touched_memory(const MachineSpec& machine, const Model& model) {
  const std::uint64_t all = machine_memory(machine, model);
  if (machine.medium || all == beyond_measure) return std::nullopt;
  MachineSpec without_links = machine;
  without_links.ports = 0;
  const std::uint64_t processors = machine_memory(without_links, model);
  const std::uint64_t ends = std::max<std::uint64_t>(machine.processors * machine.ports, 1);
  return TouchedMemory{processors, (all - processors) / ends};
}

std::uint64_t run_memory(const Method& method, const MachineSpec& machine, const Model& model,
                         const Settings& settings) {
  if (machine_memory(machine, model) == beyond_measure) return beyond_measure;
  return method.bytes(machine, model, settings);
}

std::uint64_t reserved_memory(std::uint64_t estimate, const MachineSpec& machine, const Model& model) {
  for (const int resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
      return std::max(estimate, machine_memory(machine, model));
    }
  }
  return estimate;
}

std::string available_text(const MemoryLimit& limit) {
  return format_bytes(limit.available) + " are available (" + limit.name + ")";
}

void refuse_if_too_large(const std::string& what_for, std::uint64_t bytes, const MemoryRule& rule,
                         const Sharing& sharing) {
  if (bytes == beyond_measure) {
    throw InputError(what_for + " needs more memory than any host has; " + available_text(memory_limit()));
  }
  if (rule.force) return;
  const std::uint64_t needed = saturated(Wide{bytes} * sharing.here / sharing.processes);
  std::optional<MemoryLimit> limit;
  if (!rule.limit) {
    limit = exceeded_limit(needed);
  } else if (needed > *rule.limit) {
    limit = MemoryLimit{*rule.limit, "--memory-limit"};
  }
  if (!limit) return;
  std::string what = what_for;
  if (sharing.processes > 1) {
    what += " with " + std::to_string(sharing.here) + " of " + std::to_string(sharing.processes) + " processes here";
  }
  throw MemoryError(what, needed, *limit);
}

}  // namespace lockstep::cli::run
