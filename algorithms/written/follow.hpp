#pragma once

#include <string_view>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/schedule.hpp"

// Carries out written schedules on any machine with links.
namespace lockstep::written {

/// The families whose machines have links.
std::vector<std::string_view> linked_families();

/// Bytes of the machine, the blocks of `words` words each, and a schedule of `moves` moves with the data of follow().
Wide bytes_to_follow(const MachineSpec& machine, const Model& model, const Task& task, std::uint64_t words, Wide moves);

/// Every processor carries out its part of the schedule, with blocks of --words words each (written/carry_out.hpp). The
/// schedule must be valid on the machine.
Outcome follow(const RunRequest& request, Schedule schedule);

}  // namespace lockstep::written
