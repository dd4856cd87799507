#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "info_command.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "process_costs.hpp"

namespace lockstep::cli::machine {

/// The facts that `lockstep info --processes` shows of a machine divided over processes.
struct ProcessesInfo {
  unsigned processes;
  PartitionKind partition;
  Cut cut;
  std::uint64_t links;  ///< of the machine
  std::uint64_t bytes;  ///< of a run, in the largest process; beyond_measure if no host is that large
  ProcessCosts costs;
  double full_cycle;                ///< seconds of a cycle in which a word goes over every link both ways
  double idle_cycle;                ///< of a cycle in which almost nothing moves
  bool is_message_given = false;    ///< by --message-time
  std::string method{};             ///< of --algorithm, if given
  std::optional<double> seconds{};  ///< of its run; empty if its counts are not predicted
};

/// Measures the costs. Throws InputError if the machine has no links, or no such method.
ProcessesInfo processes_info(const InfoArguments& arguments, const MachineSpec& machine, std::uint64_t bytes,
                             StartedProcesses* processes);

nlohmann::ordered_json json_of(const ProcessesInfo& info);
/// Rows of label and text.
std::vector<std::pair<std::string, std::string>> rows_of(const ProcessesInfo& info);

}  // namespace lockstep::cli::machine
