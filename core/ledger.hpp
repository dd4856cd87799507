#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/core/detail/network.hpp"
#include "lockstep/core/report.hpp"
#include "phase_names.hpp"

namespace lockstep::detail {

/// What a run has counted: the workers' tallies, gathered at every barrier, and both modelled clocks.
class Ledger {
 public:
  explicit Ledger(bool record_cycles) : record_cycles_(record_cycles) {}

  PhaseNames& phase_names() { return phase_names_; }
  const PhaseNames& phase_names() const { return phase_names_; }

  /// Takes over what the workers have counted in the cycle, in which so many processors were visited, and clears it
  /// there.
  void gather(Cycle cycle, std::uint64_t visited, const Ground& ground, std::span<Worker> workers);
  /// Notes messages that an observer has kept from their receivers, or added.
  void observed(std::uint64_t taken_back, std::uint64_t delivered) { in_channels_ += delivered - taken_back; }
  /// The report of the run that ends.
  Report finish(std::span<const Worker> workers);

  // Of the cycle that was gathered last.
  std::uint64_t moved() const { return moved_; }  ///< messages
  std::uint64_t moved_words() const { return moved_words_; }

  // Of the run so far.
  std::uint64_t steps() const { return report_.steps; }
  std::uint64_t messages() const { return report_.messages; }
  std::uint64_t in_channels() const { return in_channels_; }  ///< messages sent and not taken
  std::uint64_t ended() const { return ended_; }              ///< programs that have returned

 private:
  struct Phase {
    PhaseCounts counts;
    Cycle first_step = last_cycle;
    std::uint64_t longest = 0;  ///< in the current cycle
    bool moved = false;         ///< in the current cycle
  };

  /// Adds what one worker has counted of each phase; returns how many messages that were.
  void gather_phases(const Ground& ground, Worker& worker, CycleCounts& counts);

  const bool record_cycles_;
  PhaseNames phase_names_;
  std::vector<Phase> phases_;
  Report report_;
  std::uint64_t moved_ = 0;
  std::uint64_t moved_words_ = 0;
  std::uint64_t in_channels_ = 0;
  std::uint64_t ended_ = 0;
};

}  // namespace lockstep::detail
