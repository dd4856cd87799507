#pragma once

#include <string>

#include "lockstep/algorithms/fault.hpp"
#include "lockstep/core/faults.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::flags {

/// The faults of a run (docs/faults.md).
struct FaultArguments {
  Faults faults{};
  MessageFaults messages{};
  bool has_seed = false;  ///< --fault-seed was given

  bool empty() const { return faults.empty() && messages.empty(); }
  /// Whether the faults may change the run's counts; stragglers do not.
  bool may_change_counts() const { return !faults.links.empty() || !faults.processors.empty() || !messages.empty(); }
};

/// The faults as flags: "--fail-link 0-1@3 --drop 0.01 --fault-seed 2".
std::string flags_of(const FaultArguments& arguments);

/// Adds --fail-link --fail-processor --straggler --drop --corrupt --delay --fault-seed.
void add_fault_options(CLI::App& app, FaultArguments& arguments);

/// Throws InputError for a seed if no messages are drawn.
void refuse_idle_seed(const FaultArguments& arguments);

}  // namespace lockstep::cli::flags
