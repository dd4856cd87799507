#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "lockstep/algorithms/message_contents.hpp"
#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "run/run_options.hpp"
#include "run/run_plan.hpp"

namespace lockstep::cli::report {

/// A schedule as a file.
struct ScheduleText {
  std::string text;                     ///< what the file holds
  std::uint64_t steps = 0;              ///< in which something moves
  std::uint64_t messages = 0;           ///< over all steps
  std::vector<std::string> warnings{};  ///< limits of the runtime that it passes, a line each
};

/// What the messages of the plan's run hold. Throws InputError where they are no chunks or sums of them.
MessageContents contents_of(const run::RunPlan& plan, const std::atomic<bool>& stop);

/// In that format; it is run, chunk by chunk, before it is given back. Throws InputError where the format cannot tell
/// of it. `name` is the algorithm's.
ScheduleText schedule_text_of(const MessageContents& contents, run::ScheduleFormat format, const std::string& name,
                              const MachineSpec& machine, const Topology& topology, const Model& model);

/// Says on standard error, in one line, what may go wrong with it.
void print_warnings(const std::string& name, const ScheduleText& schedule);

}  // namespace lockstep::cli::report
