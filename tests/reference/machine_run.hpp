#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "lockstep/core/channel_kind.hpp"
#include "lockstep/core/executor.hpp"
#include "lockstep/core/processes.hpp"
#include "lockstep/core/topology.hpp"
#include "outcome.hpp"

// The other interpreter of scenarios: processors of a machine.
namespace lockstep::reference {

/// The outcome of a machine, in the reference's types, with results that only a machine has.
struct MachineOutcome {
  Outcome outcome;
  std::uint64_t digest = 0;  ///< of the report
  std::string text;          ///< of the error
  std::string dot;           ///< of a deadlock
};

struct MachineOptions {
  std::optional<std::uint64_t> pauses{};  ///< a seed: processors pause before random operations, for random times
  bool observed = false;                  ///< every message passes an observer, which does not change it
  unsigned runs = 1;                      ///< on one machine; the last of them counts
  ChannelKind channels = ChannelKind::lockfree;
  std::function<void()> when_made{};   ///< called in every run after all programs have been made and before any begins
  const Division* division = nullptr;  ///< over processes; then only the notes of this one are present
};

/// The kinds that a machine for the scenario may have: on a medium they make no difference.
std::vector<ChannelKind> channel_kinds(const Scenario& scenario);

/// Executes the scenario, sharing even cycles of one processor among the executor's threads.
MachineOutcome run_on_machine(const Scenario& scenario, Executor& executor, const MachineOptions& options = {});

}  // namespace lockstep::reference
