#pragma once

#include <cstdint>

#include "lockstep/core/executor.hpp"
#include "lockstep/core/topology.hpp"
#include "outcome.hpp"

// The other interpreter of scenarios: processors of a machine.
namespace lockstep::reference {

/// What a machine comes to, in the reference's types, and what only a machine has.
struct MachineOutcome {
  Outcome outcome;
  std::uint64_t digest = 0;  ///< of the report
  std::string text;          ///< of the error
  std::string dot;           ///< of a deadlock
};

/// Executes the scenario, sharing even cycles of one processor among the executor's threads. With a seed the processors
/// pause before random operations, for random times.
MachineOutcome run_on_machine(const Scenario& scenario, Executor& executor,
                              std::optional<std::uint64_t> pauses = std::nullopt);

}  // namespace lockstep::reference
