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

/// The text of a schedule's file, with its counts.
struct ScheduleText {
  std::string text;                     ///< the file's content
  std::uint64_t steps = 0;              ///< in which something moves
  std::uint64_t messages = 0;           ///< over all steps
  std::vector<std::string> warnings{};  ///< limits of the runtime that it exceeds, one a line
};

/// The contents of the messages of the plan's run. Throws InputError if they are not chunks or sums of chunks.
MessageContents contents_of(const run::RunPlan& plan, const std::atomic<bool>& stop);

/// The schedule in that format, after it has been run chunk by chunk. Throws InputError if the format cannot express
/// it. `path` is the file to be written, beside which it names a graph's file, and `name` is the algorithm's.
ScheduleText schedule_text_of(const MessageContents& contents, run::ScheduleFormat format, const std::string& path,
                              const std::string& name, const MachineSpec& machine, const Topology& topology,
                              const Model& model);

/// Prints its warnings to standard error, on one line.
void print_warnings(const std::string& name, const ScheduleText& schedule);

}  // namespace lockstep::cli::report
