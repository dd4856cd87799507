#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/algorithms/settings.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep::cli::run {

/// What is in the file of a schedule.
struct ScheduleInput {
  /// In chunks, or of messages alone, in the format of another program or Lockstep's own; none: one of whole blocks,
  /// which can be read when its machine is known.
  WrittenSchedule schedule{};
  std::string machine{};  ///< that the file names, or on which everybody reaches everybody; may be empty
};

/// Reads the file, and those that it names if it is a list of traces. `word_bytes` is as read_replay() takes it, and
/// `all_ports` says whether processors use all their ports at once. Throws InputError.
ScheduleInput read_schedule_input(const std::string& path, std::optional<std::uint64_t> word_bytes, bool all_ports);

/// The schedule of whole blocks that is in the file, for a machine of so many processors. Throws InputError.
WrittenSchedule read_schedule_of_blocks(const std::string& path, Rank processors);

/// The file and, if it is a list of traces, those.
std::vector<std::string> schedule_files(const std::string& path);

}  // namespace lockstep::cli::run
