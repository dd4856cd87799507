#pragma once

#include <cstdint>

#include "host/started_processes.hpp"
#include "lockstep/machines/partition.hpp"

namespace lockstep::cli::machine {

// The wall-clock cost of a run over several processes, as a model with few parameters (docs/clusters.md, Before a run).

/// Seconds of the host, with one thread per process.
struct ProcessCosts {
  double message = 0;             ///< per message of one word between two processors
  double crossing = 0;            ///< extra cost to a process of a message that leaves or enters it
  double exchange = 0;            ///< of a short message with one process, there and back at once
  double agreement = 0;           ///< of a reduction over two processes; over P of them ceil(log2 P) times that
  double byte = 0;                ///< per byte between processes
  unsigned measured_between = 1;  ///< processes; with one, all but the first number are assumed
};

/// Measures them in about half a second, with the given number of processors per process: `message` in each process,
/// the others among all given processes, which call this together. Without processes, 2 us, 10^10 bytes per second, and
/// twice `message` for a crossing are assumed.
ProcessCosts process_costs(std::uint64_t processors, StartedProcesses* processes);

/// The counts of a run.
struct RunLoad {
  double messages = 0;
  double words = 0;
  double cycles = 0;  ///< in which a message moves
};

/// Seconds of the run over the processes of that division. Assumes that messages use all links equally, and that a
/// process does not overlap its work with its communication.
double predicted_seconds(const ProcessCosts& costs, const RunLoad& load, std::uint64_t processors, std::uint64_t links,
                         const Cut& cut, unsigned processes);

}  // namespace lockstep::cli::machine
