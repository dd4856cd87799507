#pragma once

#include <utility>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "scan.hpp"

// Scans and exclusive scans in which in every step all ranks send over the same distance, on a switch or complete graph
// with one port (collectives.md, Scan, Exclusive scan). The operands stay in the order of the ranks.
namespace lockstep::scan {

/// A step: every rank sends to the one at `distance` above it, if there is one, and prepends what it receives to its
/// prefix.
struct ScanStep {
  /// What is sent.
  enum class Sent {
    value,       ///< the rank's own value
    with_value,  ///< its prefix followed by its own value
    prefix       ///< its prefix, if it has one
  };

  std::uint64_t distance;
  Sent sent = Sent::prefix;
};

using ScanSteps = std::vector<ScanStep>;

/// Completes the entry of such a scan: with names, families, parameters, port models, resolve().
Method with_defaults_in_steps(Method own, Prefix prefix);

/// The counts of the steps, with the formulas that people read.
Prediction predict_in_steps(const MachineSpec& machine, const Settings& settings, Prefix prefix, const ScanSteps& steps,
                            std::string steps_formula, std::string messages_formula);

/// Bytes of such a run.
std::uint64_t bytes_in_steps(const MachineSpec& machine, const Model& model, const Settings& settings, Prefix prefix,
                             const ScanSteps& steps);

/// Runs the steps on every processor, and compares the results, and messages that an operator may absorb, with the
/// values combined one after the other.
Outcome run_in_steps(const RunRequest& request, Prefix prefix, const ScanSteps& steps);

/// The entry of the scan, inclusive or not, in the steps that Schedule::steps(p) lists for p ranks.
template <class Schedule>
Method in_steps(Method own) {
  own.predict = [](const MachineSpec& machine, const Model&, const Settings& settings) {
    return predict_in_steps(machine, settings, Schedule::prefix, Schedule::steps(machine.processors),
                            Schedule::steps_formula, Schedule::messages_formula);
  };
  own.bytes = [](const MachineSpec& machine, const Model& model, const Settings& settings) {
    return bytes_in_steps(machine, model, settings, Schedule::prefix, Schedule::steps(machine.processors));
  };
  own.run = [](const RunRequest& request) {
    return run_in_steps(request, Schedule::prefix, Schedule::steps(request.machine.processors));
  };
  return with_defaults_in_steps(std::move(own), Schedule::prefix);
}

}  // namespace lockstep::scan
