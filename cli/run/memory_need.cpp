#include "memory_need.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

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

std::uint64_t parse_memory_size(const std::string& flag, const std::string& text) {
  constexpr std::array<std::string_view, 5> prefixes{"", "K", "M", "G", "T"};
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string unit = text.substr(digits);
  double bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, bytes);
  bool is_size = false;
  double of_decimal = 1;
  double of_binary = 1;
  for (const std::string_view prefix : prefixes) {
    const bool is_binary = !prefix.empty() && unit == std::string(prefix) + "iB";
    if (is_binary || unit == std::string(prefix) + "B") {
      is_size = error == std::errc{} && end == text.data() + digits;
      bytes *= is_binary ? of_binary : of_decimal;
      break;
    }
    of_decimal *= 1000;
    of_binary *= 1024;
  }
  if (!is_size) throw InputError(flag + " " + quoted(text) + " is not a size such as 512MiB, 500MB or 1.5TiB");
  constexpr double most = 1e18;
  if (bytes < 1 || bytes > most) throw InputError(flag + " " + quoted(text) + " is out of range: 1B to 10^6TB");
  return static_cast<std::uint64_t>(bytes);
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
