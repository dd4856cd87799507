#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/memory_limit.hpp"

namespace lockstep::cli::run {

/// The number of processes that share a run's processors evenly, and how many of them share this host's memory.
struct Sharing {
  unsigned processes = 1;
  unsigned here = 1;
};

/// What the user says about a run's memory.
struct MemoryRule {
  std::optional<std::uint64_t> limit{};  ///< --memory-limit: takes the place of the host's limits
  bool force = false;                    ///< --force: a run is never refused for its memory
};

/// Stands for sizes beyond 64 bits.
inline constexpr std::uint64_t beyond_measure = std::numeric_limits<std::uint64_t>::max();

/// Bytes of the machine with its topology, for messages that are blocks of words; beyond_measure if no host is that
/// large.
std::uint64_t machine_memory(const MachineSpec& machine, const Model& model);

/// About how much of that a run touches.
struct TouchedMemory {
  std::uint64_t processors;  ///< bytes, independent of the messages
  std::uint64_t link;        ///< bytes more for each direction of a link that carries a message
};

/// For a machine with links; empty for others, and where machine_memory() is beyond_measure.
std::optional<TouchedMemory> touched_memory(const MachineSpec& machine, const Model& model);

/// An estimate of the bytes that a run of the method takes, its data included: meant to be within 1.5 times of what it
/// takes, from 64 MiB on (tests/stress/estimate_test.cpp measures that). The settings must be resolved.
std::uint64_t run_memory(const Method& method, const MachineSpec& machine, const Model& model,
                         const Settings& settings);

/// The same with what a machine reserves and never touches, where `ulimit -v` or `-d` limits that.
std::uint64_t reserved_memory(std::uint64_t estimate, const MachineSpec& machine, const Model& model);

/// "300.0 MiB are available (ulimit -v of 512.0 MiB)".
std::string available_text(const MemoryLimit& limit);

/// Throws MemoryError (InputError for beyond_measure) if the host lacks that much memory, or the rule's limit is less;
/// where processes share it, the need is that of all processes on this host.
void refuse_if_too_large(const std::string& what_for, std::uint64_t bytes, const MemoryRule& rule = {},
                         const Sharing& sharing = {});

}  // namespace lockstep::cli::run
