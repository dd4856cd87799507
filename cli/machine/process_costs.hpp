#pragma once

#include <cstdint>

#include "host/started_processes.hpp"
#include "lockstep/machines/partition.hpp"

namespace lockstep::cli::machine {

// What a run over several processes costs by the clock, as a model of few numbers (docs/clusters.md, Before a run).

/// In seconds of the host, for one thread a process.
struct ProcessCosts {
  double message = 0;             ///< of a message of a word that one processor sends and another gets
  double crossing = 0;            ///< that a process spends more on a message that leaves it, or comes to it
  double exchange = 0;            ///< of a short message with one process, there and back at once
  double agreement = 0;           ///< of a reduction over two processes; over P of them ceil(log2 P) times that
  double byte = 0;                ///< of what goes from process to process
  unsigned measured_between = 1;  ///< processes; by one all but the first number are assumed
};

/// Measures them, in half a second or so, where each process holds so many processors: `message` in each, the others
/// between all that are given, which call this together. Of no processes, 2 us and 10^10 bytes a second
/// are assumed, and twice `message` for what crosses.
ProcessCosts process_costs(std::uint64_t processors, StartedProcesses* processes);

/// What a run does.
struct RunLoad {
  double messages = 0;
  double words = 0;
  double cycles = 0;  ///< in which a message moves
};

/// Seconds of the run, over so many processes that are divided so. Messages are taken to use all links alike, and what
/// a process does is taken not to hide what it sends.
double predicted_seconds(const ProcessCosts& costs, const RunLoad& load, std::uint64_t processors, std::uint64_t links,
                         const Cut& cut, unsigned processes);

}  // namespace lockstep::cli::machine
