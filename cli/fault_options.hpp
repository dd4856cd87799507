#pragma once

#include "lockstep/algorithms/fault.hpp"
#include "lockstep/core/faults.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli {

/// What is to fail in a run (docs/faults.md).
struct FaultArguments {
  Faults faults{};
  MessageFaults messages{};
  bool has_seed = false;  ///< --fault-seed was given

  bool empty() const { return faults.empty() && messages.empty(); }
};

/// Adds --fail-link --fail-processor --straggler --drop --corrupt --delay --fault-seed.
void add_fault_options(CLI::App& app, FaultArguments& arguments);

/// Throws InputError for a seed of nothing that is drawn.
void refuse_idle_seed(const FaultArguments& arguments);

}  // namespace lockstep::cli
