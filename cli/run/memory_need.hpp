#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/memory_limit.hpp"

namespace lockstep::cli::run {

/// How many processes share the processors of a run evenly, and how many of them the memory of this host.
struct Sharing {
  unsigned processes = 1;
  unsigned here = 1;
};

/// Stands for sizes past what 64 bits can say.
inline constexpr std::uint64_t beyond_measure = std::numeric_limits<std::uint64_t>::max();

/// Bytes of the machine with its topology, for messages that are blocks of words; beyond_measure if there is no host
/// that large.
std::uint64_t machine_memory(const MachineSpec& machine, const Model& model);

/// What of that a run touches, about.
struct TouchedMemory {
  std::uint64_t processors;  ///< bytes, whatever moves
  std::uint64_t link;        ///< bytes more for each direction of a link that carries a message
};

/// Of a machine with links; empty for another, and where machine_memory() is beyond_measure.
std::optional<TouchedMemory> touched_memory(const MachineSpec& machine, const Model& model);

/// Bytes that a run of the method keeps, its data included; the settings must be resolved.
std::uint64_t run_memory(const Method& method, const MachineSpec& machine, const Model& model,
                         const Settings& settings);

/// "300.0 MiB are available (ulimit -v of 512.0 MiB)".
std::string available_text(const MemoryLimit& limit);

/// Throws MemoryError (InputError for beyond_measure) if the host has not that much to give, or where processes share
/// it, what those here need together.
void refuse_if_too_large(const std::string& what_for, std::uint64_t bytes, const Sharing& sharing = {});

}  // namespace lockstep::cli::run
