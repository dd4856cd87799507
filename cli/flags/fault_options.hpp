#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "lockstep/algorithms/fault.hpp"
#include "lockstep/core/faults.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::flags {

/// Links or processors that fail at random: a number of them, or a share of all.
struct RandomFaults {
  std::uint64_t count = 0;          ///< without a share: how many
  std::optional<double> percent{};  ///< of all, 0 to 100
  Cycle from = 0;                   ///< the first cycle without them
  std::size_t drawn = 0;            ///< how many draw_faults() has added, at the end of their list
};

/// The faults of a run (docs/faults.md).
struct FaultArguments {
  Faults faults{};
  MessageFaults messages{};  ///< their seed also draws links and processors
  std::optional<RandomFaults> links{};
  std::optional<RandomFaults> processors{};
  bool has_seed = false;  ///< --fault-seed was given

  bool empty() const { return faults.empty() && messages.empty() && !links && !processors; }
  /// Whether processors may fail.
  bool has_failing_processors() const { return !faults.processors.empty() || processors; }
  /// Whether the faults may change the run's counts; stragglers do not.
  bool may_change_counts() const {
    return !faults.links.empty() || links || has_failing_processors() || !messages.empty();
  }
};

/// The faults as flags: "--fail-link 0-1@3 --drop 0.01 --fault-seed 2".
std::string flags_of(const FaultArguments& arguments);

/// Adds --fail-link --fail-processor --fail-links --fail-processors --straggler --drop --corrupt --delay --fault-seed.
void add_fault_options(CLI::App& app, FaultArguments& arguments);

/// Throws InputError for a seed if nothing is drawn.
void refuse_idle_seed(const FaultArguments& arguments);

/// Draws the links and processors that fail at random and adds them to those that are named. All sets of the asked-for
/// size are equally likely. They depend only on the seed, the machine and the names; a larger number adds to the same
/// set. Throws InputError if the machine has fewer.
void draw_faults(FaultArguments& arguments, const Topology& topology);

}  // namespace lockstep::cli::flags
