#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "info_command.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "process_costs.hpp"

namespace lockstep::cli::machine {

/// What `lockstep info --processes` tells of a machine that is divided over processes.
struct ProcessesInfo {
  unsigned processes;
  PartitionKind partition;
  Cut cut;
  std::uint64_t links;  ///< of the machine
  std::uint64_t bytes;  ///< of a run, in the process that has most; beyond_measure if there is no host that large
  ProcessCosts costs;
  double full_cycle;                ///< seconds of a cycle in which a word goes over every link both ways
  double idle_cycle;                ///< of one in which next to nothing moves
  bool is_message_given = false;    ///< the cost of one, by --message-time
  std::string method{};             ///< that was asked for, if one was
  std::optional<double> seconds{};  ///< of its run; empty if its counts are not predicted
};

/// Measures what has to be measured. Throws InputError if the machine has no links, or no such method.
ProcessesInfo processes_info(const InfoArguments& arguments, const MachineSpec& machine, std::uint64_t bytes,
                             StartedProcesses* processes);

nlohmann::ordered_json json_of(const ProcessesInfo& info);
/// Rows of a label and a text.
std::vector<std::pair<std::string, std::string>> rows_of(const ProcessesInfo& info);

}  // namespace lockstep::cli::machine
