#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/algorithms/settings.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::cli::run {

/// The content of a schedule's file.
struct ScheduleInput {
  /// A schedule in chunks, or of messages alone, in another program's format or Lockstep's own; none for one of whole
  /// blocks, which can be read only when its machine is known.
  WrittenSchedule schedule{};
  std::string machine{};  ///< that the file names, or one that connects all processors; may be empty
  std::string graph{};    ///< the digest of that machine's graph, if the file has one
};

/// Reads the file, and the files it names if it is a list of traces. `word_bytes` is that of read_replay(); `all_ports`
/// tells whether processors use all their ports at once. Throws InputError.
ScheduleInput read_schedule_input(const std::string& path, std::optional<std::uint64_t> word_bytes, bool all_ports);

/// Throws InputError if the graph of the machine that the file names is another than when the file was written.
void refuse_changed_graph(const std::string& path, const ScheduleInput& input, const MachineSpec& machine);

/// Reads the file's schedule of whole blocks, for a machine of that many processors, or with 0 of any number. Throws
/// InputError.
WrittenSchedule read_schedule_of_blocks(const std::string& path, Rank processors);

/// The file and, if it is a list of traces, the traces.
std::vector<std::string> schedule_files(const std::string& path);

}  // namespace lockstep::cli::run
